package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;

/**
 * A toy limiter: it adds something up, and would turn a call away when its pointer passed a line.
 * Where the line is it does not know; that is read off it by whoever watches ({@link Jury}).
 *
 * <p>All gauges are fed with the same calls. Each costs the same few operations a call, whatever
 * was before: nothing is replayed but at its first day.
 */
abstract sealed class Gauge
    permits SlidingWindow, FixedWindow, ClockWindow, FadingWindow, CallsInFlight {

  /** What readings may be off by, and still be the same. */
  static final double DUST = 1e-6;

  /** A reading that no line allows: the gauge is shut, whatever is asked. */
  static final double SHUT = 1e6;

  private final boolean countsRefused;
  private final boolean inTokens;

  Gauge(boolean countsRefused, boolean inTokens) {
    this.countsRefused = countsRefused;
    this.inTokens = inTokens;
  }

  /** Whether a call that was turned away counts all the same. */
  final boolean countsRefused() {
    return countsRefused;
  }

  /** Whether it adds up tokens, in units of a usual call, and not calls. */
  final boolean inTokens() {
    return inTokens;
  }

  /** How much of it a call is. */
  final double sizeOf(double tokens) {
    return inTokens ? tokens : 1;
  }

  /**
   * How much less the provider's own pointer may show, because calls do not arrive at the moment at
   * which they are sent.
   */
  double blur(double now) {
    return 0;
  }

  /**
   * Whether a call of then, the last that was counted, may have been sent a little too early for
   * what it waited for, though this gauge let it pass.
   */
  boolean mayBeEarly(double sentAt) {
    return false;
  }

  /** A call goes now: it counts. What is shown with it. */
  abstract double charge(double now, double size);

  /** A call that was sent then was turned away, and does not count. */
  abstract void undo(double sentAt, double size, double now);

  /** When it would let a call of that size pass, if the line were there. */
  abstract double opensAt(double now, double size, double line);

  /** What it is, for the next run. */
  abstract LearnedLimits.Shape shape();
}
