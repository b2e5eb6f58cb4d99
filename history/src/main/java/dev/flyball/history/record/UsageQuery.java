package dev.flyball.history.record;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Which usage is asked for: whole UTC hours that touch the time between two moments. */
public record UsageQuery(Instant since, Instant until, Set<UsageGrouping> by, AnswerOrigin origin) {
  public UsageQuery {
    if (until.isBefore(since)) {
      throw new IllegalArgumentException(
          "usage is asked for from a moment to a later one, but it was " + since + " to " + until);
    }
    by =
        Collections.unmodifiableSet(
            by.isEmpty() ? EnumSet.noneOf(UsageGrouping.class) : EnumSet.copyOf(by));
  }
}
