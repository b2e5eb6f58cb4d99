package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;

/** A level that each call raises and that leaks steadily: so many a second, with some at once. */
final class LeakyBucket extends Gauge {
  private final double rate;
  private double level;
  private double at;

  LeakyBucket(double rate, boolean countsRefused, boolean inTokens) {
    super(countsRefused, inTokens);
    this.rate = rate;
  }

  double rate() {
    return rate;
  }

  private void roll(double now) {
    if (now > at) {
      level = Math.max(0, level - rate * (now - at));
      at = now;
    }
  }

  @Override
  double reading(double now, double size) {
    roll(now);
    return level + size;
  }

  @Override
  void charge(double now, double size) {
    roll(now);
    level += size;
  }

  @Override
  void undo(double sentAt, double size, double now) {
    roll(now);
    level = Math.max(0, level - size);
  }

  @Override
  double opensAt(double now, double size, double line) {
    roll(now);
    double over = level + size - line;
    return over <= DUST ? now : now + over / rate;
  }

  @Override
  LearnedLimits.Shape shape() {
    return new LearnedLimits.Shape(
        LearnedLimits.Kind.BUCKET, 1 / rate, 0, countsRefused(), inTokens());
  }
}
