package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;

/** What is in flight. Unlike the others it opens when something comes back, not by the clock. */
final class CallsInFlight extends Gauge {
  private int inFlight;

  CallsInFlight() {
    super(false, false);
  }

  void set(int count) {
    inFlight = count;
  }

  @Override
  double charge(double now, double size) {
    return inFlight + 1;
  }

  @Override
  void undo(double sentAt, double size, double now) {}

  @Override
  double opensAt(double now, double size, double line) {
    return inFlight + 1 <= line + DUST ? now : Double.POSITIVE_INFINITY;
  }

  @Override
  LearnedLimits.Shape shape() {
    return new LearnedLimits.Shape(LearnedLimits.Kind.IN_FLIGHT, 0, 0, false, false);
  }
}
