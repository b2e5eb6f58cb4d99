package dev.flyball.call;

/**
 * Tokens and money that an attempt really used.
 *
 * @param input what was read and not cached
 * @param cacheRead what was read from the cache
 * @param cacheWrite what was put into the cache
 * @param cachedForAnHour the part of {@code cacheWrite} that is kept for an hour, and costs more
 * @param output what was produced
 * @param cost what it cost
 */
public record Usage(
    long input, long cacheRead, long cacheWrite, long cachedForAnHour, long output, Cost cost) {
  /** Nothing was used. */
  public static final Usage NONE = of(0, 0);

  /**
   * Checks the counts.
   *
   * @throws IllegalArgumentException if one is below 0, or more is cached for an hour than at all
   */
  public Usage {
    if (input < 0 || cacheRead < 0 || cacheWrite < 0 || output < 0) {
      throw new IllegalArgumentException(
          "used tokens are at least 0, but were "
              + (input + ", " + cacheRead + ", " + cacheWrite + ", " + output));
    }
    if (cachedForAnHour < 0 || cachedForAnHour > cacheWrite) {
      throw new IllegalArgumentException(
          "what is cached for an hour is part of what is cached, but was "
              + (cachedForAnHour + " of " + cacheWrite));
    }
  }

  /**
   * A usage without what is cached for an hour.
   *
   * @param input what was read and not cached
   * @param cacheRead what was read from the cache
   * @param cacheWrite what was put into the cache
   * @param output what was produced
   * @param cost what it cost
   */
  public Usage(long input, long cacheRead, long cacheWrite, long output, Cost cost) {
    this(input, cacheRead, cacheWrite, 0, output, cost);
  }

  /**
   * {@return a usage without cache and cost}
   *
   * @param input what was read
   * @param output what was produced
   */
  public static Usage of(long input, long output) {
    return new Usage(input, 0, 0, output, Cost.NOTHING);
  }

  /**
   * {@return the same usage with a cost}
   *
   * @param amount what it cost
   */
  public Usage costing(Cost amount) {
    return new Usage(input, cacheRead, cacheWrite, cachedForAnHour, output, amount);
  }

  /** {@return everything that was read, from the cache or not} */
  public long prompt() {
    return input + cacheRead + cacheWrite;
  }

  /** {@return everything that was read or produced} */
  public long tokens() {
    return prompt() + output;
  }

  /**
   * {@return the sum}
   *
   * @param other what is added
   */
  public Usage plus(Usage other) {
    return new Usage(
        input + other.input,
        cacheRead + other.cacheRead,
        cacheWrite + other.cacheWrite,
        cachedForAnHour + other.cachedForAnHour,
        output + other.output,
        cost.plus(other.cost));
  }
}
