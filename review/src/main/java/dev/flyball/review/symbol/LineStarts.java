package dev.flyball.review.symbol;

import java.util.Arrays;

/** The beginnings of the lines of a text. */
final class LineStarts {
  private final int[] starts;
  private final int count;

  LineStarts(String text) {
    int[] found = new int[64];
    int lines = 0;
    for (int start = 0; start < text.length(); ) {
      if (lines == found.length) {
        found = Arrays.copyOf(found, 2 * lines);
      }
      found[lines++] = start;
      int end = text.indexOf('\n', start);
      start = end < 0 ? text.length() : end + 1;
    }
    starts = found;
    count = lines;
  }

  int count() {
    return count;
  }

  /** The line, from one, that has the character at this offset. */
  int at(int offset) {
    int found = Arrays.binarySearch(starts, 0, count, offset);
    return Math.max(1, found < 0 ? -found - 1 : found + 1);
  }

  int start(int line) {
    return starts[line - 1];
  }
}
