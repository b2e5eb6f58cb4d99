package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Suppression;
import dev.flyball.review.finding.Suppressions;
import dev.flyball.review.finding.Text;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The front door: everything that can be found in some texts without asking a model. */
public final class Checks {
  private final int threads;

  private Checks(int threads) {
    this.threads = threads;
  }

  /** On at most so many threads at once. */
  public static Checks on(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("at least 1 thread checks, but were " + threads);
    }
    return new Checks(threads);
  }

  /**
   * What was found, each list in an order that depends on the texts alone.
   *
   * @param notes what was not checked as it should have been
   */
  public record Checked(List<Finding> findings, List<Suppression> suppressions, List<Note> notes) {
    public Checked {
      findings = List.copyOf(findings);
      suppressions = List.copyOf(suppressions);
      notes = List.copyOf(notes);
    }
  }

  /** Whether anything here can look at a file of this name. */
  public static boolean knows(String path) {
    return Defects.knows(path) || Duplicates.knows(path) || Unused.knows(path);
  }

  /** Checks texts, wherever they come from, of which there may be others; each path once. */
  public Checked run(Collection<Text> texts, Progress progress) {
    return run(texts, false, progress);
  }

  /**
   * The same.
   *
   * @param complete whether there are no others: then what none of them uses is not used
   */
  public Checked run(Collection<Text> texts, boolean complete, Progress progress) {
    Map<String, Text> byPath =
        texts.stream().collect(Collectors.toMap(Text::path, Function.identity()));
    var defects = Defects.in(byPath.values(), threads, progress);
    var duplicates = Duplicates.in(byPath.values(), progress);
    var claims = new ArrayList<>(defects.claims());
    claims.addAll(duplicates.claims());
    claims.addAll(Addressed.in(byPath.values(), !complete));
    claims.addAll(Unused.in(byPath.values(), complete, progress));
    claims.sort(Claim.BY_PLACE);
    var lasting = claims.stream().filter(Addressed::isLasting).toList();
    claims.removeAll(lasting);
    var applied = Suppressions.in(byPath.values()).apply(claims);
    var left = new ArrayList<>(applied.left());
    left.addAll(lasting);
    left.sort(Claim.BY_PLACE);
    var suppressions = new ArrayList<>(defects.suppressions());
    suppressions.addAll(applied.suppressions());
    suppressions.sort(
        Comparator.comparing(Suppression::file)
            .thenComparingInt(Suppression::line)
            .thenComparing(Suppression::kind)
            .thenComparing(Suppression::rule)
            .thenComparing(Suppression::reason));
    var notes = new ArrayList<>(defects.notes());
    notes.addAll(duplicates.notes());
    notes.sort(
        Comparator.comparing(Note::file)
            .thenComparing(note -> note.getClass().getSimpleName())
            .thenComparing(Note::reason));
    return new Checked(
        Finding.identify(left, place -> Optional.ofNullable(byPath.get(place.path()))),
        suppressions,
        notes);
  }
}
