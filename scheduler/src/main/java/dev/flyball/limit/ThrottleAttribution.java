package dev.flyball.limit;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The search for the allowance for which an attempt was turned away: the one that the reply names,
 * else one that it shows to have too little left. A reply that names an allowance and shows that it
 * had enough means a limit that it does not state.
 */
public final class ThrottleAttribution {
  private ThrottleAttribution() {}

  /** Finds the allowance and tells it; empty when none of them was the reason. */
  public static Optional<Allowance> blame(
      List<Allowance> allowances, AttemptCharges attempt, Signals signals, long now) {
    var culprit =
        signals.acceleration() ? Optional.<Allowance>empty() : find(allowances, attempt, signals);
    culprit.ifPresent(
        allowance -> {
          boolean shown = signals.sightings().stream().anyMatch(seen -> shows(seen, allowance));
          long wait = signals.retryAfter().orElse(Duration.ZERO).toNanos();
          allowance.turnedAway(attempt, shown, wait, now);
        });
    return culprit;
  }

  private static Optional<Allowance> find(
      List<Allowance> allowances, AttemptCharges attempt, Signals signals) {
    var named = signals.exceeded();
    if (named.isPresent()) {
      return allowances.stream()
          .filter(some -> some.dimension().equals(named.get()))
          .findFirst()
          .or(() -> allowances.stream().filter(some -> some.mayBeNamed(named.get())).findFirst())
          .filter(some -> some.known() && !hadEnough(some, attempt, signals));
    }
    for (var seen : signals.sightings()) {
      for (var allowance : allowances) {
        if (shows(seen, allowance) && seen.remaining().getAsLong() < needed(allowance, attempt)) {
          return Optional.of(allowance);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean shows(Sighting seen, Allowance allowance) {
    return allowance.isToldBy(seen) && seen.remaining().isPresent();
  }

  private static boolean hadEnough(Allowance allowance, AttemptCharges attempt, Signals signals) {
    long needed = needed(allowance, attempt);
    return signals.sightings().stream()
        .filter(seen -> shows(seen, allowance))
        .anyMatch(seen -> seen.remaining().getAsLong() - seen.rounding() / 2 >= needed);
  }

  private static long needed(Allowance allowance, AttemptCharges attempt) {
    boolean asProduced = allowance.terms().settle() == AllowanceTerms.Settle.AS_PRODUCED;
    return asProduced ? 1 : attempt.charged(allowance);
  }
}
