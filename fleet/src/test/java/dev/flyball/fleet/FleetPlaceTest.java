package dev.flyball.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a fleet meets, as people write it. */
class FleetPlaceTest {
  @Test
  void a_place_is_nowhere_a_machine_or_a_redis() {
    assertThat(FleetPlace.of("none")).isEqualTo(new FleetPlace.Nowhere());
    assertThat(FleetPlace.of("machine?weight=2")).isEqualTo(new FleetPlace.ThisMachine(2));
    assertThat(FleetPlace.of("rediss://me:secret@host:7000/3?name=team&weight=0.5"))
        .isInstanceOfSatisfying(
            FleetPlace.AtRedis.class,
            redis -> {
              assertThat(redis.fleet()).isEqualTo("team");
              assertThat(redis.weight()).isEqualTo(0.5);
              assertThat(redis).hasToString("rediss://host:7000/3?name=team");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nobody",
        "http://host",
        "redis://",
        "redis://u:secret@ho st",
        "redis://host/x",
        "redis://:secret@host?weight=0",
        "redis://:secret@host?weight=NaN",
        "machine?name=a b"
      })
  void what_is_no_place_is_refused_without_its_password(String text) {
    assertThatThrownBy(() -> FleetPlace.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }
}
