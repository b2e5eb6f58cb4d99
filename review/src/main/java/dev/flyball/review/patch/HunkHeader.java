package dev.flyball.review.patch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first line of a hunk: which lines of both sides it has. */
record HunkHeader(long oldStart, long oldCount, long newStart, long newCount, String heading) {
  private static final long FAR = Integer.MAX_VALUE;

  static @Nullable HunkHeader of(String text) {
    var scan = new Scan(text, "@@ -".length());
    long oldStart = scan.number();
    long oldCount = scan.count();
    boolean right = scan.expect(" +");
    long newStart = scan.number();
    long newCount = scan.count();
    right &= scan.expect(" @@");
    return right && oldStart >= 0 && oldCount >= 0 && newStart >= 0 && newCount >= 0
        ? new HunkHeader(oldStart, oldCount, newStart, newCount, scan.rest())
        : null;
  }

  boolean isTooFar() {
    return oldStart + oldCount > FAR || newStart + newCount > FAR;
  }

  Hunk with(List<HunkLine> lines) {
    return new Hunk((int) oldStart, (int) oldCount, (int) newStart, (int) newCount, heading, lines);
  }

  /** A side without lines is said to start at the line before. */
  int oldNumber(long left, HunkLine.Kind kind) {
    long next = oldStart + (oldCount == 0 ? 1 : oldCount - left);
    return (int) (kind == HunkLine.Kind.ADDED || oldCount == 0 ? next : next - 1);
  }

  int newNumber(long left, HunkLine.Kind kind) {
    long next = newStart + (newCount == 0 ? 1 : newCount - left);
    return (int) (kind == HunkLine.Kind.DELETED || newCount == 0 ? next : next - 1);
  }

  /** A place in the header of a hunk. */
  private static final class Scan {
    private final String text;
    private int at;

    Scan(String text, int at) {
      this.text = text;
      this.at = at;
    }

    /** -1 if there is none; more than is possible stays what it is. */
    long number() {
      int from = at;
      long value = 0;
      while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        value = Math.min(value * 10 + text.charAt(at++) - '0', 1L << 40);
      }
      return at == from ? -1 : value;
    }

    /** One if it is left out. */
    long count() {
      if (at < text.length() && text.charAt(at) == ',') {
        at++;
        return number();
      }
      return 1;
    }

    boolean expect(String next) {
      boolean right = text.startsWith(next, at);
      at += next.length();
      return right;
    }

    String rest() {
      var rest = at < text.length() ? text.substring(at) : "";
      return PatchNames.decoded(rest.startsWith(" ") ? rest.substring(1) : rest);
    }
  }
}
