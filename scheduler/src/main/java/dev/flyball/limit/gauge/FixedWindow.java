package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;

/**
 * What went since the window began. It begins with its first call; a call too many may shut it for
 * a time of its own, after which the next one begins.
 *
 * <p>The provider's begins when that call arrives. The first of all makes a connection on its way,
 * and any may be held up, so a call that is sent when the window has just ended may still be
 * inside. If it is turned away, the window goes on for a little, and then for a little more.
 */
final class FixedWindow extends Gauge {
  private static final double NEVER = -1e9;

  /** A call arrives no later than that after it was sent, or than such a part of the window. */
  private static final double LATEST = 0.5;

  private static final double LATEST_PART = 0.1;
  private static final double A_LITTLE = 0.1;

  private final double span;
  private final double penalty;
  private double begin = NEVER;
  private double sum;

  /** By how much it goes on for longer than its span. */
  private double late;

  /** The window before this one. */
  private double beginBefore = NEVER;

  private double sumBefore;
  private double lateBefore;
  private double shutUntil = NEVER;

  /**
   * A window that has not begun.
   *
   * @param penalty how long a call too many shuts it; 0 if it does not
   */
  FixedWindow(double span, double penalty, boolean inTokens) {
    super(false, inTokens);
    this.span = span;
    this.penalty = penalty;
  }

  boolean punishes() {
    return penalty > 0;
  }

  /** How long it would be shut by a call too many now, in seconds. */
  double penalty(double now) {
    return now < shutUntil ? 0 : penalty;
  }

  @Override
  double charge(double now, double size) {
    if (now >= begin + span) {
      beginBefore = begin;
      sumBefore = sum;
      lateBefore = late;
      begin = now;
      sum = 0;
      late = 0;
    }
    sum += size;
    return now < shutUntil ? SHUT : sum;
  }

  @Override
  void undo(double sentAt, double size, double now) {
    if (penalty > 0) {
      if (sentAt >= shutUntil) {
        shutUntil = sentAt + penalty;
        begin = NEVER;
        sum = 0;
      }
    } else if (sentAt >= begin) {
      sum = Math.max(0, sum - size);
      if (sum < DUST) {
        goOn();
      }
    }
  }

  /**
   * The call that would have begun this one was turned away: perhaps the one before is not over.
   */
  private void goOn() {
    if (mayBeEarly(begin)) {
      double by = begin - (beginBefore + span) + Math.max(A_LITTLE, lateBefore);
      late = lateBefore + by;
      begin = beginBefore + by;
      sum = sumBefore;
    } else {
      begin = NEVER;
    }
  }

  @Override
  boolean mayBeEarly(double sentAt) {
    double ended = beginBefore + span - lateBefore;
    return sentAt == begin && sentAt - ended <= Math.min(LATEST, LATEST_PART * span);
  }

  @Override
  double opensAt(double now, double size, double line) {
    if (now < shutUntil) {
      return shutUntil;
    }
    return now >= begin + span || sum + size <= line + DUST ? now : begin + span;
  }

  @Override
  LearnedLimits.Shape shape() {
    var kind = penalty > 0 ? LearnedLimits.Kind.PENALTY_WINDOW : LearnedLimits.Kind.FIXED_WINDOW;
    return new LearnedLimits.Shape(kind, span, penalty, false, inTokens());
  }
}
