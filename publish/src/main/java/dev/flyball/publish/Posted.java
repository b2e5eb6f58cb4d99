package dev.flyball.publish;

import java.util.List;
import java.util.Optional;

/**
 * What of ours is at a pull request already. What others wrote is not in it, whatever it looks
 * like.
 *
 * @param approval the approval of ours that stands, if one does
 */
public record Posted(Optional<Summary> summary, List<Comment> comments, Optional<String> approval) {
  /** Nothing yet. */
  public static final Posted NOTHING = new Posted(Optional.empty(), List.of(), Optional.empty());

  /** The one summary, which is written again at every review. */
  public record Summary(String id, Marker marker, String body) {}

  /** A comment beside the code, about one finding. */
  public record Comment(String finding, String thread, boolean resolved) {}

  public Posted {
    comments = List.copyOf(comments);
  }

  /** Whether a review that was complete has been posted of a commit. */
  public boolean has(String head) {
    return summary
        .map(Summary::marker)
        .filter(it -> it.head().equals(head) && it.complete())
        .isPresent();
  }
}
