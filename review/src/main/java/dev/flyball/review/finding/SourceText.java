package dev.flyball.review.finding;

import java.util.Arrays;

/**
 * A file as it was read: its path inside the repository, its content and its lines. A line ends at
 * a line feed and nowhere else; a carriage return before that is not part of it.
 */
public final class SourceText {
  private final String path;
  private final String content;
  private final int[] starts;

  private SourceText(String path, String content, int[] starts) {
    this.path = path;
    this.content = content;
    this.starts = starts;
  }

  public static SourceText of(String path, String content) {
    var starts = new int[16];
    int lines = 0;
    for (int start = 0; start < content.length(); ) {
      if (lines == starts.length) {
        starts = Arrays.copyOf(starts, 2 * lines);
      }
      starts[lines++] = start;
      int lineFeed = content.indexOf('\n', start);
      start = lineFeed < 0 ? content.length() : lineFeed + 1;
    }
    return new SourceText(path, content, Arrays.copyOf(starts, lines));
  }

  public String path() {
    return path;
  }

  public String content() {
    return content;
  }

  public int lines() {
    return starts.length;
  }

  /** A line by its number, from 1. */
  public String line(int number) {
    if (number < 1 || number > starts.length) {
      throw new IllegalArgumentException(
          "%s has lines 1 to %d, but line %d was asked for".formatted(path, starts.length, number));
    }
    int end = number == starts.length ? content.length() : starts[number] - 1;
    if (number == starts.length && content.endsWith("\n")) {
      end--;
    }
    if (end > starts[number - 1] && content.charAt(end - 1) == '\r') {
      end--;
    }
    return content.substring(starts[number - 1], end);
  }

  /** The line, from 1, that has the character at an offset. */
  public int lineAt(int offset) {
    int found = Arrays.binarySearch(starts, offset);
    return Math.max(1, found < 0 ? -found - 1 : found + 1);
  }

  /** The offset at which a line begins. */
  public int startOf(int line) {
    return starts.length == 0 ? 0 : starts[line - 1];
  }

  @Override
  public String toString() {
    return path + " (" + starts.length + " lines)";
  }
}
