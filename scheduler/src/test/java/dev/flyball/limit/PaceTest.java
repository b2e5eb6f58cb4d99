package dev.flyball.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long SECOND = 1_000_000_000L;

  private final Pace pace = new Pace(0);

  @Test
  void before_anything_is_stated_it_holds_nothing_back() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(pace.availableAt(i)).isEqualTo(i);
      pace.charge(i);
    }
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
  void once_a_limit_is_felt_it_holds_nothing_back() {
    pace.stated(60 / 60e9, 3, 0);
    pace.end();
    assertThat(goesWithin(0, SECOND)).isEqualTo(100_000);
  }

  @Test
  void whatever_is_stated_it_lets_calls_go() {
    Seeds.forAll(
        500,
        random -> {
          var any = new Pace(0);
          long now = 0;
          int flying = 0;
          for (int i = 0; i < 200; i++) {
            now += random.nextLong(random.nextBoolean() ? 1_000 : 2 * SECOND);
            switch (random.nextInt(4)) {
              case 0 -> any.stated(random.nextDouble(1, 1e5) / 60e9, 1 + random.nextInt(999), now);
              case 1 -> {
                if (flying > 0) {
                  any.giveBack(now);
                  flying--;
                }
              }
              default -> {
                any.charge(now);
                flying++;
              }
            }
            assertThat(any.availableAt(now)).isBetween(now, now + 60 * SECOND);
          }
        });
  }
}
