package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;

/**
 * What went in this window, and of the one before as much as would still be inside if its calls had
 * come evenly: a sliding window that needs two numbers.
 */
final class FadingWindow extends Gauge {
  private final double span;
  private boolean begun;
  private double begin;
  private double sum;
  private double before;

  FadingWindow(double span, boolean countsRefused) {
    super(countsRefused, false);
    this.span = span;
  }

  /** How fast a full one fades, a second. */
  double fades(double line) {
    return line / span;
  }

  private void roll(double now) {
    double ended = begun ? Math.floor((now - begin) / span) : 0;
    if (ended >= 1) {
      before = ended >= 2 ? 0 : sum;
      sum = 0;
      begin += ended * span;
      begun = ended < 2;
    }
  }

  /** What it would show with one more call of that size. */
  private double reading(double now, double size) {
    roll(now);
    return begun ? sum + size + before * (1 - (now - begin) / span) : size;
  }

  @Override
  double charge(double now, double size) {
    double shown = reading(now, size);
    begin = begun ? begin : now;
    begun = true;
    sum += size;
    return shown;
  }

  @Override
  void undo(double sentAt, double size, double now) {
    roll(now);
    if (sentAt >= begin) {
      sum = Math.max(0, sum - size);
    } else {
      before = Math.max(0, before - size);
    }
  }

  @Override
  double opensAt(double now, double size, double line) {
    if (reading(now, size) <= line + DUST) {
      return now;
    }
    double room = line - size - sum;
    if (before > 0 && room >= 0) {
      return begin + span * (1 - room / before);
    }
    return begin + span * (1 + Math.max(0, 1 - (line - size) / Math.max(size, sum)));
  }

  @Override
  LearnedLimits.Shape shape() {
    return new LearnedLimits.Shape(
        LearnedLimits.Kind.FADING_WINDOW, span, 0, countsRefused(), inTokens());
  }
}
