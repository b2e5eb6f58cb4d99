package dev.flyball.limit.gauge;

/** What is known about the way there and back: how exact any reading can be. */
public final class Network {
  /** Calls that are sent so close together may arrive in any order, in seconds. */
  static final double TOGETHER = 0.025;

  private static final double ON_THE_WIRE = 0.04;

  private double answer;
  private double refusal;

  /** An answer took so long, in seconds. */
  public void answered(double took) {
    answer = answer == 0 ? took : answer + 0.1 * (took - answer);
  }

  /** A refusal took so long, in seconds. */
  public void refused(double took) {
    refusal = Math.max(0.8 * refusal, took);
  }

  /** How long answers take; a second as long as none came. */
  public double answer() {
    return answer == 0 ? 1 : answer;
  }

  /** How long refusals take at the most, of late. */
  public double refusal() {
    return refusal;
  }

  /** Of so many in flight, how many may be on their way back. */
  double onTheWire(double inFlight) {
    return inFlight * Math.min(0.5, refusal / answer());
  }

  /** How exactly so many in flight can be counted, from a twentieth to 1. */
  double sharp(double inFlight) {
    double some = 0.75 * Math.min(1, ON_THE_WIRE * inFlight / answer());
    double many = 0.95 * Math.min(1, onTheWire(inFlight) / 4);
    return 1 - Math.max(some, many);
  }

  /** The part of calls sent together that is certainly still there. */
  double stillThere() {
    return Math.max(0, 1 - 3 * TOGETHER / answer());
  }
}
