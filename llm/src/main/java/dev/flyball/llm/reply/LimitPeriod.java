package dev.flyball.llm.reply;

import dev.flyball.call.Dimension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The period of a limit: by its word, or guessed from the numbers where a header does not say.
 *
 * <p>For a bucket that refills evenly, {@code reset = period × used ÷ limit}, so one reply gives
 * the period away. But a window that starts anew each minute has other numbers, and some of them
 * look like a bucket's of an hour or a second. A wrong guess is a lane that stands still or that
 * storms; a minute is neither for long, because levels are seen again and again, and the lane
 * learns the period from later replies. So another period is guessed only if a minute cannot
 * explain what was said:
 *
 * <ul>
 *   <li>a longer one if the reset is further away than a minute (and the second or two that whole
 *       seconds of two clocks may add), or than some minutes where nothing is left: a bucket in
 *       debt takes longer than its period to fill;
 *   <li>a day if the numbers fit it exactly and the reset has a unit: 1 of 14,400 that is back in 6
 *       s. No minute has such numbers but by chance, and then a day's worth is still no small
 *       amount. An hour's could be any minute's;
 *   <li>a shorter one if the numbers fit it almost exactly, the reset has a unit (nobody who counts
 *       windows in whole seconds writes one), and at least half is left: a provider that advertises
 *       a minute and lets a second's worth go at once never has that much.
 * </ul>
 */
final class LimitPeriod {
  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration HOUR = Duration.ofHours(1);
  static final Duration DAY = Duration.ofDays(1);

  private static final Duration ROUNDING = Duration.ofSeconds(2);
  private static final Duration LONGEST_UNSAID = Duration.ofHours(26);
  private static final double DEEPEST_DEBT = 300;
  private static final List<Duration> SHORTER = List.of(SECOND, Duration.ofSeconds(10));
  private static final Map<String, Duration> WORDS =
      Map.ofEntries(
          Map.entry("second", SECOND),
          Map.entry("sec", SECOND),
          Map.entry("s", SECOND),
          Map.entry("minute", Dimension.MINUTE),
          Map.entry("min", Dimension.MINUTE),
          Map.entry("m", Dimension.MINUTE),
          Map.entry("hour", HOUR),
          Map.entry("h", HOUR),
          Map.entry("day", DAY),
          Map.entry("d", DAY));

  private LimitPeriod() {}

  /** The period that a word stands for; a minute if it is none. */
  static Duration of(String word) {
    return WORDS.getOrDefault(word, Dimension.MINUTE);
  }

  /**
   * What the numbers tell.
   *
   * @param precise whether the reset was written with its unit
   */
  static Duration guess(
      OptionalLong limit, OptionalLong remaining, Optional<Duration> reset, boolean precise) {
    double seconds = reset.map(LimitPeriod::seconds).orElse(0.0);
    double used = limit.orElse(0) - (double) remaining.orElse(limit.orElse(0));
    double share = used / Math.max(1, limit.orElse(0));
    double even = share > 0 ? seconds / share : 0;
    boolean owes = remaining.isPresent() && remaining.getAsLong() == 0 && seconds < DEEPEST_DEBT;
    if (seconds > 60 + (precise ? 0 : seconds(ROUNDING)) && !owes) {
      return longer(seconds, even);
    }
    if (precise && seconds > 0 && near(even, DAY, 1.001 + 0.0006 / seconds)) {
      return DAY;
    }
    boolean tells = precise && share >= 0.01 && share <= 0.5 && seconds >= 0.005;
    return SHORTER.stream()
        .filter(period -> tells && near(even, period, 1.02 + 0.001 / seconds))
        .findFirst()
        .orElse(Dimension.MINUTE);
  }

  /**
   * A reset, if it makes sense for a limit over a period. A limit that is not used up is full again
   * within its period, give or take what clocks and rounding do; one in debt takes longer.
   */
  static Optional<Duration> sane(
      Optional<Duration> reset, Duration period, OptionalLong remaining) {
    var most =
        remaining.orElse(0) > 0
            ? period.plus(period.dividedBy(4))
            : period.compareTo(Dimension.MINUTE) <= 0
                ? period.multipliedBy(5)
                : period.multipliedBy(2);
    return reset.filter(time -> time.compareTo(most.plus(ROUNDING)) <= 0);
  }

  /** A reset, if it makes sense for a limit whose period nobody has said. */
  static Optional<Duration> sane(Optional<Duration> reset) {
    return reset.filter(time -> time.compareTo(LONGEST_UNSAID) <= 0);
  }

  private static Duration longer(double seconds, double even) {
    for (var period : List.of(Dimension.MINUTE, HOUR, DAY)) {
      if (near(even, period, 1.25)) {
        return period;
      }
    }
    return seconds <= seconds(HOUR) ? HOUR : DAY;
  }

  private static boolean near(double even, Duration period, double factor) {
    return even < seconds(period) * factor && even * factor > seconds(period);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
