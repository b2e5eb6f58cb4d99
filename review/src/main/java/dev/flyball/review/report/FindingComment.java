package dev.flyball.review.report;

import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.SourceText;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A finding as a comment beside the code that it is about, with what is to stand there instead
 * where that is known.
 *
 * <p>Models are asked for advice, and often give the line as it should be. It is offered as a
 * replacement only if the finding quotes whole lines and the advice is made of the same words: a
 * sentence put in the place of code would be worse than none.
 */
public final class FindingComment {
  private static final Pattern FENCED =
      Pattern.compile(
          "\\A\\s*```[A-Za-z0-9+#-]{0,20}\\n(.{0,4000}?)\\n?```\\s*\\z", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*|[0-9]+");
  private static final Pattern SENTENCE =
      Pattern.compile("(?<![a-z])[a-z]{2,}+ [a-z]{2,}+ [a-z]{2,}|[.!?]\\s*+\\z");
  private static final int LONGEST = 2_000;
  private static final double ALIKE = 0.5;

  private FindingComment() {}

  /**
   * The text of it.
   *
   * @param replacement what is to stand in the place of the commented lines, if that is known
   * @param fence what a block that replaces lines is headed by
   */
  public static String of(Finding finding, Optional<String> replacement, String fence) {
    return MarkdownReport.comment(finding, replacement, fence);
  }

  /** What should stand there instead of all the lines of a place, if the advice is that. */
  public static Optional<String> replacement(Finding finding, Optional<SourceText> text) {
    var claim = finding.claim();
    if (!(claim.place() instanceof Place.Lines place)
        || claim.suggestion().isEmpty()
        || claim.evidence().isEmpty()
        || text.isEmpty()
        || place.endLine() > text.get().lines()) {
      return Optional.empty();
    }
    var now =
        IntStream.rangeClosed(place.line(), place.endLine()).mapToObj(text.get()::line).toList();
    if (!stripped(now).equals(stripped(claim.evidence().get().lines().toList()))) {
      return Optional.empty();
    }
    var advice = claim.suggestion().get();
    var fenced = FENCED.matcher(advice);
    var code = fenced.matches() ? fenced.group(1) : advice.stripTrailing();
    if (code.isBlank()
        || code.length() > LONGEST
        || !isSeen(code)
        || !isCode(code, String.join("\n", now))) {
      return Optional.empty();
    }
    var fresh = indented(code.lines().toList(), now.getFirst());
    return stripped(fresh.lines().toList()).equals(stripped(now))
        ? Optional.empty()
        : Optional.of(fresh);
  }

  private static List<String> stripped(List<String> lines) {
    return lines.stream().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  /** Whoever takes it over must have seen all of it. */
  private static boolean isSeen(String code) {
    return code.codePoints()
        .allMatch(
            it -> it == '\n' || it == '\t' || SafeText.shown(it).equals(Character.toString(it)));
  }

  /** Made of the words that are there, and no sentence unless those are one. */
  private static boolean isCode(String advice, String now) {
    var said = words(advice);
    var there = words(now);
    if (said.isEmpty() || there.isEmpty()) {
      return false;
    }
    var both = new HashSet<>(said);
    both.retainAll(there);
    var all = new HashSet<>(said);
    all.addAll(there);
    return (double) both.size() / all.size() >= ALIKE
        && (!SENTENCE.matcher(advice).find() || SENTENCE.matcher(now).find());
  }

  private static Set<String> words(String text) {
    var found = new HashSet<String>();
    WORD.matcher(text).results().forEach(word -> found.add(word.group().toLowerCase(Locale.ROOT)));
    return found;
  }

  /** Models leave out the indentation of what they quote. */
  private static String indented(List<String> lines, String first) {
    var margin = first.substring(0, first.length() - first.stripLeading().length());
    boolean bare = !lines.getFirst().startsWith(" ") && !lines.getFirst().startsWith("\t");
    return bare
        ? String.join("\n", lines.stream().map(it -> it.isBlank() ? it : margin + it).toList())
        : String.join("\n", lines);
  }
}
