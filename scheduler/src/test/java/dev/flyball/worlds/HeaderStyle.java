package dev.flyball.worlds;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;

/** The ways in which limiters tell what they know, as a reader of headers hands them on. */
enum HeaderStyle {
  /** {@code x-ratelimit-*} with whole seconds, rounded up, as the call came in. */
  SECONDS,
  /** The same with milliseconds. */
  MILLIS,
  /** A Unix time rounded up, held against a Date rounded down as the headers were written. */
  EPOCH,
  /** Drafts 6 to 8 with a policy that names the window. */
  POLICY,
  /** Limit and what remains. */
  NO_RESET,
  /** What remains, alone. */
  REMAINING;

  private static final double EPOCH_AT = 0.43;

  /** Whether the period is left to guess. */
  boolean guessed() {
    return this != POLICY;
  }

  /**
   * What the headers of one reply say.
   *
   * @param then what the limiter knew as the call came in
   * @param at when that was, in seconds
   * @param now when the headers are written
   */
  Signals signals(
      HeaderLimiter limiter, String counted, HeaderLimiter.Levels then, double at, double now) {
    long limit = Math.round(limiter.limit);
    var period = guessed() ? Dimension.MINUTE : Duration.ofMillis(Math.round(limiter.span * 1000));
    var dimension = new Dimension(counted, period);
    var seen = Sighting.of(dimension, limit, (long) Math.max(0, Math.floor(then.remaining())));
    if (this == REMAINING) {
      seen = seen.limit(java.util.OptionalLong.empty());
    }
    seen =
        switch (this) {
          case SECONDS, POLICY ->
              seen.resetIn(Duration.ofSeconds((long) Math.ceil(then.reset() - 1e-9)));
          case MILLIS -> seen.resetIn(Duration.ofMillis((long) Math.ceil(then.reset() * 1000)));
          case EPOCH -> {
            double end = Math.ceil(EPOCH_AT + at + then.reset() - 1e-9);
            yield seen.resetIn(
                Duration.ofSeconds((long) Math.max(0, end - Math.floor(EPOCH_AT + now))));
          }
          case NO_RESET, REMAINING -> seen;
        };
    return Signals.of(guessed() ? seen.guessedFrom("x-ratelimit") : seen);
  }
}
