package dev.flyball.limit;

import static dev.flyball.call.Dimension.REQUESTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls that went together, some of them beyond what a small bucket had left. */
class RefusedVolleyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private final Allowance allowance = new Allowance(AllowanceTerms.of(REQUESTS).limit(50), 0, 0);
  private final AttemptsInFlight inFlight = new AttemptsInFlight();

  private AttemptCharges send(long now) {
    var attempt = new AttemptCharges(Call.to(LaneId.of("any", "model")));
    attempt.ask(attempt.call(), false, true, List.of(allowance), 0);
    attempt.sent(0, now);
    allowance.charge(attempt, now);
    inFlight.add(attempt);
    return attempt;
  }

  private void refused(AttemptCharges attempt, long wait, long now) {
    inFlight.remove(attempt);
    allowance.giveBack(attempt, now);
    var empty = Sighting.of(REQUESTS, 50, 0).at(Snapshot.ADMISSION).resetIn(Duration.ofMinutes(1));
    allowance.sighted(empty, attempt, 0, now);
    allowance.turnedAway(attempt, true, wait, now);
  }

  @Test
  void one_that_was_sent_before_an_empty_bucket_was_seen_gives_nothing_back() {
    for (int i = 0; i < 50; i++) {
      send(0);
    }
    var first = send(MILLI);
    var second = send(2 * MILLI);
    var third = send(3 * MILLI);
    // The last one comes back first: nothing was left after the other two had been turned away.
    refused(third, SECOND, 20 * MILLI);
    refused(first, SECOND, 21 * MILLI);
    refused(second, SECOND, 22 * MILLI);
    assertThat(allowance.level(22 * MILLI)).isLessThan(0.1);
  }

  @Test
  void one_that_was_sent_after_that_gives_back_what_it_was_charged() {
    for (int i = 0; i < 50; i++) {
      send(0);
    }
    var first = send(MILLI);
    var second = send(2 * MILLI);
    refused(first, SECOND, 20 * MILLI);
    refused(second, SECOND, 21 * MILLI);
    assertThat(allowance.level(21 * MILLI)).isBetween(0.0, 0.1);
  }

  @Test
  void refusals_on_a_slow_bucket_cost_a_few_calls_and_not_a_third_of_it() {
    for (int i = 0; i < 50; i++) {
      send(0);
    }
    refused(send(2 * MILLI), SECOND, 20 * MILLI);
    long now = SECOND;
    while (allowance.availableAt(1, now) > now) {
      now = allowance.availableAt(1, now);
    }
    // One comes back each 1.2 s. It was twenty seconds when a doubt was worth as much here as in a
    // bucket that earns ten a second.
    assertThat(now).isLessThan(7 * SECOND);
  }
}
