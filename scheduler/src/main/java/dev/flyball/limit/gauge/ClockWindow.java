package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;

/** What went since the provider's clock last struck. */
final class ClockWindow extends Gauge {
  private final double span;
  private final double phase;
  private double begin = Double.NEGATIVE_INFINITY;
  private double sum;

  /**
   * A window that follows a clock.
   *
   * @param phase a moment at which it begins
   */
  ClockWindow(double span, double phase, boolean inTokens) {
    super(false, inTokens);
    this.span = span;
    this.phase = phase;
  }

  private void roll(double now) {
    if (now >= begin + span) {
      begin = Math.floor((now - phase) / span) * span + phase;
      sum = 0;
    }
  }

  @Override
  double charge(double now, double size) {
    roll(now);
    sum += size;
    return sum;
  }

  @Override
  void undo(double sentAt, double size, double now) {
    roll(now);
    if (sentAt >= begin) {
      sum = Math.max(0, sum - size);
    }
  }

  @Override
  double opensAt(double now, double size, double line) {
    roll(now);
    return sum + size <= line + DUST ? now : begin + span;
  }

  @Override
  LearnedLimits.Shape shape() {
    return new LearnedLimits.Shape(LearnedLimits.Kind.CLOCK_WINDOW, span, phase, false, inTokens());
  }
}
