package dev.flyball.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long TRIP = SECOND / 5;

  private final Concurrency slots = new Concurrency(512);

  private void take(int count, long now) {
    for (int i = 0; i < count; i++) {
      slots.charge(now);
    }
  }

  /** One of those in flight comes back, answered, and another goes. */
  private void comesBack(long sentAt, long now) {
    int together = slots.inFlight();
    slots.giveBack();
    slots.succeeded(sentAt, together, now);
    slots.charge(now);
  }

  /** One of those in flight comes back because the provider had too much to do. */
  private boolean fails(long sentAt, long now) {
    slots.giveBack();
    return slots.overloaded(sentAt, now);
  }

  @Test
  void four_may_go_at_the_start() {
    for (int i = 0; i < 4; i++) {
      assertThat(slots.availableAt(0)).isZero();
      slots.charge(0);
    }
    assertThat(slots.availableAt(0)).isEqualTo(SECOND * 5 / 4);
  }

  /** A machine that has just started, and has more to do, hears a quick reply a second late. */
  @Test
  void no_more_go_until_a_quick_reply_could_have_been_heard() {
    take(4, 0);
    for (long now = 0; now <= 1.2 * SECOND; now += SECOND / 10) {
      assertThat(slots.limit(now)).isEqualTo(4);
    }
  }

  @Test
  void twice_as_many_may_go_with_each_step_while_no_reply_has_come() {
    take(4, 7);
    int before = 4;
    for (double due : new double[] {1.25, 1.75, 2.25, 2.75}) {
      long step = 7 + (long) (due * SECOND);
      assertThat(slots.limit(step - 1)).isEqualTo(before);
      assertThat(slots.availableAt(step - 1)).isEqualTo(step);
      int now = Math.min(48, 2 * before);
      assertThat(slots.limit(step)).isEqualTo(now);
      take(now - before, step);
      before = now;
    }
    assertThat(slots.limit(7 + SECOND * 15 / 4)).isEqualTo(128);
    assertThat(slots.limit(7 + SECOND * 19 / 4)).isEqualTo(256);
  }

  @Test
  void an_account_that_lets_fifty_go_is_not_overrun_before_it_can_have_answered() {
    take(4, 0);
    for (long now = 0; now < 3 * SECOND; now += SECOND / 10) {
      assertThat(slots.limit(now)).isLessThan(50);
    }
    assertThat(slots.limit(3 * SECOND)).isEqualTo(64);
  }

  @Test
  void the_cold_start_ends_with_the_first_reply() {
    take(4, 0);
    slots.charge(SECOND);
    slots.giveBack();
    slots.succeeded(0, 1, SECOND);
    int limit = slots.limit(SECOND);
    assertThat(slots.limit(60 * SECOND)).isEqualTo(limit);
    take(limit - slots.inFlight(), SECOND);
    assertThat(slots.availableAt(60 * SECOND)).as("until one is back").isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void it_opens_at_once_when_replies_state_the_limits() {
    take(4, 0);
    slots.open();
    assertThat(slots.limit(0)).isEqualTo(512);
  }

  @Test
  void it_doubles_each_round_trip_while_it_is_in_use() {
    take(4, 0);
    comesBack(0, 1);
    long now = 1;
    for (int before = 4; before < 64; before *= 2) {
      now += TRIP;
      for (int i = 0; i < before; i++) {
        comesBack(now - TRIP, now);
      }
      assertThat(slots.limit(now)).isBetween(2 * before - 1, 2 * before + 2);
      take(2 * before - slots.inFlight(), now);
    }
  }

  @Test
  void with_slow_answers_it_doubles_each_round_trip() {
    take(4, 0);
    slots.open();
    slots.restart(0);
    long trip = 10 * SECOND;
    for (int i = 0; i < 4; i++) {
      comesBack(0, trip);
    }
    assertThat(slots.limit(trip)).isBetween(7, 9);
  }

  @Test
  void what_is_not_in_use_does_not_grow() {
    slots.charge(0);
    slots.giveBack();
    slots.succeeded(0, 1, SECOND);
    for (int second = 2; second < 30; second++) {
      slots.charge(second * SECOND - TRIP);
      slots.giveBack();
      slots.succeeded(second * SECOND - TRIP, 1, second * SECOND);
    }
    assertThat(slots.limit(30 * SECOND)).isLessThanOrEqualTo(16);
  }

  @Test
  void an_overload_halves_what_was_in_flight() {
    slots.open();
    take(100, 0);
    assertThat(fails(0, TRIP)).isTrue();
    assertThat(slots.limit(TRIP)).isEqualTo(50);
  }

  @Test
  void it_is_halved_once_a_round_trip() {
    slots.open();
    take(100, 0);
    assertThat(fails(0, TRIP)).isTrue();
    for (int i = 0; i < 30; i++) {
      assertThat(fails(0, TRIP + i)).as("sent before the cut").isFalse();
    }
    assertThat(slots.limit(TRIP)).isEqualTo(50);
    for (int i = 0; i < 30; i++) {
      slots.giveBack();
    }
    slots.charge(2 * TRIP);
    int inFlight = slots.inFlight();
    assertThat(fails(2 * TRIP, 3 * TRIP)).as("sent after it").isTrue();
    assertThat(slots.limit(3 * TRIP)).isEqualTo(inFlight / 2);
  }

  @Test
  void one_may_always_go() {
    slots.open();
    long now = 0;
    for (int i = 0; i < 50; i++) {
      slots.charge(now);
      now += SECOND;
      fails(now - SECOND, now);
    }
    assertThat(slots.limit(now)).isEqualTo(1);
    assertThat(slots.availableAt(now)).isEqualTo(now);
  }

  @Test
  void after_a_cut_it_regains_what_the_provider_could_do_and_tries_one_more_a_round_trip_later() {
    slots.open();
    take(40, 0);
    fails(0, TRIP);
    assertThat(slots.limit(TRIP)).isEqualTo(20);
    while (slots.inFlight() > 20) {
      slots.giveBack();
    }
    long now = TRIP;
    for (int i = 0; i < 20; i++) {
      comesBack(now, now + TRIP);
      take(slots.limit(now) - slots.inFlight(), now);
    }
    assertThat(slots.limit(now)).as("without the one that was turned away").isBetween(39, 40);
    for (int i = 0; i < 40; i++) {
      comesBack(now, now + TRIP);
    }
    assertThat(slots.limit(now)).as("one round trip later").isBetween(40, 41);
  }

  /** Keeps as many in flight as may be, for a time; the provider can do so many. */
  private List<Long> serve(int seats, long from, long to) {
    var refused = new ArrayList<Long>();
    for (long now = from; now < to; now += TRIP) {
      while (slots.availableAt(now) <= now) {
        slots.charge(now);
      }
      int sent = slots.inFlight();
      for (int together = 1; together <= sent; together++) {
        slots.giveBack();
        if (together <= seats) {
          slots.succeeded(now, together, now + TRIP);
        } else {
          slots.overloaded(now, now + TRIP);
          refused.add(now);
        }
      }
    }
    return refused;
  }

  @Test
  void beyond_what_the_provider_could_do_it_is_tried_at_intervals_that_double() {
    serve(10, 0, 10 * SECOND);
    assertThat(slots.limit(10 * SECOND)).isBetween(10, 11);
    var later = serve(10, 10 * SECOND, 600 * SECOND);
    assertThat(later).hasSizeLessThan(15);
    for (int i = 2; i < later.size(); i++) {
      assertThat(later.get(i) - later.get(i - 1))
          .isGreaterThanOrEqualTo(Math.min(60 * SECOND, later.get(i - 1) - later.get(i - 2)));
    }
  }

  @Test
  void when_the_provider_can_do_more_it_goes_on_by_one_a_round_trip() {
    serve(10, 0, 20 * SECOND);
    serve(30, 20 * SECOND, 60 * SECOND);
    assertThat(slots.limit(60 * SECOND)).isBetween(30, 31);
  }

  @Test
  void when_the_provider_can_do_less_it_is_halved_again() {
    serve(40, 0, 20 * SECOND);
    serve(5, 20 * SECOND, 23 * SECOND);
    assertThat(slots.limit(23 * SECOND)).isLessThanOrEqualTo(6);
  }

  /** So many go and are answered a round trip later, and the same again is in flight. */
  private void goesWell(int count) {
    slots.open();
    take(count, 0);
    for (int i = 0; i < count; i++) {
      slots.giveBack();
      slots.succeeded(0, count, TRIP);
    }
    take(count, TRIP);
  }

  @Test
  void a_rate_that_is_known_has_as_many_slots_as_it_needs() {
    slots.rate(150.0 / TRIP);
    goesWell(200);
    fails(TRIP, 2 * TRIP);
    assertThat(slots.limit(2 * TRIP)).as("and not half of 200").isEqualTo(150);
    slots.ceiling(9);
    assertThat(slots.limit(2 * TRIP)).as("but no more than the provider allows").isEqualTo(9);
  }

  @Test
  void a_rate_that_never_went_well_is_no_reason_for_slots() {
    slots.rate(400.0 / TRIP);
    goesWell(100);
    fails(TRIP, 2 * TRIP);
    assertThat(slots.limit(2 * TRIP)).isEqualTo(100);
    fails(2 * TRIP + 1, 3 * TRIP);
    assertThat(slots.limit(3 * TRIP)).as("nothing went well since").isLessThan(100);
  }

  @Test
  void after_an_outage_a_known_rate_gets_its_slots_with_the_first_answer() {
    slots.rate(150.0 / TRIP);
    goesWell(200);
    fails(TRIP, 2 * TRIP);
    slots.restart(3 * TRIP);
    assertThat(slots.limit(3 * TRIP)).isEqualTo(4);
    comesBack(3 * TRIP, 4 * TRIP);
    assertThat(slots.limit(4 * TRIP)).isEqualTo(150);
  }

  @Test
  void limits_that_are_stated_do_not_undo_a_cut() {
    slots.open();
    take(100, 0);
    fails(0, TRIP);
    slots.open();
    assertThat(slots.limit(TRIP)).isEqualTo(50);
  }

  @Test
  void after_an_outage_it_restarts_at_four() {
    slots.open();
    take(100, 0);
    fails(0, TRIP);
    slots.restart(10 * SECOND);
    assertThat(slots.limit(10 * SECOND)).isEqualTo(4);
    slots.open();
    assertThat(slots.limit(10 * SECOND)).as("headers do not open it at once").isEqualTo(4);
  }

  @Test
  void the_cap_is_never_passed() {
    var three = new Concurrency(3);
    assertThat(three.limit(0)).isEqualTo(3);
    three.charge(0);
    assertThat(three.limit(1_000 * SECOND)).isEqualTo(3);
    three.open();
    assertThat(three.limit(0)).isEqualTo(3);
    Seeds.forAll(
        200,
        random -> {
          int cap = 1 + random.nextInt(40);
          var capped = new Concurrency(cap);
          long now = 0;
          for (int i = 0; i < 500; i++) {
            now += random.nextLong(SECOND);
            if (capped.availableAt(now) <= now) {
              capped.charge(now);
            } else if (capped.inFlight() > 0) {
              capped.giveBack();
              switch (random.nextInt(12)) {
                case 0 -> capped.overloaded(now - TRIP, now);
                case 1 -> capped.open();
                case 2 -> capped.restart(now);
                default -> capped.succeeded(now - TRIP, 1 + random.nextInt(cap), now);
              }
            }
            assertThat(capped.inFlight()).isBetween(0, cap);
            assertThat(capped.limit(now)).isBetween(1, cap);
          }
        });
  }

  @Test
  void a_provider_that_counts_what_is_in_flight_has_the_last_word() {
    slots.open();
    slots.ceiling(9);
    assertThat(slots.limit(0)).isEqualTo(9);
    slots.ceiling(0);
    assertThat(slots.limit(0)).as("one may always go").isEqualTo(1);
    slots.ceiling(Integer.MAX_VALUE);
    assertThat(slots.limit(0)).as("but never more than the cap").isEqualTo(512);
  }

  @Test
  void a_cap_of_none_is_refused() {
    assertThatThrownBy(() -> new Concurrency(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("at least 1 may be in flight, but the cap was 0");
  }
}
