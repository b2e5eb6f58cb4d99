package dev.flyball.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.llm.ApiKey;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs leave to the next. */
class LearnedFileTest {
  private static final Instant AT = Instant.parse("2026-11-15T08:19:44.123456Z");
  private static final LaneId LANE = new LaneId("anthropic", "sonnet-5", "0123abcd", "org \"x\" ü");

  @TempDir Path folder;

  private static LearnedLimits.OfLane lane(long limit, Instant at) {
    return new LearnedLimits.OfLane(
        List.of(
            new LearnedLimits.Learned(Dimension.REQUESTS, limit, 0.8333333333333334),
            new LearnedLimits.Learned(Dimension.TOKENS.per(Duration.ofDays(1)), 100_000, 1.157)),
        new LearnedLimits.Felt(
            9.5,
            12,
            List.of(
                new LearnedLimits.Explanation(
                    1,
                    new LearnedLimits.Shape(LearnedLimits.Kind.CLOCK_WINDOW, 60, 12.5, false, true),
                    100,
                    0.75))),
        Map.of("batch", 321L, "", 7L),
        0.4,
        at);
  }

  private static LearnedFile learned(long limit, Instant at) {
    return new LearnedFile(
        new LearnedLimits(Map.of(LANE, lane(limit, at))),
        Map.of("claude-sonnet-5", new TokenCounter.Learned(1.23, 0.04, 56)));
  }

  private StateFolder state() {
    return StateFolder.at(folder);
  }

  private Path file() {
    return folder.resolve("learned.json");
  }

  @Test
  void what_was_written_is_read_back() throws IOException {
    var learned = learned(50, AT);

    learned.write(state());

    assertThat(LearnedFile.read(state())).isEqualTo(learned);
    LearnedFile.NOTHING.write(state());
    assertThat(LearnedFile.read(state())).isEqualTo(LearnedFile.NOTHING);
  }

  @Test
  void where_there_is_no_file_nothing_was_learned() throws IOException {
    assertThat(LearnedFile.read(state())).isEqualTo(LearnedFile.NOTHING);
  }

  @Test
  void folders_are_made_and_nothing_else_is_left_in_them() throws IOException {
    var state = StateFolder.at(folder.resolve("a")).folder("b");

    learned(50, AT).write(state);
    learned(60, AT).write(state);

    try (var files = Files.list(state.path())) {
      assertThat(files).containsExactly(folder.resolve("a/b/learned.json"));
    }
  }

  @Test
  void a_file_that_cannot_be_replaced_leaves_nothing_behind() throws IOException {
    Files.createDirectories(file().resolve("in the way"));

    assertThatThrownBy(() -> learned(50, AT).write(state())).isInstanceOf(IOException.class);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "null",
        "[]",
        "{}",
        "{\"version\":3}",
        "{\"version\":2,\"lanes\":[{}]}",
        "{\"version\":2,\"lanes\":[{\"provider\":\"p\"}]}",
        "{\"version\":2,\"lanes\":[{\"provider\":\"p\",\"at\":\"yesterday\"}]}",
        "{\"version\":2,\"lanes\":[{\"provider\":\"p\",\"at\":\"2026-11-15T08:19:44Z\",\"limits\":[{\"of\":\"x\",\"per\":\"often\"}]}]}",
        "{\"version\":2,\"lanes\":[{\"provider\":\"p\",\"at\":\"2026-11-15T08:19:44Z\",\"limits\":[{\"of\":\"\",\"per\":\"PT1M\"}]}]}"
      })
  void a_file_that_cannot_be_understood_is_said_to_be_so(String text) throws IOException {
    Files.writeString(file(), text);

    assertThatThrownBy(() -> LearnedFile.read(state()))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("(?s)it cannot be read: .*|it is not valid JSON");
  }

  @Test
  void another_version_is_named() throws IOException {
    Files.writeString(file(), "{\"version\":3}");

    assertThatThrownBy(() -> LearnedFile.read(state()))
        .hasMessageContaining("version is 3 and not 2");
  }

  @Test
  void lanes_that_do_not_say_where_they_were_learned_are_nobodys_and_tokens_stay()
      throws IOException {
    Files.writeString(
        file(),
        """
        {"version":1,"lanes":[{"provider":"openai","at":"2026-11-15T08:19:44Z",
          "pace":{"perSecond":2,"burst":1}}],
         "tokens":{"m":{"factor":1.1,"error":0.1,"samples":5}}}
        """);

    var learned = LearnedFile.read(state());

    assertThat(learned.lanes()).isEqualTo(LearnedLimits.NONE);
    assertThat(learned.tokens()).containsEntry("m", new TokenCounter.Learned(1.1, 0.1, 5));
  }

  @Test
  void figures_that_make_no_sense_are_not_believed() throws IOException {
    Files.writeString(
        file(),
        """
        {"version":2,"lanes":[{"provider":"p","at":"2026-11-15T08:19:44Z","ramp":"NaN",
          "outputs":{"a":-5,"b":9000000000000000000,"c":7}}],
         "tokens":{"m":{"factor":-1}}}
        """);

    var learned = LearnedFile.read(state());

    var lane = learned.lanes().of(LaneId.of("p", "")).orElseThrow();
    assertThat(lane.rampShare()).isZero();
    assertThat(lane.outputs()).containsEntry("a", 0L).containsEntry("b", 1L << 40);
    assertThat(lane.outputs()).containsEntry("c", 7L);
    assertThat(new TokenCounter(learned.tokens()).learned()).isEmpty();
  }

  @Test
  void whoever_reads_while_it_is_replaced_sees_one_of_them_whole() throws Exception {
    learned(1, AT).write(state());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writing =
          threads.submit(
              () -> {
                for (int i = 2; i < 200; i++) {
                  learned(i, AT).write(state());
                }
                return null;
              });
      do {
        assertThat(LearnedFile.read(state()).lanes().of(LANE)).isPresent();
      } while (!writing.isDone());
      writing.get(5, TimeUnit.SECONDS);
    }
  }

  @Test
  void of_a_lane_that_two_runs_know_the_newest_counts() {
    var older = learned(50, AT);
    var newer = learned(60, AT.plusSeconds(1));

    assertThat(newer.over(older).lanes()).isEqualTo(newer.lanes());
    assertThat(older.over(newer).lanes()).isEqualTo(newer.lanes());
    assertThat(newer.over(LearnedFile.NOTHING)).isEqualTo(newer);
    assertThat(LearnedFile.NOTHING.over(newer)).isEqualTo(newer);
  }

  @Test
  void what_only_one_run_knows_is_kept() {
    var other = LaneId.of("openai", "gpt-5");
    var others =
        new LearnedFile(
            new LearnedLimits(Map.of(other, lane(7, AT))),
            Map.of(
                "gpt-5",
                new TokenCounter.Learned(1, 0.1, 2),
                "claude-sonnet-5",
                new TokenCounter.Learned(9, 0.1, 2)));

    var both = learned(50, AT).over(others);

    assertThat(both.lanes().lanes()).containsOnlyKeys(LANE, other);
    assertThat(both.tokens()).containsOnlyKeys("gpt-5", "claude-sonnet-5");
    assertThat(both.tokens())
        .containsEntry("claude-sonnet-5", new TokenCounter.Learned(1.23, 0.04, 56));
  }

  @Test
  void no_key_is_ever_in_the_file() throws IOException {
    var key = ApiKey.of("sk-hunter2hunter2");
    var lane = new LaneId("p", "m", key.fingerprint(), "");

    new LearnedFile(new LearnedLimits(Map.of(lane, lane(1, AT))), Map.of()).write(state());

    assertThat(Files.readString(file())).contains(key.fingerprint()).doesNotContain("hunter2");
  }
}
