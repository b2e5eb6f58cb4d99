package dev.flyball.limit.gauge;

/** What all gauges showed when one call went, kept until its fate is known. */
public final class CallReadings {
  /** With the call itself, gauge by gauge. */
  final float[] shown;

  /** The least that the provider's own may have shown; only for the first few, which blur. */
  final float[] least;

  private long number;
  private double sentAt;
  private double tokens;

  /** How much of either jury said no. */
  double[] doubts = new double[2];

  CallReadings(int gauges, int blurred) {
    this.shown = new float[gauges];
    this.least = new float[blurred];
  }

  void begin(long number, double now, double tokens) {
    this.number = number;
    this.sentAt = now;
    this.tokens = tokens;
  }

  public long number() {
    return number;
  }

  public double sentAt() {
    return sentAt;
  }

  double tokens() {
    return tokens;
  }

  /** How much of the more doubtful jury said no. */
  public double doubt() {
    return Math.max(doubts[0], doubts[1]);
  }

  /** A gauge that came late would have shown this. */
  void seated(int gauge, double showing) {
    shown[gauge] = (float) showing;
    if (gauge < least.length) {
      least[gauge] = (float) showing;
    }
  }

  double least(int gauge) {
    return gauge < least.length ? least[gauge] : shown[gauge];
  }

  /** A call before it was turned away, and so did not count. */
  void lower(int gauge, double size) {
    shown[gauge] = (float) Math.max(size, shown[gauge] - size);
    if (gauge < least.length) {
      least[gauge] = (float) Math.max(size, least[gauge] - size);
    }
  }
}
