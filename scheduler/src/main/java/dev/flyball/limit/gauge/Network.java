package dev.flyball.limit.gauge;

/** What is known about the way there and back: how exact any reading can be. */
public final class Network {
  /** Calls that are sent so close together may arrive in any order, in seconds. */
  static final double TOGETHER = 0.025;

  private static final double ON_THE_WIRE = 0.04;

  /** Calls that go so soon after the first one wait for the same connection. */
  private static final double FIRST = 0.05;

  private static final int ENOUGH = 4;
  private static final double SAME = 1.2;
  private static final double LONGEST_CONNECTING = 1;

  private double answer;
  private double refusal;
  private double begin = Double.NaN;

  /** The quickest answer to one of the first calls, and to all others; and how many these are. */
  private double first = Double.POSITIVE_INFINITY;

  private double quickest = Double.POSITIVE_INFINITY;
  private int others;

  /** A call goes. */
  public void sent(double now) {
    begin = Double.isNaN(begin) ? now : begin;
  }

  /** An answer to a call of then took so long, in seconds. */
  public void answered(double sentAt, double took) {
    answer = answer == 0 ? took : answer + 0.1 * (took - answer);
    if (sentAt <= begin + FIRST) {
      first = Math.min(first, took);
    } else {
      quickest = Math.min(quickest, took);
      others++;
    }
  }

  /**
   * How long the first calls were held up until there was a connection: all of them took clearly
   * longer than later ones.
   */
  double connecting() {
    boolean known = others >= ENOUGH && first < Double.POSITIVE_INFINITY;
    return known ? Math.clamp(first - SAME * quickest, 0, LONGEST_CONNECTING) : 0;
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
