package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;

/** What went in the last so many seconds. */
final class SlidingWindow extends Gauge {
  private final double span;
  private final SentCalls record;

  /** The first call that is still inside. */
  private long first;

  private double sum;

  /** One that has seen nothing; what the record has before its next call is not in it. */
  SlidingWindow(double span, SentCalls record, boolean inTokens) {
    super(false, inTokens);
    this.span = span;
    this.record = record;
    this.first = record.end();
  }

  private void roll(double now) {
    first = Math.max(first, record.begin());
    while (first < record.end() && record.sentAt(first) <= now - span) {
      sum -= amount(first);
      first++;
    }
    if (first == record.end()) {
      sum = 0;
    }
  }

  private double amount(long call) {
    return record.refused(call) ? 0 : sizeOf(record.tokens(call));
  }

  /** Begins with a call that is in the record already. */
  void beginAt(long call) {
    first = call;
    sum = 0;
  }

  @Override
  double blur(double now) {
    roll(now);
    double leaving = 0;
    double edge = now - span + 2 * Families.GUARD;
    for (long i = first; i < record.end() && record.sentAt(i) <= edge; i++) {
      leaving += amount(i);
    }
    return leaving;
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
    if (sentAt > now - span) {
      sum = Math.max(0, sum - size);
    }
  }

  @Override
  double opensAt(double now, double size, double line) {
    roll(now);
    double over = sum + size - line;
    for (long i = first; over > DUST && i < record.end(); i++) {
      over -= amount(i);
      if (over <= DUST) {
        return Math.max(now, record.sentAt(i) + span);
      }
    }
    return now;
  }

  @Override
  LearnedLimits.Shape shape() {
    return new LearnedLimits.Shape(LearnedLimits.Kind.SLIDING_WINDOW, span, 0, false, inTokens());
  }
}
