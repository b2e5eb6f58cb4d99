package dev.flyball.simulator;

/** What became of a request on arrival. */
sealed interface Verdict {
  /** It is served, well or badly. */
  record Admitted(Serving serving) implements Verdict {}

  /** It is not, and this is what the limits looked like then. */
  record Rejected(String request, Rejection why, Scope scope, Scope.Sight sight)
      implements Verdict {}

  /** Nobody is there to serve it. */
  record Dropped() implements Verdict {}
}
