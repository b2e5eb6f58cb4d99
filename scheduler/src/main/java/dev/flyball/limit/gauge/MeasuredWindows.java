package dev.flyball.limit.gauge;

/**
 * Windows whose length was measured. When a drought ends, a window ended between the last call that
 * was turned away and the first that was let in: windows of such lengths get a seat. They have to
 * explain all that was before as well, so they are shown it.
 */
final class MeasuredWindows {
  private static final double SHORTEST = 0.7;
  private static final int LENGTHS = 5;

  private final SentCalls record;
  private final Families families;

  /** The moment at which the last window began, as far as droughts tell. */
  private double began = Double.NaN;

  private double ended = Double.NEGATIVE_INFINITY;

  MeasuredWindows(SentCalls record, Families families) {
    this.record = record;
    this.families = families;
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
      seat(window, 0.3 * Families.likely(length), call, first, second);
    }
    boolean usual = Families.usualLengths(least - Families.GUARD, most + 0.05).length > 0;
    int lengths = most < SHORTEST ? 0 : most - least > 0.05 * most ? LENGTHS : 1;
    double share = (usual ? 0.008 : 0.04) / Math.max(1, lengths);
    for (int i = 0; i < lengths; i++) {
      double length = most - (most - least) * i / lengths;
      seat(new FixedWindow(length, 0, false), share, call, first, second);
      seat(new SlidingWindow(length, record, false), share, call, first, second);
    }
    double apart = end - ended;
    if (apart > SHORTEST && apart < 1e6) {
      seat(new ClockWindow(apart, end % apart, false), 0.02, call, first, second);
    }
    ended = end;
    began = call.sentAt();
  }

  /** Shows a gauge everything that it has missed, and counts how often it was wrong. */
  private void seat(Gauge gauge, double share, CallReadings until, Jury first, Jury second) {
    if (gauge instanceof SlidingWindow window) {
      window.beginAt(record.begin());
    }
    double letIn = 1;
    double refused = Double.POSITIVE_INFINITY;
    double wrong = 0;
    for (long call = record.begin(); call < record.end(); call++) {
      double sentAt = record.sentAt(call);
      double shown = gauge.reading(sentAt, 1);
      if (record.refused(call)) {
        if (shown <= letIn) {
          wrong += record.wasNews(call) ? 1 + Math.log(letIn / shown) / Math.log(2) : 0;
          letIn = Math.max(1, shown - 1);
          refused = shown;
        }
        refused = Math.min(refused, shown);
      } else {
        gauge.charge(sentAt, 1);
        if (sentAt < until.sentAt() && shown > letIn) {
          wrong += shown >= refused ? 1 : 0;
          refused = shown >= refused ? shown + 1 : refused;
          letIn = shown;
        }
      }
    }
    int place = families.seat(gauge, share);
    until.begin(place);
    first.seat(place, letIn, refused, wrong);
    second.seat(place, letIn, refused, wrong);
  }
}
