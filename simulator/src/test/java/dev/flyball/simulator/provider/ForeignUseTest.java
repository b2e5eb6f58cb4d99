package dev.flyball.simulator.provider;

import static dev.flyball.simulator.provider.SampleRequests.SECOND;
import static dev.flyball.simulator.provider.SampleRequests.admitted;
import static dev.flyball.simulator.provider.SampleRequests.ask;
import static dev.flyball.simulator.provider.SampleRequests.level;
import static dev.flyball.simulator.provider.SampleRequests.rejection;
import static dev.flyball.simulator.provider.SampleRequests.served;
import static dev.flyball.simulator.provider.SampleRequests.small;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Somebody else on the same limits. */
final class ForeignUseTest {
  private static List<LedgerEntry> taken(Provider provider) {
    return provider.ledger().entries().stream()
        .filter(entry -> entry.what() == LedgerEntry.What.FOREIGN)
        .toList();
  }

  private static long sum(Provider provider) {
    return taken(provider).stream().mapToLong(LedgerEntry::amount).sum();
  }

  @ParameterizedTest
  @CsvSource({"0.4, 1", "0.4, 7", "0.25, 3", "1, 5"})
  void they_get_their_share_beside_the_greediest_caller(double share, long seed) {
    Provider provider =
        new Provider(
            Settings.of("unlimited")
                .limit("requests=600/min")
                .burst("requests=10")
                .foreign(share)
                .seed(seed));
    int ours = 0;
    for (long now = 0; now < 100 * SECOND; now += 1_777) {
      ours += admitted(provider, small("c" + now), now) ? 1 : 0;
    }
    // What is wanted in the last second may still be owed.
    assertThat(sum(provider)).isBetween((long) (share * 990), (long) (share * 1_000));
    assertThat(ours + sum(provider)).isBetween(1_000L, 1_010L);
  }

  @Test
  void they_get_their_share_of_tokens_though_we_take_them_one_by_one() {
    Provider provider =
        new Provider(
            Settings.of("unlimited").limit("input=6000/min").burst("input=50").foreign(0.4));
    for (long now = 0; now < 60 * SECOND; now += 3_000) {
      admitted(provider, ask("c" + now, 0, 1, 1, 1), now);
    }
    assertThat(sum(provider)).isBetween(2_360L, 2_400L);
  }

  @Test
  void they_take_no_more_than_their_share_of_an_idle_limit() {
    Provider provider =
        new Provider(Settings.of("unlimited").limit("input=60000/min").foreign(0.4));
    Serving serving = served(provider, small("a"), 0);

    serving.scope().snapshot(600 * SECOND);

    assertThat(sum(provider)).isBetween(239_600L, 240_400L);
    assertThat(level(serving, 600 * SECOND)).isGreaterThan(59_000);
  }

  @Test
  void the_time_before_the_first_request_is_not_made_up_for() {
    Provider provider =
        new Provider(Settings.of("unlimited").limit("requests=600/min").foreign(0.5));
    long late = 60 * SECOND;

    Serving serving = served(provider, small("a"), late);

    assertThat(level(serving, late + 200_000)).isGreaterThan(590);
  }

  @Test
  void the_same_seed_is_the_same_use_however_often_anybody_looks() {
    Settings settings =
        Settings.of("unlimited").limit("input=60000/min").foreign(0.4).seed(3).ledger(1_000_000);
    Provider seldom = new Provider(settings);
    Provider often = new Provider(settings);
    Provider other = new Provider(settings.copy().seed(4));
    for (Provider provider : List.of(seldom, often, other)) {
      served(provider, small("a"), 0);
    }
    for (long now = 0; now < 20 * SECOND; now += 50_000) {
      often.catchUp(now);
    }
    for (Provider provider : List.of(seldom, often, other)) {
      provider.catchUp(20 * SECOND);
    }
    assertThat(taken(often)).isEqualTo(taken(seldom));
    assertThat(taken(other)).isNotEqualTo(taken(seldom));
    assertThat(taken(seldom)).extracting(LedgerEntry::amount).doesNotContain(0L);
  }

  @Test
  void they_hold_their_share_of_the_slots() {
    Provider provider = new Provider(Settings.of("unlimited").limit("in-flight=10").foreign(0.4));
    for (int i = 0; i < 6; i++) {
      served(provider, small("c" + i), 0);
    }
    assertThat(rejection(provider, small("d"), 0).word()).isEqualTo("in-flight");
  }
}
