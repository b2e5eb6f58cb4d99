package dev.flyball.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.LearnedLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long SECOND = 1_000_000_000L;

  private final Pace pace = new Pace(0);

  @Test
  void before_anything_is_stated_or_felt_it_holds_nothing_back() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(pace.availableAt(i)).isEqualTo(i);
      pace.charge(i);
    }
    assertThat(pace.felt()).isEqualTo(LearnedLimits.Felt.NOTHING);
  }

  @Test
  void a_stated_burst_is_entered_carefully() {
    pace.stated(1_000 / 60e9, 1_000, 0);
    assertThat(goesWithin(0, SECOND / 100)).as("at once").isBetween(6, 9);
    int first = goesWithin(SECOND / 100, SECOND);
    assertThat(first).as("in the first second").isLessThan(60);
    assertThat(goesWithin(SECOND, 8 * SECOND)).as("soon all of it").isGreaterThan(900);
  }

  /** How many calls it lets go from then to then. */
  private int goesWithin(long from, long to) {
    int count = 0;
    long now = Math.max(from, pace.availableAt(from));
    while (now < to && count < 100_000) {
      pace.charge(now);
      count++;
      now = pace.availableAt(now);
    }
    return count;
  }

  @Test
  void a_small_stated_burst_is_never_exceeded() {
    pace.stated(60 / 60e9, 3, 0);
    int count = goesWithin(0, 60 * SECOND);
    assertThat(count).isLessThanOrEqualTo(3 + 60);
  }

  @Test
  void one_that_is_remembered_starts_with_no_more_than_four() {
    pace.remember(new LearnedLimits.Felt(2, 100), 0);
    assertThat(goesWithin(0, SECOND / 10)).isEqualTo(4);
    assertThat(pace.felt().perSecond()).isBetween(2.0, 2.1);
  }

  @Test
  void a_memory_that_says_nothing_is_none() {
    pace.remember(LearnedLimits.Felt.NOTHING, 0);
    assertThat(pace.availableAt(0)).isZero();
    assertThat(pace.felt()).isEqualTo(LearnedLimits.Felt.NOTHING);
  }

  @Test
  void a_silent_limit_is_found_and_kept_to() {
    Seeds.forAll(
        30,
        random -> {
          var silent = new Silent(10, 10, random);
          silent.run(new Pace(0), 60);
          assertThat(silent.answered).as("answered in a minute").isGreaterThan(500);
          assertThat(silent.refused).as("turned away").isLessThan(20);
        });
  }

  @Test
  void a_limit_that_was_felt_is_what_the_next_run_starts_from() {
    Seeds.forAll(
        10,
        random -> {
          var pace = new Pace(0);
          new Silent(10, 10, random).run(pace, 60);
          assertThat(pace.felt().perSecond()).isBetween(8.0, 11.0);
          var next = new Pace(0);
          next.remember(pace.felt(), 0);
          var silent = new Silent(10, 10, random);
          silent.run(next, 30);
          assertThat(silent.refused).isLessThan(8);
          assertThat(silent.answered).isGreaterThan(240);
        });
  }

  /** Attempts in flight, whose marks move when an earlier one is taken back. */
  private static final class Flights {
    private final Pace pace;
    private final List<Flight> flying = new ArrayList<>();

    private static final class Flight {
      final long sentAt;
      long mark;

      Flight(long sentAt, long mark) {
        this.sentAt = sentAt;
        this.mark = mark;
      }
    }

    Flights(Pace pace) {
      this.pace = pace;
    }

    Flight send(long now) {
      var flight = new Flight(now, pace.charge(now));
      flying.add(flight);
      return flight;
    }

    void answered(Flight flight) {
      flying.remove(flight);
    }

    void refused(Flight flight, boolean felt, long now) {
      int at = flying.indexOf(flight);
      var later = flying.subList(at + 1, flying.size());
      pace.giveBack(flight.sentAt, now);
      later.forEach(other -> other.mark--);
      if (felt) {
        long together =
            later.stream().filter(o -> o.sentAt - flight.sentAt <= Pace.TOGETHER).count();
        pace.empty(flight.mark - 1 + together, flight.sentAt, 0, now);
      }
      flying.remove(flight);
    }
  }

  /** A provider that turns calls away above its limit and says nothing. */
  private static final class Silent {
    private final double perSecond;
    private final double burst;
    private final SplittableRandom random;
    private double level;
    private long at;
    private int refused;
    private int answered;

    private record Trip(Flights.Flight flight, long backAt, boolean good) {}

    Silent(double perSecond, double burst, SplittableRandom random) {
      this.perSecond = perSecond;
      this.burst = burst;
      this.random = random;
      this.level = burst;
    }

    private boolean take(long now) {
      level = Math.min(burst, level + perSecond * (now - at) / 1e9);
      at = now;
      boolean room = level >= 1;
      level -= room ? 1 : 0;
      return room;
    }

    /** Sends whenever the pace lets it, at most eight at one time. */
    void run(Pace pace, int seconds) {
      var flights = new Flights(pace);
      var trips = new PriorityQueue<Trip>((a, b) -> Long.compare(a.backAt(), b.backAt()));
      long now = 0;
      while (now < seconds * SECOND) {
        long next = trips.size() < 8 ? pace.availableAt(now) : Long.MAX_VALUE;
        if (!trips.isEmpty() && trips.peek().backAt() <= next) {
          var back = trips.remove();
          now = Math.max(now, back.backAt());
          if (back.good()) {
            answered++;
            flights.answered(back.flight());
          } else {
            refused++;
            flights.refused(back.flight(), true, now);
          }
        } else {
          now = next;
          var flight = flights.send(now);
          boolean good = take(now);
          long trip = (good ? SECOND / 5 : SECOND / 20) + random.nextLong(SECOND / 50);
          trips.add(new Trip(flight, now + trip, good));
        }
      }
    }
  }

  @Test
  void whatever_is_felt_it_stays_a_number_and_lets_calls_go() {
    Seeds.forAll(
        500,
        random -> {
          var any = new Pace(0);
          var flights = new Flights(any);
          long now = 0;
          for (int i = 0; i < 200; i++) {
            now += random.nextLong(random.nextBoolean() ? 1_000 : 2 * SECOND);
            int flying = flights.flying.size();
            switch (random.nextInt(8)) {
              case 0 -> any.stated(random.nextDouble(1, 1e5) / 60e9, 1 + random.nextInt(999), now);
              case 1, 2 -> {
                if (flying > 0) {
                  var flight = flights.flying.get(random.nextInt(flying));
                  flights.refused(flight, random.nextBoolean(), now);
                }
              }
              case 3, 4 -> {
                if (flying > 0) {
                  flights.answered(flights.flying.get(random.nextInt(flying)));
                }
              }
              default -> flights.send(now);
            }
            assertThat(any.availableAt(now)).isGreaterThanOrEqualTo(now);
            var felt = any.felt();
            assertThat(felt.perSecond()).isNotNaN().isNotNegative().isFinite();
            assertThat(felt.burst()).isNotNaN().isNotNegative();
          }
        });
  }
}
