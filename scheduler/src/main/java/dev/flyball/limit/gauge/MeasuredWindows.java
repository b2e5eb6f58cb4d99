package dev.flyball.limit.gauge;

/**
 * Windows whose length was measured. When a drought ends, a window ended between the last call that
 * was turned away and the first that was let in: windows of such lengths get a seat. They have to
 * explain all that was before as well ({@link LateGauges}).
 */
final class MeasuredWindows {
  private static final double SHORTEST = 0.7;
  private static final int LENGTHS = 5;

  private final SentCalls record;
  private final LateGauges late;

  /** The moment at which the last window began, as far as droughts tell. */
  private double began = Double.NaN;

  private double ended = Double.NEGATIVE_INFINITY;

  MeasuredWindows(SentCalls record, LateGauges late) {
    this.record = record;
    this.late = late;
  }

  /**
   * A drought ended with a call.
   *
   * @param lastRefused when the last one was sent that was turned away
   */
  void droughtEnded(CallReadings call, double lastRefused, Jury first, Jury second) {
    double end = call.sentAt() - 1e-3;
    if (Double.isNaN(began)) {
      began = record.sentAt(record.begin());
    }
    if (end - ended < 0.5) {
      return;
    }
    double most = end - began;
    double least = Math.max(0.1 * most, lastRefused - began);
    double since = end - Math.max(began, lastRefused);
    for (double length : Families.usualLengths(0.5 * since, 3 * most)) {
      var window = new ClockWindow(length, end % length, false);
      late.seat(window, 0.3 * Families.likely(length), first, second);
    }
    boolean usual = Families.usualLengths(least - Families.GUARD, most + 0.05).length > 0;
    int lengths = most < SHORTEST ? 0 : most - least > 0.05 * most ? LENGTHS : 1;
    double share = (usual ? 0.008 : 0.04) / Math.max(1, lengths);
    for (int i = 0; i < lengths; i++) {
      double length = most - (most - least) * i / lengths;
      late.seat(new FixedWindow(length, 0, false), share, first, second);
      late.seat(new SlidingWindow(length, record, false), share, first, second);
    }
    double apart = end - ended;
    if (apart > SHORTEST && apart < 1e6) {
      late.seat(new ClockWindow(apart, end % apart, false), 0.02, first, second);
    }
    ended = end;
    began = call.sentAt();
  }
}
