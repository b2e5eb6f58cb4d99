package dev.flyball.gateway.dashboard;

import io.vertx.core.json.JsonArray;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/** A few figures of each of the last seconds, so that a page that is opened has a past. */
final class LastMinutes {
  private static final int SECONDS = 900;
  private static final int MINUTE = 60;

  /** One second: what ended in it, and how many waited at its end. */
  private record Second(long at, long answered, long waiting, long throttled) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Second> past = new ArrayDeque<>();
  private long answered;
  private long throttled;
  private boolean begun;

  /** A second is over. */
  void tick(Instant now, long answeredInAll, long waiting, long throttledInAll) {
    lock.lock();
    try {
      if (begun) {
        past.add(
            new Second(
                now.getEpochSecond(),
                Math.max(0, answeredInAll - answered),
                waiting,
                Math.max(0, throttledInAll - throttled)));
        if (past.size() > SECONDS) {
          past.remove();
        }
      }
      begun = true;
      answered = answeredInAll;
      throttled = throttledInAll;
    } finally {
      lock.unlock();
    }
  }

  /** Answers in the last minute, or as many as that would be if it has not been one yet. */
  double perMinute() {
    lock.lock();
    try {
      long sum = 0;
      int seconds = 0;
      for (var each = past.descendingIterator(); each.hasNext() && seconds < MINUTE; seconds++) {
        sum += each.next().answered();
      }
      return seconds == 0 ? 0 : (double) sum * MINUTE / Math.max(10, seconds);
    } finally {
      lock.unlock();
    }
  }

  /** All of it, or only the last second. */
  JsonArray json(boolean all) {
    lock.lock();
    try {
      var json = new JsonArray();
      if (all) {
        past.forEach(each -> json.add(json(each)));
      } else if (!past.isEmpty()) {
        json.add(json(past.getLast()));
      }
      return json;
    } finally {
      lock.unlock();
    }
  }

  private static JsonArray json(Second each) {
    return new JsonArray()
        .add(each.at())
        .add(each.answered())
        .add(each.waiting())
        .add(each.throttled());
  }
}
