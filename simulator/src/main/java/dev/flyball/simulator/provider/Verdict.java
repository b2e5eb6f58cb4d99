package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.LimitSnapshot;
import dev.flyball.simulator.limit.Rejection;

/** The outcome of the arrival of a request. */
public sealed interface Verdict {
  /** It is served, well or badly. */
  record Admitted(Serving serving) implements Verdict {}

  /** It is not, and this is what the limits looked like then. */
  record Rejected(String request, Rejection why, LimitScope scope, LimitSnapshot snapshot)
      implements Verdict {}

  /** Nobody is there to serve it. */
  record Dropped() implements Verdict {}
}
