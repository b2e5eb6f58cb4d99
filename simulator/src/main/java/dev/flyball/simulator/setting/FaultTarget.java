package dev.flyball.simulator.setting;

import dev.flyball.simulator.limit.CallAttempt;
import dev.flyball.simulator.value.OptionText;
import java.time.Duration;
import java.util.Optional;

/**
 * The requests that a fault is meant for.
 *
 * @param share of the requests that match, by chance
 * @param attempts only the first so many attempts of each call that limits let pass; 0 is all
 * @param nth only the n-th request of all; 0 is all
 * @param key only of this key; empty is all
 * @param model only of models whose names begin like this
 * @param id only the call that its caller names so; empty is all
 */
record FaultTarget(
    double share,
    int attempts,
    long nth,
    String key,
    String model,
    String id,
    Duration from,
    Optional<Duration> to) {

  boolean hit(CallAttempt call, long count, long now, double chance) {
    return (attempts == 0 || call.met() < attempts)
        && (nth == 0 || nth == count)
        && (key.isEmpty() || CallAttempt.fingerprint(key).equals(call.key()))
        && call.model().startsWith(model)
        && (id.isEmpty() || id.equals(call.id()))
        && now >= OptionText.micros(from)
        && (to.isEmpty() || now < OptionText.micros(to.get()))
        && chance < share;
  }
}
