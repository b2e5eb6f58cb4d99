package dev.flyball.publish;

import java.util.List;

/**
 * What came of posting a review.
 *
 * @param comments how many were put beside the code
 * @param known how many findings had theirs already
 * @param resolved how many comments were about what is fixed
 * @param remarks what did not go as it was meant to
 */
public record Posting(
    int comments, int known, int resolved, boolean approved, List<String> remarks, String page) {
  public Posting {
    remarks = List.copyOf(remarks);
  }

  /** In a line for people. */
  public String words() {
    return "posted: %d new comments, %d there already, %d resolved%s%s"
        .formatted(
            comments,
            known,
            resolved,
            approved ? ", approved" : "",
            page.isEmpty() ? "" : " (" + page + ")");
  }
}
