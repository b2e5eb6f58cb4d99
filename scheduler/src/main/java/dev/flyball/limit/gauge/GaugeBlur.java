package dev.flyball.limit.gauge;

/**
 * How wrong a gauge was, in view of how exactly it can be read.
 *
 * <p>What is counted here is not quite what the provider counts: calls that are sent together
 * arrive in any order, a window's edge moves by the way there, and replies that are on the wire
 * count here and no longer there. Being wrong by less than that is being wrong by a part.
 */
final class GaugeBlur {
  /** How much a bucket may be off for each call a second, in calls: what jitter adds up to. */
  private static final double JITTER = 0.02;

  private static final double PART_OF_A_CALL = 0.3;

  private final Families families;
  private final Network network;

  GaugeBlur(Families families, Network network) {
    this.families = families;
    this.network = network;
  }

  /** How far below a reading that was turned away one that is let in says nothing new. */
  double edge(int gauge) {
    return 2 * JITTER * families.rate[gauge];
  }

  /** Of calls that were sent together, how many count as having been before. */
  double bunched(int gauge, double together) {
    double rate = families.rate[gauge];
    if (rate > 0) {
      return Math.max(0, together - Network.TOGETHER * rate);
    }
    return gauge == families.inFlight ? Math.floor(together * network.stillThere()) : together;
  }

  /** How wrong one was that would not have let a call in, from 0 to 1. */
  double tooStrict(int gauge, double shown, double lowestRefused) {
    double by = shown - lowestRefused;
    double rate = families.rate[gauge];
    if (rate > 0) {
      return Math.min(1, by / (1 + JITTER * rate));
    }
    if (gauge == families.inFlight) {
      return isFarAbove(shown, lowestRefused) ? 1 : network.sharp(shown);
    }
    double fades = families.fades(gauge, shown);
    return fades > 0 ? Math.min(1, (by + 0.2) / (0.2 + Network.TOGETHER * fades)) : 1;
  }

  /** Whether more were let in than what is on the wire explains. */
  boolean isFarAbove(double inFlight, double lowestRefused) {
    return inFlight > lowestRefused + 1 + network.onTheWire(inFlight);
  }

  /** How wrong one was that would have let a call in which was turned away, from 0. */
  double tooLax(int gauge, double shown, double line, double size) {
    double rate = families.rate[gauge];
    if (rate > 0) {
      double blur = Math.min(JITTER * rate, shown - size);
      return Math.min(1, (line - shown + PART_OF_A_CALL) / (PART_OF_A_CALL + blur));
    }
    if (gauge == families.inFlight) {
      return tooManyInFlight(shown, line);
    }
    // A window does not shrink from a hundred to five.
    double shrunk = 1 + Math.log(line / shown) / Math.log(2);
    double fades = families.fades(gauge, line);
    return fades > 0
        ? shrunk * Math.min(1, (line - shown + 0.2) / (0.2 + Network.TOGETHER * fades))
        : shrunk;
  }

  private double tooManyInFlight(double shown, double line) {
    if (shown < 1.5) {
      // Nothing else was in flight: this cannot have been the reason.
      return 2;
    }
    double blur = 1 + network.onTheWire(shown);
    double sharp = network.sharp(shown);
    return line - shown <= blur ? sharp : Math.min(1, sharp + (line - shown) / (4 * blur));
  }

  /**
   * How far below a reading that was turned away calls stay from now on.
   *
   * @param trouble how often calls were turned away of late: buckets keep so much more room, and
   *     never less than what jitter may take from them
   */
  double stepBack(int gauge, double shown, double trouble) {
    if (families.rate[gauge] > 0) {
      return Math.max(trouble, edge(gauge));
    }
    double fades = families.fades(gauge, shown);
    return fades > 0 ? Math.min(1, 0.1 + 2 * Network.TOGETHER * fades) : 1;
  }
}
