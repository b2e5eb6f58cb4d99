package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;

/**
 * What went since the window began. It begins with its first call; a call too many may shut it for
 * a time of its own, after which the next one begins.
 */
final class FixedWindow extends Gauge {
  private static final double NEVER = -1e9;

  private final double span;
  private final double penalty;
  private double begin = NEVER;
  private double sum;
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

  /** How long it would be shut by a call too many now, in seconds. */
  double penalty(double now) {
    return now < shutUntil ? 0 : penalty;
  }

  @Override
  double reading(double now, double size) {
    if (now < shutUntil) {
      return SHUT;
    }
    return now >= begin + span ? size : sum + size;
  }

  @Override
  void charge(double now, double size) {
    if (now >= begin + span) {
      begin = now;
      sum = 0;
    }
    sum += size;
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
      begin = sum < DUST ? NEVER : begin;
    }
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
