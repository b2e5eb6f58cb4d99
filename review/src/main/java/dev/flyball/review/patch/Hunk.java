package dev.flyball.review.patch;

import java.util.List;

/**
 * A stretch of a file that changed, with some lines around it.
 *
 * @param oldStart the first line of the old side; if that side has none, the line before
 * @param heading what stands behind the second {@code @@}, mostly the head of a function
 */
public record Hunk(
    int oldStart, int oldCount, int newStart, int newCount, String heading, List<HunkLine> lines) {
  public Hunk {
    if (oldStart < 0 || oldCount < 0 || newStart < 0 || newCount < 0) {
      throw new IllegalArgumentException(
          "lines and their counts are not negative, but were -%d,%d +%d,%d"
              .formatted(oldStart, oldCount, newStart, newCount));
    }
    lines = List.copyOf(lines);
  }
}
