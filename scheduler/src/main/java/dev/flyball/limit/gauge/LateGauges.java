package dev.flyball.limit.gauge;

import java.util.ArrayList;
import java.util.List;

/**
 * Gauges that come late: they are shown everything that they have missed, as if they had been there
 * from the beginning, and both juries keep of them what they keep of all others.
 */
final class LateGauges {
  private final SentCalls record;
  private final Families families;

  /** The readings of calls whose fate is not known. */
  private final List<CallReadings> open = new ArrayList<>();

  LateGauges(SentCalls record, Families families) {
    this.record = record;
    this.families = families;
  }

  /** The fate of a call is not known yet. */
  void opened(CallReadings call) {
    open.add(call);
  }

  /** It is now. */
  void closed(CallReadings call) {
    open.remove(call);
  }

  /** Gives a gauge a place. */
  void seat(Gauge gauge, double share, Jury first, Jury second) {
    if (gauge instanceof SlidingWindow window) {
      window.beginAt(record.begin());
    }
    int place = families.seat(gauge, share);
    first.seat(place);
    second.seat(place);
    int next = 0;
    for (long call = record.begin(); call < record.end(); call++) {
      double sentAt = record.sentAt(call);
      double size = gauge.sizeOf(record.tokens(call));
      double shown = gauge.charge(sentAt, size);
      next = tell(place, call, shown, next, first, second);
      if (record.refused(call) && !gauge.countsRefused()) {
        gauge.undo(sentAt, size, sentAt);
      }
    }
  }

  /** Gives a bucket of that rate a place. */
  void seatBucket(double rate, int like, double share, double now, Jury first, Jury second) {
    int place = families.seatBucket(rate, like, share);
    boolean countsRefused = families.countsRefused(place);
    first.seat(place);
    second.seat(place);
    int next = 0;
    double level = 0;
    double at = 0;
    for (long call = record.begin(); call < record.end(); call++) {
      double sentAt = record.sentAt(call);
      double shown =
          Math.max(0, level - rate * (sentAt - at)) + families.size(place, record.tokens(call));
      boolean refused = record.refused(call);
      if (!refused || countsRefused) {
        level = shown;
        at = sentAt;
      }
      next = tell(place, call, shown, next, first, second);
    }
    families.bucketLevel(place, Math.max(0, level - rate * (now - at)));
  }

  /** Tells the juries what a gauge showed with a call, or the call itself if it is open. */
  private int tell(int place, long call, double shown, int next, Jury first, Jury second) {
    if (next < open.size() && open.get(next).number() == call) {
      open.get(next).seated(place, shown);
      return next + 1;
    }
    double tokens = record.tokens(call);
    if (record.refused(call)) {
      double sentAt = record.sentAt(call);
      first.missedRefusal(place, sentAt, shown, tokens, record.wasNews(call));
      second.missedRefusal(place, sentAt, shown, tokens, record.wasNews(call));
    } else {
      first.missedLetIn(place, shown, tokens);
      second.missedLetIn(place, shown, tokens);
    }
    return next;
  }
}
