package dev.flyball.call;

/** The part of a call that a provider counts in one dimension: before it ran, and after. */
public enum Charge {
  /** One for each call. */
  ONE,
  /** Input that is not read from the cache. */
  INPUT,
  /** Output, at its expected size until it is known. */
  OUTPUT,
  /** Input and output, the latter at its expected size until it is known. */
  INPUT_AND_OUTPUT,
  /** Input and the most output there can be. */
  INPUT_AND_MOST_OUTPUT,
  /** The most output there can be. */
  MOST_OUTPUT,
  /** The larger of the input and the most output there can be. */
  LARGER_OF_INPUT_AND_MOST_OUTPUT;

  /**
   * {@return what a call counts for before it ran}
   *
   * @param estimate its size
   * @param expectedOutput how long its answer is likely to be
   */
  public long before(Estimate estimate, long expectedOutput) {
    return switch (this) {
      case ONE -> 1;
      case INPUT -> estimate.input();
      case OUTPUT -> expectedOutput;
      case INPUT_AND_OUTPUT -> estimate.input() + expectedOutput;
      case INPUT_AND_MOST_OUTPUT -> estimate.most();
      case MOST_OUTPUT -> estimate.maxOutput();
      case LARGER_OF_INPUT_AND_MOST_OUTPUT -> Math.max(estimate.input(), estimate.maxOutput());
    };
  }

  /**
   * {@return what a call counts for after it ran}
   *
   * @param usage what it has used
   */
  public long after(Usage usage) {
    long uncached = usage.input() + usage.cacheWrite();
    return switch (this) {
      case ONE -> 1;
      case INPUT -> uncached;
      case OUTPUT, MOST_OUTPUT -> usage.output();
      case INPUT_AND_OUTPUT, INPUT_AND_MOST_OUTPUT, LARGER_OF_INPUT_AND_MOST_OUTPUT ->
          uncached + usage.output();
    };
  }
}
