package dev.flyball.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What replicas and keepers write, they read again. */
class MessageJsonTest {
  private static final LearnedLimits.OfLane LEARNED =
      new LearnedLimits.OfLane(
          List.of(new LearnedLimits.Learned(Dimension.REQUESTS, 600, 10.5)),
          new LearnedLimits.Felt(
              2,
              3,
              List.of(
                  new LearnedLimits.Explanation(
                      0,
                      new LearnedLimits.Shape(LearnedLimits.Kind.BUCKET, 0.1, 0, false, true),
                      3,
                      0.9))),
          Map.of("kind", 20L),
          0.5,
          Instant.parse("2026-01-01T00:00:00Z"));

  private static final Signals SIGNALS =
      Signals.of(
              Sighting.of(Dimension.TOKENS, 1000, 10)
                  .resetIn(Duration.ofMillis(250))
                  .guessedFrom("x-ratelimit"))
          .retryAfter(Duration.ofSeconds(2))
          .exceeding(Dimension.TOKENS);

  private static final List<FleetMessage.Past> PAST =
      List.of(
          new FleetMessage.Past(
              9, "one", new FleetMessage.Went(1, 8, Estimate.of(900, 100), "kind")),
          new FleetMessage.Past(8, "one", new FleetMessage.Headers(1, 8, SIGNALS)),
          new FleetMessage.Past(7, "two", new FleetMessage.Drop(1, List.of(5L), true)),
          new FleetMessage.Past(
              6, "one", FleetMessage.ended(1, 8, new Reply.Throttled<>("", SIGNALS))));

  static List<FleetMessage.ToKeeper> fromReplicas() {
    var estimate = Estimate.of(900, 100).expecting(50).costingAtMost(new Cost(12));
    var profile = LaneProfile.of(AllowanceTerms.of(Dimension.REQUESTS).limit(5)).inFlight(7);
    var open =
        new FleetMessage.Open(
            1, new LaneId("openai", "small", "ab12", "org"), profile, LEARNED, PAST, List.of(3L));
    return List.of(
        new FleetMessage.Hello(1, "one", "process 1", 2, List.of(open)),
        open,
        new FleetMessage.Ask(1, List.of(new FleetMessage.Wanted(4, estimate, "kind", 60_000))),
        new FleetMessage.Drop(1, List.of(5L), true),
        new FleetMessage.Headers(1, 6, SIGNALS),
        FleetMessage.ended(1, 7, new Reply.Answered<>("", Usage.of(1, 2), SIGNALS)),
        FleetMessage.ended(1, 7, new Reply.Throttled<>("", SIGNALS)),
        FleetMessage.ended(1, 7, new Reply.Broken<>("", true)),
        new FleetMessage.Ping(),
        new FleetMessage.Look(),
        new FleetMessage.Bye());
  }

  static List<FleetMessage.ToReplica> fromKeepers() {
    var shared =
        new FleetView.Shared(
            "lane",
            1,
            2,
            java.util.Optional.of("its turn"),
            java.util.Optional.of(0.5),
            List.of(new FleetView.Limit("requests", 600, 10, 5)));
    return List.of(
        new FleetMessage.Members(3, 1),
        new FleetMessage.Go(1, List.of(new FleetMessage.Departure(4, 123_456_789_012L))),
        new FleetMessage.Standing(1, LEARNED, "output tokens", PAST, true),
        new FleetMessage.Again(1, 4),
        new FleetMessage.Shown(
            new FleetView(
                "me", "here", List.of(new FleetView.Member("me", 1, 2, 3, 4)), List.of(shared))),
        new FleetMessage.Refused("why"));
  }

  @ParameterizedTest
  @MethodSource("fromReplicas")
  void what_a_replica_says_is_read_as_it_was_written(FleetMessage.ToKeeper message)
      throws IOException {
    var line = MessageJson.write(message);
    assertThat(line).doesNotContain("\n");
    assertThat(MessageJson.read(line, FleetMessage.ToKeeper.class)).isEqualTo(message);
  }

  @ParameterizedTest
  @MethodSource("fromKeepers")
  void what_a_keeper_says_is_read_as_it_was_written(FleetMessage.ToReplica message)
      throws IOException {
    assertThat(MessageJson.read(MessageJson.write(message), FleetMessage.ToReplica.class))
        .isEqualTo(message);
  }

  @Test
  void many_messages_in_one_are_read_as_they_were_written() throws IOException {
    var from =
        new RemoteFleet.FromReplica("a.1", 2, new Conversation.Part<>(1, 0, false, fromReplicas()));
    assertThat(MessageJson.read(MessageJson.write(from), RemoteFleet.FromReplica.class))
        .isEqualTo(from);
    var to =
        new RemoteFleet.FromKeeper(
            "k", 2, 12, 30, Map.of("a.1", new Conversation.Part<>(1, 0, false, fromKeepers())));
    assertThat(MessageJson.read(MessageJson.write(to), RemoteFleet.FromKeeper.class)).isEqualTo(to);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{\"t\":\"hello\"",
        "{\"t\":\"java.lang.Runtime\"}",
        "{\"t\":\"drop\",\"lane\":\"x\"}",
        "{\"t\":\"headers\",\"lane\":1,\"number\":1,\"signals\":{\"sightings\":[null]}}"
      })
  void what_nobody_of_us_wrote_is_refused_as_such(String line) {
    assertThatThrownBy(() -> MessageJson.read(line, FleetMessage.ToKeeper.class))
        .isInstanceOf(IOException.class);
  }
}
