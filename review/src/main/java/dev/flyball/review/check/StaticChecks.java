package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.finding.Suppression;
import dev.flyball.review.finding.Suppressions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All checks that need no model, on some texts. */
final class StaticChecks {
  private final int threads;

  private StaticChecks(int threads) {
    this.threads = threads;
  }

  /** On at most so many threads at once. */
  static StaticChecks on(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("at least 1 thread checks, but were " + threads);
    }
    return new StaticChecks(threads);
  }

  /**
   * The result, each list in an order that depends on the texts alone.
   *
   * @param notes what was not checked as it should have been
   */
  record Checked(List<Claim> claims, List<Suppression> suppressions, List<CheckNote> notes) {
    Checked {
      claims = List.copyOf(claims);
      suppressions = List.copyOf(suppressions);
      notes = List.copyOf(notes);
    }
  }

  /** Whether a file of this name is looked through for defects, and not only for copies. */
  static boolean knowsDefects(String path) {
    return PmdDefects.knows(path);
  }

  /** Whether anything here can look at a file of this name. */
  static boolean knows(String path) {
    return PmdDefects.knows(path) || CopiedCode.knows(path) || UnusedCode.knows(path);
  }

  /** Checks texts of which no line is known to be new. */
  Checked run(Collection<SourceText> texts, boolean complete, CheckListener progress) {
    return run(texts, complete, Map.of(), progress);
  }

  /**
   * Checks texts, wherever they come from; each path once.
   *
   * @param complete whether there are no others: then what none of them uses is not used
   * @param added the lines that a change has added, by file: no remark on these suppresses anything
   */
  Checked run(
      Collection<SourceText> texts,
      boolean complete,
      Map<String, BitSet> added,
      CheckListener progress) {
    Map<String, SourceText> byPath =
        texts.stream().collect(Collectors.toMap(SourceText::path, Function.identity()));
    var defects = PmdDefects.in(byPath.values(), threads, progress);
    var duplicates = CopiedCode.in(byPath.values(), progress);
    var claims = new ArrayList<>(defects.claims());
    defects.silenced().stream()
        .filter(each -> isBrought(each, byPath, added))
        .map(PmdDefects.Silenced::claim)
        .forEach(claims::add);
    claims.addAll(duplicates.claims());
    claims.addAll(OrdersToReviewer.in(byPath.values(), !complete));
    claims.addAll(HiddenCharacters.in(byPath.values()));
    claims.addAll(WrittenSecrets.in(byPath.values()));
    claims.addAll(UnusedCode.in(byPath.values(), complete, progress));
    claims.sort(Claim.BY_PLACE);
    var lasting = claims.stream().filter(OrdersToReviewer::isLasting).toList();
    claims.removeAll(lasting);
    var applied =
        Suppressions.in(byPath.values(), (file, line) -> !isAdded(added, file, line)).apply(claims);
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
        Comparator.comparing(CheckNote::file)
            .thenComparing(note -> note.getClass().getSimpleName())
            .thenComparing(CheckNote::reason));
    return new Checked(left, suppressions, notes);
  }

  private static boolean isAdded(Map<String, BitSet> added, String file, int line) {
    var lines = added.get(file);
    return lines != null && lines.get(line);
  }

  /** Whether what silences PMD may be part of the change. An annotation may be far above. */
  private static boolean isBrought(
      PmdDefects.Silenced silenced, Map<String, SourceText> texts, Map<String, BitSet> added) {
    var by = silenced.by();
    return switch (by.kind()) {
      case NOPMD, IGNORE, IGNORE_NEXT_LINE -> isAdded(added, by.file(), by.line());
      case ANNOTATION -> {
        var text = texts.get(by.file());
        yield text != null
            && added.getOrDefault(by.file(), new BitSet()).stream()
                .filter(line -> line <= text.lines())
                .anyMatch(line -> text.line(line).contains("SuppressWarnings"));
      }
    };
  }
}
