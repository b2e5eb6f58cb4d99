package dev.flyball.review.source;

import java.util.List;

/**
 * A commit of a range.
 *
 * @param subject the first line of its message
 * @param paths what it changed, where it is now; of a merge, nothing
 */
public record Commit(String id, String subject, List<String> paths) {
  public Commit {
    paths = List.copyOf(paths);
  }
}
