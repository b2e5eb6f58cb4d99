package dev.flyball.worlds;

import dev.flyball.call.Dimension;

/**
 * A limit as the provider really keeps it.
 *
 * @param perSecond what refills
 * @param burst how much is there at most
 * @param start how much is there at the start
 * @param window seconds of a fixed window; 0 for a bucket
 * @param asProduced whether it is debited while output is produced, and needs only a level above 0
 */
public record TrueLimit(
    Dimension dimension,
    double perSecond,
    double burst,
    double start,
    double window,
    boolean asProduced) {
  public static TrueLimit bucket(Dimension dimension, double perSecond, double burst) {
    return new TrueLimit(dimension, perSecond, burst, burst, 0, false);
  }

  public TrueLimit startingAt(double level) {
    return new TrueLimit(dimension, perSecond, burst, level, window, asProduced);
  }

  public TrueLimit inWindows(double seconds) {
    return new TrueLimit(dimension, perSecond, burst, start, seconds, asProduced);
  }

  public TrueLimit debitedAsProduced() {
    return new TrueLimit(dimension, perSecond, burst, start, window, true);
  }
}
