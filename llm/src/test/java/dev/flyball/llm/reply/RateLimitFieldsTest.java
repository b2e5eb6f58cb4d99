package dev.flyball.llm.reply;

import static dev.flyball.call.Dimension.IN_FLIGHT;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.call.Dimension.TOKENS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits that the IETF's fields tell of, and those of its older drafts. */
class RateLimitFieldsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  private static List<Sighting> seen(String headers) {
    return SignalReader.read(ReplyHeads.of(200, headers)).sightings();
  }

  private static Sighting of(Dimension dimension, long limit, long remaining, String reset) {
    return Sighting.of(dimension, limit, remaining).resetIn(Duration.parse(reset));
  }

  @Test
  void the_ietf_fields_join_policies_and_levels_by_name() {
    assertThat(
            seen(
                """
                RateLimit-Policy: "burst";q=100;w=60,"daily";q=1000;w=86400;qu="requests";pk=:a,b:
                RateLimit: "burst";r=50;t=30
                """))
        .containsExactly(
            of(REQUESTS, 100, 50, "PT30S"),
            new Sighting(
                REQUESTS.per(DAY),
                OptionalLong.of(1000),
                OptionalLong.empty(),
                Optional.empty(),
                Snapshot.UNKNOWN,
                1));
  }

  @Test
  void a_level_without_a_policy_is_a_level() {
    assertThat(seen("RateLimit: \"default\";r=50;t=30"))
        .singleElement()
        .matches(sighting -> sighting.limit().isEmpty() && sighting.remaining().getAsLong() == 50);
  }

  @Test
  void other_units_than_ours_are_left_alone() {
    assertThat(
            seen(
                "RateLimit-Policy: \"a\";q=9;w=60;qu=\"content-bytes\","
                    + " \"b\";q=8;w=60;qu=\"tokens\", \"c\";q=4;qu=\"concurrent-requests\""))
        .extracting(sighting -> sighting.dimension())
        .containsExactly(TOKENS, IN_FLIGHT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RateLimit-Limit: 100, 100;w=3600 | RateLimit-Remaining: 50 | RateLimit-Reset: 5",
        "RateLimit-Limit: 100 | RateLimit-Policy: 100;w=3600 | RateLimit-Remaining: 50"
            + " | RateLimit-Reset: 5",
        "RateLimit-Policy: 100;w=3600 | RateLimit: limit=100, remaining=50, reset=5",
      })
  void older_drafts_are_read_too(String headers) {
    assertThat(seen(headers.replace(" | ", "\n")))
        .containsExactly(of(REQUESTS.per(HOUR), 100, 50, "PT5S"));
  }
}
