package dev.flyball.review.plan;

/**
 * The room that one question has.
 *
 * @param input tokens of code and what is shown beside it
 * @param output tokens of an answer, with whatever is thought before it
 * @param thinking tokens that are expected to be thought before an answer
 * @param files how many there may be
 */
public record PromptRoom(long input, long output, long thinking, int files) {
  /** What a model is asked about at one time, if nothing else limits it. */
  public static final long USUAL_INPUT = 24_000;

  /** What an answer may have, if nothing else is said. */
  public static final long USUAL_OUTPUT = 8_000;

  public PromptRoom(long input, long output, int files) {
    this(input, output, 0, files);
  }

  public PromptRoom {
    if (input < 1 || output < 1 || files < 1) {
      throw new IllegalArgumentException(
          "there is room for at least 1 token of each kind and 1 file, but was for %d, %d and %d"
              .formatted(input, output, files));
    }
  }
}
