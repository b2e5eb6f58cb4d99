package dev.flyball.review.plan;

/**
 * The room that one question has.
 *
 * @param input tokens of code and what is shown beside it
 * @param output tokens of an answer
 * @param files how many there may be
 */
public record PromptRoom(long input, long output, int files) {
  /** What a model is asked about at one time, if nothing else limits it. */
  public static final long USUAL_INPUT = 24_000;

  /** What an answer may have, if nothing else is said. */
  public static final long USUAL_OUTPUT = 4_000;

  public PromptRoom {
    if (input < 1 || output < 1 || files < 1) {
      throw new IllegalArgumentException(
          "there is room for at least 1 token of each kind and 1 file, but was for %d, %d and %d"
              .formatted(input, output, files));
    }
  }

  PromptRoom files(int most) {
    return new PromptRoom(input, output, most);
  }

  PromptRoom output(long most) {
    return new PromptRoom(input, most, files);
  }

  PromptRoom input(long most) {
    return new PromptRoom(Math.max(1, Math.min(input, most)), output, files);
  }
}
