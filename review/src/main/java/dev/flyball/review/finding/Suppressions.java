package dev.flyball.review.finding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The remarks of some texts that ask for findings not to be made: {@code flyball:ignore RULE
 * reason} for the line that it is on, and {@code flyball:ignore-next-line RULE reason}, each right
 * after the sign that begins a comment. A rule is named by its id or by what follows the slash in
 * it; a remark that names none suppresses nothing.
 */
public final class Suppressions {
  private static final String MARK = "flyball:ignore";
  private static final Pattern REMARK =
      Pattern.compile(
          "(?://|#|/\\*|\\*|--|<!--|;)[ \\t]*+flyball:ignore(-next-line)?+(?![\\w-])"
              + "[ \\t:]*+([\\w./-]*+)(.*)");
  private static final int LONGEST_LINE = 10_000;
  private static final int LONGEST_REASON = 200;

  private record Remark(
      String file, int line, int target, Suppression.Kind kind, String rule, String reason) {
    boolean covers(Claim claim) {
      var id = claim.rule().toLowerCase(Locale.ROOT);
      var named = rule.toLowerCase(Locale.ROOT);
      return !named.isEmpty()
          && (id.equals(named) || id.substring(id.lastIndexOf('/') + 1).equals(named));
    }
  }

  private record Line(String file, int number) {}

  /**
   * The effect of the remarks.
   *
   * @param left the claims that nothing suppresses, in their order
   */
  public record Applied(List<Claim> left, List<Suppression> suppressions) {
    public Applied {
      left = List.copyOf(left);
      suppressions = List.copyOf(suppressions);
    }
  }

  /** The choice of the lines on which a remark counts. */
  @FunctionalInterface
  public interface InForce {
    boolean at(String file, int line);
  }

  private final InForce inForce;
  private final List<Remark> remarks = new ArrayList<>();
  private final Map<Line, List<Remark>> byTarget = new HashMap<>();

  private Suppressions(InForce inForce) {
    this.inForce = inForce;
  }

  /** All of them count. */
  public static Suppressions in(Collection<SourceText> texts) {
    return in(texts, (file, line) -> true);
  }

  /** All of them, of which some do not count: a change does not suppress what is said of it. */
  public static Suppressions in(Collection<SourceText> texts, InForce inForce) {
    var found = new Suppressions(inForce);
    texts.stream().filter(text -> text.content().contains(MARK)).forEach(found::read);
    return found;
  }

  public Applied apply(Collection<Claim> claims) {
    Set<Remark> used = new HashSet<>();
    var left = new ArrayList<Claim>();
    for (var claim : claims) {
      var covering =
          claim.place() instanceof Place.Lines place && place.side() == DiffSide.RIGHT
              ? byTarget.getOrDefault(new Line(place.path(), place.line()), List.of()).stream()
                  .filter(remark -> remark.covers(claim))
                  .toList()
              : List.<Remark>of();
      used.addAll(covering);
      if (covering.isEmpty()) {
        left.add(claim);
      }
    }
    return new Applied(
        left,
        remarks.stream()
            .map(
                it ->
                    new Suppression(
                        it.file(), it.line(), it.kind(), it.rule(), it.reason(), used.contains(it)))
            .toList());
  }

  private void read(SourceText text) {
    for (int line = 1; line <= text.lines(); line++) {
      var content = text.line(line);
      if (content.length() > LONGEST_LINE || !content.contains(MARK)) {
        continue;
      }
      var matcher = REMARK.matcher(content);
      if (matcher.find()) {
        boolean next = matcher.group(1) != null;
        var reason = matcher.group(3).replace("*/", "").replace("-->", "").strip();
        var remark =
            new Remark(
                text.path(),
                line,
                next ? line + 1 : line,
                next ? Suppression.Kind.IGNORE_NEXT_LINE : Suppression.Kind.IGNORE,
                matcher.group(2),
                SafeText.cut(SafeText.line(reason), LONGEST_REASON));
        remarks.add(remark);
        if (inForce.at(text.path(), line)) {
          byTarget
              .computeIfAbsent(new Line(text.path(), remark.target()), at -> new ArrayList<>())
              .add(remark);
        }
      }
    }
  }
}
