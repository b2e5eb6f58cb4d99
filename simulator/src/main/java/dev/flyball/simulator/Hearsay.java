package dev.flyball.simulator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** What the replies of one scope say of its limits, if that is not always the truth. */
final class Hearsay {
  /**
   * What one reply says.
   *
   * @param admission the limits on admission, which requests are read from
   * @param current the limits when headers are written, which tokens are read from
   */
  record Said(Scope.Sight admission, Scope.Sight current) {}

  private final Deque<Said> before = new ArrayDeque<>();
  private long replies;

  /** What is said where this would be true; empty if nothing is. */
  Optional<Said> instead(Said truth, Headers headers) {
    boolean second = replies++ % 2 == 1;
    if (headers.has(Headers.Bug.STALE) || headers.has(Headers.Bug.OUT_OF_ORDER)) {
      before.addLast(truth);
      int back = headers.has(Headers.Bug.STALE) ? 1 : second ? 2 : 0;
      while (before.size() > 3) {
        before.removeFirst();
      }
      Said[] all = before.toArray(Said[]::new);
      return missing(headers, second, all[Math.max(0, all.length - 1 - back)]);
    }
    return missing(headers, second, truth);
  }

  private static Optional<Said> missing(Headers headers, boolean second, Said said) {
    return headers.has(Headers.Bug.MISSING) && second ? Optional.empty() : Optional.of(said);
  }
}
