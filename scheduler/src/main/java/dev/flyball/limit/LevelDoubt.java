package dev.flyball.limit;

/**
 * The doubt about a level that is reckoned: how far off it was found, over the square root of the
 * time since the last look. It rises fast, with each surprise and each refusal, and fades slowly.
 * With nobody else on the key there are no surprises, and no doubt.
 */
final class LevelDoubt {
  /** Twice a charge after a fifth of a second. */
  private static final double REFUSED = 2 / Math.sqrt(0.2e9);

  private static final double SHORTEST = 5e7;

  private double doubt;

  /** The moment since which the level is less and less sure. */
  private long lookedAt;

  LevelDoubt(long now) {
    lookedAt = now;
  }

  /** The level was looked at. */
  void looked(long at) {
    lookedAt = Math.max(at, lookedAt);
  }

  /** The level was lower, by so much, than was reckoned after a time. */
  void surprise(double shortfall, double time) {
    double felt = 6 * Math.max(0, shortfall) / Math.sqrt(Math.max(time, SHORTEST));
    doubt += (felt > doubt ? 0.1 : 0.02) * (felt - doubt);
  }

  /** A call was turned away though so much was thought to be there. */
  void refused(long charged) {
    doubt = Math.max(1.3 * doubt, REFUSED * charged);
  }

  /** A call was turned away: that is a look too. */
  void lookedAgain(long now) {
    lookedAt = now;
  }

  /**
   * How much more than is needed must be there, to be sure.
   *
   * @param foreign what others take, in units a nanosecond
   * @param each how much they take at a time
   */
  double margin(double foreign, double each, long now) {
    double others = foreign > 0 ? 3 * Math.sqrt(foreign * each) : 0;
    return Math.max(doubt, others) * Math.sqrt((double) (now - lookedAt));
  }
}
