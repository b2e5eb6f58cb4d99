package dev.flyball.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static void assertRefused(UnaryOperator<Flyball.Builder> settings, String message) {
    assertThatThrownBy(() -> settings.apply(Flyball.builder()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void impossible_settings_are_refused_with_rule_and_value() {
    assertRefused(
        builder -> builder.mostInFlight(0),
        "at least 1 call may be in flight and 1 wait, but the caps were 0 and 2097152");
    assertRefused(
        builder -> builder.mostWaiting(-3),
        "at least 1 call may be in flight and 1 wait, but the caps were 512 and -3");
    assertRefused(
        builder -> builder.maxWait(Duration.ZERO), "the longest wait is above 0, but was PT0S");
  }

  @Test
  void impossible_profiles_are_refused_with_rule_and_value() {
    assertThatThrownBy(() -> LaneProfile.UNKNOWN.inFlight(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("at least 1 may be in flight, but was OptionalInt[0]");
    var terms = AllowanceTerms.of(Dimension.REQUESTS);
    assertThatThrownBy(() -> LaneProfile.of(terms, terms.limit(5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a dimension has one set of terms, but was [");
  }

  @Test
  void nothing_needs_to_be_set() {
    try (var flyball = Flyball.create()) {
      assertThat(flyball.snapshot().lanes()).isEmpty();
      assertThat(flyball.snapshot().total()).isEqualTo(Metrics.NONE);
      assertThat(flyball.memory()).isEqualTo(LearnedLimits.NONE);
    }
  }
}
