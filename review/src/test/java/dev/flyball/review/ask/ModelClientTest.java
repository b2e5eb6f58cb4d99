package dev.flyball.review.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.plan.Unit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ModelClientTest {
  private static Unit unit(long output, long mostOutput) {
    return new Unit(
        "unit",
        List.of(),
        Tier.FAST,
        "",
        "",
        List.of(),
        List.of(),
        "",
        "?",
        new Unit.UnitSize(9, 9, output, mostOutput),
        1);
  }

  @Test
  void the_first_attempt_has_half_a_minute_and_the_time_of_half_of_the_longest_answer() {
    assertThat(ModelClient.deadline(unit(0, 8_000), 1)).isEqualTo(Duration.ofSeconds(190));
    assertThat(ModelClient.deadline(unit(6_000, 8_000), 1)).isEqualTo(Duration.ofSeconds(270));
  }

  @Test
  void later_attempts_have_the_time_of_the_longest_answer() {
    for (int attempt = 2; attempt < 6; attempt++) {
      assertThat(ModelClient.deadline(unit(1_000, 8_000), attempt))
          .isEqualTo(Duration.ofSeconds(350));
    }
  }

  @Test
  void no_answer_is_too_long_to_be_waited_for() {
    assertThat(ModelClient.deadline(unit(1, Integer.MAX_VALUE), 2))
        .isGreaterThan(Duration.ofDays(900));
  }
}
