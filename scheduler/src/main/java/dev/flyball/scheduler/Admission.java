package dev.flyball.scheduler;

import dev.flyball.call.Outcome;
import java.time.Duration;

/** The answer to "may this call go?". */
public sealed interface Admission<T> {
  /** It may, now. */
  record Granted<T>(Permit<T> permit) implements Admission<T> {}

  /** It may not, ever. */
  record Refused<T>(Outcome.Refused<T> outcome) implements Admission<T> {}

  /** Not yet: for that reason, and for so long if it is known, else until something settles. */
  record Wait<T>(Constraint constraint, java.util.Optional<Duration> left)
      implements Admission<T> {}
}
