package dev.flyball.call;

/**
 * Tokens and money that an attempt really used. {@code input} excludes what was cached.
 *
 * @param cacheWrite what was put into the cache
 * @param cachedForAnHour the part of {@code cacheWrite} that is kept for an hour, and costs more
 */
public record Usage(
    long input, long cacheRead, long cacheWrite, long cachedForAnHour, long output, Cost cost) {
  public static final Usage NONE = of(0, 0);

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

  public Usage(long input, long cacheRead, long cacheWrite, long output, Cost cost) {
    this(input, cacheRead, cacheWrite, 0, output, cost);
  }

  public static Usage of(long input, long output) {
    return new Usage(input, 0, 0, output, Cost.NOTHING);
  }

  public Usage costing(Cost amount) {
    return new Usage(input, cacheRead, cacheWrite, cachedForAnHour, output, amount);
  }

  /** Everything that was read, from the cache or not. */
  public long prompt() {
    return input + cacheRead + cacheWrite;
  }

  public long tokens() {
    return prompt() + output;
  }

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
