package dev.flyball.call;

/** Tokens and money that an attempt really used. {@code input} excludes what was cached. */
public record Usage(long input, long cacheRead, long cacheWrite, long output, Cost cost) {
  public static final Usage NONE = of(0, 0);

  public Usage {
    if (input < 0 || cacheRead < 0 || cacheWrite < 0 || output < 0) {
      throw new IllegalArgumentException(
          "used tokens are at least 0, but were "
              + (input + ", " + cacheRead + ", " + cacheWrite + ", " + output));
    }
  }

  public static Usage of(long input, long output) {
    return new Usage(input, 0, 0, output, Cost.NOTHING);
  }

  public Usage costing(Cost amount) {
    return new Usage(input, cacheRead, cacheWrite, output, amount);
  }

  public long tokens() {
    return input + cacheRead + cacheWrite + output;
  }

  public Usage plus(Usage other) {
    return new Usage(
        input + other.input,
        cacheRead + other.cacheRead,
        cacheWrite + other.cacheWrite,
        output + other.output,
        cost.plus(other.cost));
  }
}
