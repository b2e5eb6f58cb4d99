package dev.flyball.history.store;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.RunStart;
import java.util.Comparator;

/** The sums over the attempts of one hour that are alike in everything usage is grouped by. */
final class HourSums {
  private static final long MILLIS_PER_HOUR = 3_600_000;

  /**
   * The values that they share. Keys are ordered, so that two writers never wait for each other.
   */
  record Key(
      long hour,
      int simulated,
      String model,
      String mode,
      String lens,
      String repository,
      String lane,
      String tenant)
      implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparingLong(Key::hour)
            .thenComparingInt(Key::simulated)
            .thenComparing(Key::model)
            .thenComparing(Key::mode)
            .thenComparing(Key::lens)
            .thenComparing(Key::repository)
            .thenComparing(Key::lane)
            .thenComparing(Key::tenant);

    static Key of(RunStart run, AttemptRecord attempt) {
      var call = attempt.call();
      return new Key(
          HourSums.hour(attempt.at().toEpochMilli()),
          run.origin().code(),
          call.model(),
          run.mode(),
          call.lens(),
          run.repository(),
          call.lane(),
          call.tenant());
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  long attempts;
  long answered;
  long throttled;
  long retried;
  Usage usage = Usage.NONE;
  long wasted;
  long mostTokens;
  long latency;
  long longest;
  long unpriced;

  static long hour(long millis) {
    return Math.floorDiv(millis, MILLIS_PER_HOUR);
  }

  void add(AttemptRecord attempt) {
    var cost = attempt.cost();
    var used = attempt.usage().costing(cost.orElse(Cost.NOTHING));
    long millis = attempt.latency().toMillis();
    attempts++;
    retried += attempt.number() > 1 ? 1 : 0;
    unpriced += cost.isEmpty() ? 1 : 0;
    usage = usage.plus(used);
    mostTokens = Math.max(mostTokens, used.tokens());
    latency += millis;
    longest = Math.max(longest, millis);
    switch (attempt.outcome()) {
      case ANSWERED -> answered++;
      case THROTTLED -> {
        throttled++;
        wasted += used.tokens();
      }
      case OVERLOADED, BROKEN, CUT_SHORT, REJECTED -> wasted += used.tokens();
    }
  }
}
