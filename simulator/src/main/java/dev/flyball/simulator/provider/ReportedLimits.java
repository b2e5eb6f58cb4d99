package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.LimitReport;
import dev.flyball.simulator.setting.Headers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The limits of one scope as its replies tell them, which is not always the truth. */
final class ReportedLimits {
  private final Deque<LimitReport> before = new ArrayDeque<>();
  private long replies;

  /** The report in place of this true one; empty if there is none. */
  Optional<LimitReport> instead(LimitReport truth, Headers headers) {
    boolean second = replies++ % 2 == 1;
    if (headers.has(Headers.Bug.STALE) || headers.has(Headers.Bug.OUT_OF_ORDER)) {
      before.addLast(truth);
      int back = headers.has(Headers.Bug.STALE) ? 1 : second ? 2 : 0;
      while (before.size() > 3) {
        before.removeFirst();
      }
      LimitReport[] all = before.toArray(LimitReport[]::new);
      return missing(headers, second, all[Math.max(0, all.length - 1 - back)]);
    }
    return missing(headers, second, truth);
  }

  private static Optional<LimitReport> missing(Headers headers, boolean second, LimitReport said) {
    return headers.has(Headers.Bug.MISSING) && second ? Optional.empty() : Optional.of(said);
  }
}
