package dev.flyball.review.source;

import java.util.List;

/**
 * A commit of a range.
 *
 * @param subject the first line of its message
 * @param body the rest of it; may be empty
 * @param paths what it changed, where it is now; of a merge, nothing
 */
public record Commit(String id, String subject, String body, List<String> paths) {
  public Commit {
    paths = List.copyOf(paths);
  }
}
