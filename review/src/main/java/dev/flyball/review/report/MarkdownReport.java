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
import dev.flyball.review.finding.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A review as a comment on a pull request: what it came to, a table of how much, the findings by
 * severity, and what was not looked at. It is never longer than a comment may be; what does not fit
 * is counted.
 *
 * <p>Nothing from outside is more than text in it: neither markup, nor a link, an image, a mention
 * of a person or of another issue, nor a command to the host.
 */
public final class MarkdownReport {
  /** A comment on GitHub has at most 65,536 characters. */
  public static final int LONGEST = 65_000;

  private static final int LONGEST_TITLE = 200;
  private static final int LONGEST_TEXT = 2_000;
  private static final int LONGEST_CODE = 1_500;
  private static final int FILES_LISTED = 20;
  private static final int ROOM_FOR_THE_END = 12_000;

  private static final Pattern MARKUP = Pattern.compile("[\\\\`*_{}\\[\\]()!|~$+=^-]");
  private static final Pattern TICKS = Pattern.compile("`+");

  /** Between a sign and what it would make a link of: seen by nobody, and the link is gone. */
  private static final String BREAK = "&#8203;";

  private MarkdownReport() {}

  public static String of(Review review) {
    return of(review, LONGEST);
  }

  /** All of it, for a file. */
  public static String all(Review review) {
    return of(review, Integer.MAX_VALUE);
  }

  /** No longer than so many characters; the end, which says what is missing, has its own room. */
  public static String of(Review review, int longest) {
    return of(review, Set.of(), longest);
  }

  /**
   * The same beside comments on the code.
   *
   * @param beside the ids of findings that are told there, and are only counted here
   */
  public static String of(Review review, Set<String> beside, int longest) {
    var text = new StringBuilder();
    text.append("## ").append(sign(review.verdict())).append(" Flyball: ");
    text.append(review.verdict().words()).append("\n\n");
    summary(review, text);
    var rest = review.findings().stream().filter(it -> !beside.contains(it.id())).toList();
    int told = review.findings().size() - rest.size();
    if (told > 0) {
      text.append('\n').append(told).append(told == 1 ? " finding is" : " findings are");
      text.append(" beside the code.\n");
    }
    int left = findings(rest, text, Math.max(0, longest - ROOM_FOR_THE_END));
    if (left > 0) {
      text.append("\n**").append(left).append(left == 1 ? " more finding" : " more findings");
      text.append("** did not fit into this comment.\n");
    }
    contradictions(review.contradictions(), text);
    coverage(review.coverage(), text);
    return SafeText.cut(SafeText.withoutCommands(text.toString()), longest);
  }

  private static void summary(Review review, StringBuilder text) {
    text.append("| | new | in the baseline |\n|---|---:|---:|\n");
    for (var severity : List.of(Severity.CRITICAL, Severity.MAJOR, Severity.MINOR)) {
      long all = review.count(severity);
      long known =
          review.findings().stream()
              .filter(finding -> finding.severity() == severity && finding.baseline())
              .count();
      text.append("| ").append(sign(severity)).append(' ').append(severity).append(" | ");
      text.append(all - known).append(" | ").append(known).append(" |\n");
    }
    text.append('\n').append(review.seen()).append(", ");
    text.append(escaped(review.mode())).append(".\n");
    depths(review.coverage(), text);
    review.usage().ifPresent(used -> text.append('\n').append(escaped(used.words())).append(".\n"));
  }

  /** How far the checks looked, language by language. */
  private static void depths(ReviewCoverage coverage, StringBuilder text) {
    if (!coverage.depths().isEmpty()) {
      text.append("\n| language | for defects | only for copies and unused code | not checked |\n");
      text.append("|---|---:|---:|---:|\n");
      for (var each : coverage.depths()) {
        text.append("| ").append(escaped(each.language())).append(" | ").append(each.defects());
        text.append(" | ").append(each.copies()).append(" | ").append(each.unchecked());
        text.append(" |\n");
      }
    }
  }

  /** How many did not fit. */
  private static int findings(List<Finding> findings, StringBuilder text, int longest) {
    var shown = findings.stream().filter(finding -> !finding.baseline()).toList();
    var groups = FindingGroup.of(shown);
    Severity heading = null;
    for (int i = 0; i < groups.size(); i++) {
      var example = groups.get(i).example();
      var next = new StringBuilder();
      if (example.severity() != heading) {
        next.append("\n### ").append(sign(example.severity())).append(' ');
        next.append(capital(example.severity().toString())).append("\n");
      }
      finding(example.claim(), next);
      others(groups.get(i), longest == Integer.MAX_VALUE - ROOM_FOR_THE_END, next);
      if (text.length() + next.length() > longest) {
        return groups.stream().skip(i).mapToInt(FindingGroup::size).sum();
      }
      heading = example.severity();
      text.append(next);
    }
    return 0;
  }

  /** The places of what is said of several. */
  private static void others(FindingGroup group, boolean all, StringBuilder text) {
    if (group.others().isEmpty()) {
      return;
    }
    text.append("\n<details><summary>the same at ").append(group.others().size());
    text.append(" more places</summary>\n\n");
    var folders = group.folders().entrySet().stream().toList();
    int most = all ? folders.size() : Math.min(folders.size(), FILES_LISTED);
    for (var folder : folders.subList(0, most)) {
      text.append("- ").append(code(folder.getKey())).append(" (");
      text.append(folder.getValue().size()).append("): ");
      text.append(
          folder.getValue().stream()
              .limit(all ? Integer.MAX_VALUE : FILES_LISTED)
              .map(MarkdownReport::code)
              .collect(Collectors.joining(", ")));
      text.append(!all && folder.getValue().size() > FILES_LISTED ? ", …\n" : "\n");
    }
    if (most < folders.size()) {
      text.append("- and in ").append(folders.size() - most).append(" more folders\n");
    }
    text.append("\n</details>\n");
  }

  private static void finding(Claim claim, StringBuilder text) {
    text.append("\n**").append(escaped(SafeText.cut(claim.title(), LONGEST_TITLE))).append("**");
    text.append("<br>").append(code(place(claim.place()))).append(" · ").append(claim.category());
    text.append(" · ").append(code(claim.rule())).append(" · ");
    text.append(Math.round(100 * claim.confidence())).append(" %\n\n");
    text.append(prose(claim.message())).append('\n');
    claim.evidence().ifPresent(evidence -> text.append('\n').append(block(evidence)));
    claim.suggestion().ifPresent(advice -> text.append("\n> ").append(prose(advice)).append('\n'));
  }

  /** One finding beside its code. */
  static String comment(Finding finding, Optional<String> replacement, String fence) {
    var claim = finding.claim();
    var text = new StringBuilder();
    text.append(sign(finding.severity())).append(" **");
    text.append(escaped(SafeText.cut(claim.title(), LONGEST_TITLE))).append("**\n\n");
    text.append(prose(claim.message())).append('\n');
    if (replacement.isPresent()) {
      var ticks = "`".repeat(Math.max(3, longestRun(replacement.get()) + 1));
      text.append('\n').append(ticks).append(fence).append('\n').append(replacement.get());
      text.append('\n').append(ticks).append('\n');
    } else {
      claim
          .suggestion()
          .ifPresent(advice -> text.append("\n> ").append(prose(advice)).append('\n'));
    }
    text.append("\n<sub>").append(finding.severity()).append(" · ").append(claim.category());
    text.append(" · ").append(code(claim.rule())).append(" · ");
    text.append(Math.round(100 * claim.confidence())).append(" %</sub>\n");
    return text.toString();
  }

  private static void contradictions(List<Contradiction> all, StringBuilder text) {
    if (all.isEmpty()) {
      return;
    }
    text.append("\n### Contradictions\n\n");
    listed(all.stream().map(MarkdownReport::contradiction).toList(), text);
  }

  private static String contradiction(Contradiction pair) {
    return said(pair.one().claim())
        + " ≠ "
        + said(pair.other().claim())
        + pair.settled()
            .map(settled -> ": " + settled.holds() + " holds, " + prose(settled.reason()))
            .orElse(": not settled");
  }

  private static String said(Claim claim) {
    return escaped(SafeText.cut(claim.title(), LONGEST_TITLE))
        + " ("
        + escaped(String.join(", ", claim.lenses()))
        + ", "
        + code(place(claim.place()))
        + ")";
  }

  private static void coverage(ReviewCoverage coverage, StringBuilder text) {
    if (!coverage.complete()) {
      text.append("\n### Without an answer\n\n");
      listed(coverage.unanswered().stream().map(MarkdownReport::code).toList(), text);
    }
    if (!coverage.skipped().isEmpty()) {
      text.append("\n<details><summary>").append(coverage.skipped().size());
      text.append(" skipped</summary>\n\n");
      listed(
          coverage.skipped().stream()
              .map(file -> code(file.path()) + ": " + escaped(SafeText.cut(file.reason(), 100)))
              .toList(),
          text);
      text.append("\n</details>\n");
    }
  }

  private static void listed(List<String> items, StringBuilder text) {
    items.stream().limit(FILES_LISTED).forEach(i -> text.append("- ").append(i).append('\n'));
    if (items.size() > FILES_LISTED) {
      text.append("- and ").append(items.size() - FILES_LISTED).append(" more\n");
    }
  }

  private static String place(Place place) {
    return switch (place) {
      case Place.Lines lines when lines.line() == lines.endLine() ->
          lines.path() + ":" + lines.line() + side(lines);
      case Place.Lines lines ->
          lines.path() + ":" + lines.line() + "-" + lines.endLine() + side(lines);
      case Place.File file -> file.path();
      case Place.Whole whole -> "everything";
    };
  }

  private static String side(Place.Lines lines) {
    return lines.side() == DiffSide.LEFT ? " (before the change)" : "";
  }

  private static String prose(String text) {
    return escaped(SafeText.cut(text.strip(), LONGEST_TEXT));
  }

  private static String escaped(String text) {
    var plain =
        SafeText.lines(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return MARKUP
        .matcher(plain)
        .replaceAll("\\\\$0")
        .replace("#", "#" + BREAK)
        .replace("@", "@" + BREAK)
        .replace("://", ":" + BREAK + "//")
        .replace("%", "%" + BREAK)
        .replaceAll("(?i)\\b(www|GH)(?=[.\\\\])", "$1" + BREAK)
        .replaceAll("\n+", "<br>")
        .replaceFirst("^/", "&#47;");
  }

  /** A span between more ticks than it has in a row. */
  private static String code(String text) {
    var line = SafeText.cut(SafeText.line(text), LONGEST_TITLE).replace("|", "¦");
    var fence = "`".repeat(longestRun(line) + 1);
    return line.contains("`") ? fence + " " + line + " " + fence : fence + line + fence;
  }

  private static String block(String text) {
    var lines =
        SafeText.cut(SafeText.withoutCommands(SafeText.lines(text)).stripTrailing(), LONGEST_CODE);
    var fence = "`".repeat(Math.max(3, longestRun(lines) + 1));
    return fence + "text\n" + lines + "\n" + fence + "\n";
  }

  private static int longestRun(String text) {
    return TICKS.matcher(text).results().mapToInt(run -> run.end() - run.start()).max().orElse(0);
  }

  private static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  private static String sign(Severity severity) {
    return switch (severity) {
      case CRITICAL -> "🔴";
      case MAJOR -> "🟠";
      case MINOR -> "🔵";
    };
  }

  private static String sign(Verdict verdict) {
    return switch (verdict) {
      case APPROVED, APPROVED_WITH_COMMENTS -> "✅";
      case NEEDS_WORK -> "🟠";
      case CHANGES_REQUESTED -> "🔴";
      case INCOMPLETE -> "⚠️";
      case STATIC_ONLY -> "🔎";
      case SIMULATED -> "🧪";
      case NOTHING_TO_REVIEW -> "➖";
    };
  }
}
