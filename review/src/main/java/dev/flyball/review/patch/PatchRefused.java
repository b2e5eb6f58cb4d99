package dev.flyball.review.patch;

import dev.flyball.review.finding.SafeText;

/**
 * The refusal of a text that is no patch to be counted on: the line that is wrong, and what must
 * hold.
 */
public final class PatchRefused extends Exception {
  private static final long serialVersionUID = 1;
  private static final int LONGEST = 60;

  /** A rule that a patch must keep to. */
  public enum Rule {
    COMBINED("a change must be between two states; a combined diff (of a merge) is between more"),
    HUNK_HEADER("a hunk must begin with @@ -line,count +line,count @@"),
    NUMBER("lines are numbered up to 2147483647"),
    HUNK_LINE("a line of a hunk must begin with a blank, +, - or \\"),
    HUNK_COUNT("a hunk must have as many lines as its header says"),
    HUNK_WITHOUT_FILE("a hunk must belong to a file, named by --- and +++ before it"),
    NO_FILE("a patch must name at least one changed file, as git diff and diff -u do"),
    NAME("a changed file must have a name"),
    BINARY("a binary patch is literal or delta, its size, its lines, and an empty one");

    private final String text;

    Rule(String text) {
      this.text = text;
    }

    /** As a sentence. */
    public String text() {
      return text;
    }
  }

  private final Rule rule;
  private final long line;

  PatchRefused(Rule rule, long line, String found) {
    super("line %d of the patch: %s, but %s".formatted(line, rule.text(), found));
    this.rule = rule;
    this.line = line;
  }

  public Rule rule() {
    return rule;
  }

  /** From 1. */
  public long line() {
    return line;
  }

  /** The beginning of a line, for a message. */
  static String shown(String text) {
    return SafeText.cut(SafeText.line(text), LONGEST);
  }
}
