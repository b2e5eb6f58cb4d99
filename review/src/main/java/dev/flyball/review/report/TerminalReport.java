package dev.flyball.review.report;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.secret.Secrets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A review on a screen: every finding with the lines that it is about and a mark under the place,
 * and at the end how many there are of what.
 *
 * <p>Whatever comes from outside stands behind a sign of ours on its line, so that no line of a
 * reviewed file begins a line of the output: a build server would take some for commands.
 */
public final class TerminalReport {
  private static final int NARROWEST = 40;
  private static final int BEFORE = 2;
  private static final int AFTER = 1;
  private static final int MARKED = 5;
  private static final int LONGEST_TEXT = 2_000;
  private static final int LONGEST_PLACE = 300;
  private static final int REASONS = 5;
  private static final int UNANSWERED = 10;
  private static final int FOLDERS = 6;
  private static final int RULES = 12;
  private static final int LONG = 10;

  /** The role of a piece of the output, for the painter. */
  public enum Role {
    CRITICAL,
    MAJOR,
    MINOR,
    TITLE,
    PLACE,
    GUTTER,
    CODE,
    MARK,
    ADVICE,
    ASIDE
  }

  /**
   * The size and the colours of the output.
   *
   * @param width columns of the screen
   * @param most findings that are shown; the others are counted
   * @param painter colours a piece of text without changing it
   */
  public record Look(int width, int most, Function<Role, UnaryOperator<String>> painter) {
    public Look {
      width = Math.max(NARROWEST, width);
    }

    public static Look plain(int width) {
      return new Look(width, Integer.MAX_VALUE, role -> UnaryOperator.identity());
    }
  }

  private static final String STATIC = "static";
  private static final String SILENCE =
      "to silence a rule: a comment `flyball:ignore RULE reason` on the line, `rules: {RULE: off}`"
          + " in flyball.yaml, or --write-baseline for what is there already; `flyball rules RULE`"
          + " says more";

  private final Look look;
  private final StringBuilder out = new StringBuilder();
  private final Map<SourceText, SourceText> masked = new HashMap<>();

  private TerminalReport(Look look) {
    this.look = look;
  }

  /**
   * The review in lines that are no wider than the screen, except where they name a file.
   *
   * @param texts the text that a place counts its lines in, as far as it is at hand
   */
  public static String of(
      Review review, Function<Place.Lines, Optional<SourceText>> texts, Look look) {
    var report = new TerminalReport(look);
    var shown = review.findings().stream().filter(finding -> !finding.baseline()).toList();
    var groups = FindingGroup.of(shown);
    groups.stream().limit(look.most()).forEach(group -> report.group(group, texts));
    int more = groups.stream().skip(look.most()).mapToInt(FindingGroup::size).sum();
    if (more > 0) {
      report.line(report.paint(Role.ASIDE, "  … and " + more + " more"));
      report.line("");
    }
    review.contradictions().stream().limit(look.most()).forEach(report::contradiction);
    report.summary(review, shown);
    return report.out.toString();
  }

  private void group(FindingGroup group, Function<Place.Lines, Optional<SourceText>> texts) {
    finding(group.example().claim(), texts);
    if (group.others().isEmpty()) {
      return;
    }
    var folders = group.folders();
    out.setLength(out.length() - 1);
    line(paint(Role.ASIDE, "  the same at %d more places:".formatted(group.others().size())));
    boolean all = look.most() == Integer.MAX_VALUE;
    folders.entrySet().stream()
        .limit(all ? Integer.MAX_VALUE : FOLDERS)
        .forEach(
            folder -> {
              var places =
                  SafeText.line(
                      "%s (%d): %s"
                          .formatted(
                              folder.getKey(),
                              folder.getValue().size(),
                              String.join(", ", folder.getValue())));
              line(
                  "    "
                      + paint(Role.PLACE, all ? places : SafeText.cut(places, look.width() - 5)));
            });
    if (!all && folders.size() > FOLDERS) {
      line(
          "    " + paint(Role.ASIDE, "and in %d more folders".formatted(folders.size() - FOLDERS)));
    }
    line("");
  }

  private void finding(Claim claim, Function<Place.Lines, Optional<SourceText>> texts) {
    var role = role(claim.severity());
    var aside = claim.rule() + " · " + Math.round(100 * claim.confidence()) + " %";
    var head = sign(claim.severity()) + " " + claim.severity() + "  ";
    var title = TextColumns.wrapped(SafeText.line(claim.title()), look.width() - head.length());
    line(paint(role, head) + paint(Role.TITLE, title.getFirst()));
    title.stream().skip(1).limit(2).forEach(rest -> line("  " + paint(Role.TITLE, rest)));
    var place = SafeText.cut(SafeText.line(where(claim.place())), LONGEST_PLACE);
    boolean fits = TextColumns.width(place) + TextColumns.width(aside) + 6 <= look.width();
    line(
        "  "
            + paint(Role.PLACE, place)
            + (fits ? paint(Role.ASIDE, "  · " + SafeText.line(aside)) : ""));
    int digits = digits(claim.place());
    if (claim.place() instanceof Place.Lines lines) {
      var text = texts.apply(lines);
      if (text.isPresent() && lines.line() <= text.get().lines()) {
        excerpt(lines, masked(text.get()), digits, role);
      }
    }
    var message = TextColumns.wrapped(cut(claim.message()), look.width() - digits - 6);
    var advice =
        claim.suggestion().map(it -> TextColumns.wrapped(cut(it), look.width() - digits - 6));
    behind(message, digits, Role.TITLE, advice.isEmpty());
    advice.ifPresent(lines -> behind(lines, digits, Role.ADVICE, true));
    line("");
  }

  private SourceText masked(SourceText text) {
    return masked.computeIfAbsent(
        text, shown -> SourceText.of(shown.path(), Secrets.masked(shown.content())));
  }

  private void contradiction(Contradiction pair) {
    line(paint(Role.MARK, "≠ contradiction"));
    said(pair.one().claim());
    said(pair.other().claim());
    var end =
        pair.settled()
            .map(
                settled ->
                    settled.source() + ": " + settled.holds() + " holds. " + settled.reason())
            .orElse("not settled: --deliberate asks the model for deep lenses");
    behind(TextColumns.wrapped(cut(end), look.width() - 10), 4, Role.ADVICE, true);
    line("");
  }

  private void said(Claim claim) {
    var lenses = SafeText.line(String.join(", ", claim.lenses()));
    behind(
        TextColumns.wrapped(lenses + ": " + cut(SafeText.line(claim.title())), look.width() - 10),
        4,
        Role.TITLE,
        false);
    line(
        "       "
            + paint(Role.PLACE, SafeText.cut(SafeText.line(where(claim.place())), LONGEST_PLACE)));
  }

  private void excerpt(Place.Lines place, SourceText text, int digits, Role role) {
    int last = Math.min(place.endLine(), text.lines());
    int columns = look.width() - digits - 6;
    int shift = Math.max(0, place.column() - 1 - columns * 2 / 3);
    for (int line = Math.max(1, place.line() - BEFORE); line < place.line(); line++) {
      code(text, line, shift, columns, digits, false);
    }
    for (int line = place.line(); line <= last; line++) {
      boolean folded = last - place.line() >= MARKED;
      if (folded && line == place.line() + MARKED - 2) {
        line(paint(Role.GUTTER, " ".repeat(digits + 2) + " ⋮"));
        line = last;
      }
      code(text, line, shift, columns, digits, true);
      if (line == place.line()) {
        mark(place, text, shift, columns, digits, role);
      }
    }
    for (int line = last + 1; line <= Math.min(text.lines(), last + AFTER); line++) {
      code(text, line, shift, columns, digits, false);
    }
    line(paint(Role.GUTTER, " ".repeat(digits + 3) + "│"));
  }

  private void code(SourceText text, int line, int shift, int columns, int digits, boolean marked) {
    var content = text.line(line);
    boolean cut = content.length() > shift + columns;
    var seen = TextColumns.of(content, shift, cut ? columns - 1 : columns).seen().stripTrailing();
    var number = Integer.toString(line);
    line(
        paint(
                Role.GUTTER,
                (marked ? "▸ " : "  ")
                    + " ".repeat(digits - number.length())
                    + number
                    + (seen.isEmpty() ? " │" : " │ "))
            + paint(Role.CODE, seen)
            + (cut ? paint(Role.ASIDE, SafeText.REST) : ""));
  }

  private void mark(
      Place.Lines place, SourceText text, int shift, int columns, int digits, Role role) {
    var content = text.line(place.line());
    var seen = TextColumns.of(content, shift, columns);
    int end = place.endLine() == place.line() ? place.endColumn() - 1 : content.length();
    int from = Math.min(seen.start(place.column() - 1 - shift), columns - 1);
    int to = Math.max(from + 1, seen.start(Math.min(end, content.length()) - shift));
    line(
        paint(Role.GUTTER, " ".repeat(digits + 3) + "│ ")
            + " ".repeat(from)
            + paint(role, "^".repeat(Math.min(to, columns) - from)));
  }

  private void behind(List<String> lines, int digits, Role role, boolean last) {
    for (int i = 0; i < lines.size(); i++) {
      var sign = last && i == lines.size() - 1 ? "╰ " : i == 0 ? "├ " : "│ ";
      line(paint(Role.GUTTER, " ".repeat(digits + 3) + sign) + paint(role, lines.get(i)));
    }
  }

  private void summary(Review review, List<Finding> shown) {
    line(paint(Role.GUTTER, "─".repeat(Math.min(look.width(), 72))));
    var counts =
        List.of(Severity.CRITICAL, Severity.MAJOR, Severity.MINOR).stream()
            .map(
                severity ->
                    paint(
                        role(severity),
                        shown.stream().filter(f -> f.severity() == severity).count()
                            + " "
                            + severity))
            .collect(Collectors.joining(" · "));
    if (shown.size() > LONG) {
      FindingGroup.table(shown, RULES).forEach(row -> line("  " + paint(Role.PLACE, row)));
    }
    int known = review.findings().size() - shown.size();
    line(counts + (known > 0 ? paint(Role.ASIDE, "  (" + known + " more in the baseline)") : ""));
    var coverage = review.coverage();
    var seen = review.seen() + reasons(coverage);
    line(paint(Role.TITLE, review.verdict().words()));
    TextColumns.wrapped(seen, look.width()).forEach(line -> line(paint(Role.ASIDE, line)));
    depths(coverage);
    if (shown.stream().anyMatch(finding -> finding.claim().lenses().contains(STATIC))) {
      TextColumns.wrapped(SILENCE, look.width()).forEach(line -> line(paint(Role.ASIDE, line)));
    }
    review.usage().ifPresent(used -> line(paint(Role.ASIDE, used.words())));
    if (!coverage.complete()) {
      line(paint(Role.MARK, coverage.unanswered().size() + " without an answer:"));
      coverage.unanswered().stream()
          .limit(UNANSWERED)
          .forEach(name -> line("  - " + SafeText.cut(SafeText.line(name), look.width() - 4)));
      if (coverage.unanswered().size() > UNANSWERED) {
        line("  - and " + (coverage.unanswered().size() - UNANSWERED) + " more");
      }
    }
  }

  /** How far the checks looked, language by language. */
  private void depths(ReviewCoverage coverage) {
    int width =
        coverage.depths().stream().mapToInt(each -> each.language().length()).max().orElse(0);
    coverage.depths().stream()
        .limit(RULES)
        .forEach(
            each ->
                line(
                    paint(
                        Role.ASIDE,
                        "  %s%s  %s"
                            .formatted(
                                each.language(),
                                " ".repeat(width - each.language().length()),
                                each.words()))));
  }

  private static String reasons(ReviewCoverage coverage) {
    if (coverage.skipped().isEmpty()) {
      return "";
    }
    Map<String, Long> byReason =
        coverage.skipped().stream()
            .collect(
                Collectors.groupingBy(
                    skipped -> SafeText.cut(SafeText.line(skipped.reason()), 40),
                    Collectors.counting()));
    return byReason.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Comparator.comparing(Map.Entry::getKey)))
        .limit(REASONS)
        .map(reason -> reason.getValue() + " " + reason.getKey())
        .collect(
            Collectors.joining(
                ", ",
                ", " + coverage.skipped().size() + " skipped (",
                byReason.size() > REASONS ? ", …)" : ")"));
  }

  private static String where(Place place) {
    return switch (place) {
      case Place.Lines lines ->
          lines.path()
              + ":"
              + lines.line()
              + ":"
              + lines.column()
              + (lines.side() == DiffSide.LEFT ? " (before the change)" : "");
      case Place.File file -> file.path();
      case Place.Whole whole -> "everything";
    };
  }

  private static int digits(Place place) {
    return place instanceof Place.Lines lines
        ? Math.max(4, Integer.toString(lines.endLine() + AFTER).length())
        : 4;
  }

  private static String cut(String text) {
    return SafeText.cut(text, LONGEST_TEXT);
  }

  private static Role role(Severity severity) {
    return switch (severity) {
      case CRITICAL -> Role.CRITICAL;
      case MAJOR -> Role.MAJOR;
      case MINOR -> Role.MINOR;
    };
  }

  private static String sign(Severity severity) {
    return switch (severity) {
      case CRITICAL -> "✖";
      case MAJOR -> "▲";
      case MINOR -> "●";
    };
  }

  private String paint(Role role, String text) {
    return text.isEmpty() ? "" : look.painter().apply(role).apply(text);
  }

  private void line(String text) {
    out.append(SafeText.withoutCommands(text)).append('\n');
  }
}
