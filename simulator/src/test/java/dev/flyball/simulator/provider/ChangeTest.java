package dev.flyball.simulator.provider;

import static dev.flyball.simulator.provider.SampleRequests.SECOND;
import static dev.flyball.simulator.provider.SampleRequests.admitted;
import static dev.flyball.simulator.provider.SampleRequests.served;
import static dev.flyball.simulator.provider.SampleRequests.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.simulator.limit.Dimension;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.LimitLevel;
import dev.flyball.simulator.setting.Change;
import dev.flyball.simulator.setting.Profile;
import dev.flyball.simulator.setting.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limits that become others while the provider runs. */
final class ChangeTest {
  private static List<Limit> limits(Settings settings, long now) {
    return served(new Provider(settings), small("a"), now).scope().snapshot(now).all().stream()
        .map(LimitLevel::limit)
        .toList();
  }

  @Test
  void a_limit_changes_when_it_was_told_to() {
    Provider provider =
        new Provider(
            Settings.of("unlimited")
                .limit("requests=600/min")
                .burst("requests=1")
                .change(Change.parse("10s:requests=60/min")));
    int before = 0;
    int after = 0;
    for (long now = 0; now < 20 * SECOND; now += 100_000) {
      if (admitted(provider, small("c" + now), now)) {
        before += now < 10 * SECOND ? 1 : 0;
        after += now < 10 * SECOND ? 0 : 1;
      }
    }
    assertThat(before).isEqualTo(100);
    assertThat(after).isEqualTo(10);
  }

  @Test
  void a_change_of_the_minute_leaves_the_day_alone() {
    Settings settings = Settings.of("groq").change(Change.parse("5s:requests=20/min"));

    assertThat(limits(settings, 5 * SECOND)).extracting(Limit::amount).contains(20L, 1_000L);
    assertThat(limits(settings, 4 * SECOND)).extracting(Limit::amount).contains(30L, 1_000L);
  }

  @Test
  void a_change_to_a_period_that_no_limit_has_means_all_of_them() {
    Settings settings = Settings.of("groq").change(Change.parse("5s:requests=20/hour"));

    assertThat(limits(settings, 5 * SECOND))
        .filteredOn(limit -> limit.dimension() == Dimension.REQUESTS)
        .extracting(Limit::amount)
        .containsExactly(20L, 20L);
    Profile.ModelClass other = settings.profile().classOf("m");
    assertThat(settings.limitsOf(other, 5 * SECOND)).isEqualTo(limits(settings, 5 * SECOND));
  }

  @Test
  void a_change_keeps_the_burst_in_proportion() {
    Settings settings = Settings.of("headerless").change(Change.parse("0s:requests=300/min"));

    assertThat(limits(settings, 0).getFirst().burst()).isEqualTo(5);
    // One that was named stays.
    assertThat(limits(settings.burst("requests=7"), 0).getFirst().burst()).isEqualTo(7);
  }

  @Test
  void what_is_not_limited_cannot_change() {
    Settings settings = Settings.of("unlimited").change(Change.parse("5s:tokens=20/min"));

    assertThatThrownBy(settings::checked)
        .hasMessage(
            "a change is of something that is limited, by the profile or by --limit, not tokens");
  }
}
