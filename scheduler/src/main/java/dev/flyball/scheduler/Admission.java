package dev.flyball.scheduler;

import dev.flyball.call.Outcome;
import java.time.Duration;
import java.util.Optional;

/** The answer to "may this call go?". */
public sealed interface Admission<T> {
  /** An answer that stays: the call may go, or never will. */
  sealed interface Decided<T> extends Admission<T> {}

  /** It may, now. */
  record Granted<T>(Permit<T> permit) implements Decided<T> {}

  /** It may not, ever. */
  record Refused<T>(Outcome.Refused<T> outcome) implements Decided<T> {}

  /** Not yet: for that reason, and for so long if it is known, else until something settles. */
  record Wait<T>(Constraint constraint, Optional<Duration> left) implements Admission<T> {}
}
