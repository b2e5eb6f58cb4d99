package dev.flyball.review.plan;

/**
 * What one question has room for.
 *
 * @param input tokens of code and what is shown beside it
 * @param output tokens of an answer
 * @param files how many there may be
 */
public record Room(long input, long output, int files) {
  /** What a model is asked about at one time, if nothing else limits it. */
  public static final long USUAL_INPUT = 24_000;

  /** What an answer may have, if nothing else is said. */
  public static final long USUAL_OUTPUT = 4_000;

  public Room {
    if (input < 1 || output < 1 || files < 1) {
      throw new IllegalArgumentException(
          "there is room for at least 1 token of each kind and 1 file, but was for %d, %d and %d"
              .formatted(input, output, files));
    }
  }

  Room files(int most) {
    return new Room(input, output, most);
  }

  Room output(long most) {
    return new Room(input, most, files);
  }

  Room input(long most) {
    return new Room(Math.max(1, Math.min(input, most)), output, files);
  }
}
