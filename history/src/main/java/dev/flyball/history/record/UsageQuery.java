package dev.flyball.history.record;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A request for usage: whole UTC hours that touch the time between two moments. */
public record UsageQuery(
    Instant since, Instant until, Set<UsageGrouping> groupings, AnswerOrigin origin) {
  public UsageQuery {
    if (until.isBefore(since)) {
      throw new IllegalArgumentException(
          "usage is asked for from a moment to a later one, but it was " + since + " to " + until);
    }
    groupings =
        Collections.unmodifiableSet(
            groupings.isEmpty() ? EnumSet.noneOf(UsageGrouping.class) : EnumSet.copyOf(groupings));
  }
}
