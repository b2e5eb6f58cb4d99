package dev.flyball.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.file.StateFolder;
import dev.flyball.scheduler.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run leaves behind while it goes on. */
class LearnedStoreTest {
  private static final LaneId LANE = LaneId.of("openai", "gpt-5");
  private static final LaneId OTHER = LaneId.of("anthropic", "sonnet-5");

  @TempDir Path folder;
  private final VirtualTime time = new VirtualTime();
  private final List<String> warnings = new ArrayList<>();

  private LearnedStore store() {
    return new LearnedStore(
        Map.of("FLYBALL_STATE", folder.resolve("state").toString()), warnings::add, time);
  }

  private StateFolder state() {
    return StateFolder.at(folder.resolve("state"));
  }

  private Path file() {
    return folder.resolve("state/learned.json");
  }

  private void pass(Duration span) {
    time.in(span.toNanos() / 1e9, () -> {});
    while (time.step(Double.MAX_VALUE)) {}
  }

  private LearnedFile learned(long limit) {
    return learned(LANE, limit);
  }

  private LearnedFile learned(LaneId lane, long limit) {
    var known = new LearnedLimits.Learned(Dimension.REQUESTS, limit, 1);
    return new LearnedFile(
        new LearnedLimits(
            Map.of(
                lane,
                new LearnedLimits.OfLane(
                    List.of(known), LearnedLimits.Felt.NOTHING, Map.of(), 0, time.wall()))),
        Map.of());
  }

  private long kept(LaneId lane) throws IOException {
    return LearnedFile.read(state())
        .lanes()
        .of(lane)
        .map(it -> it.allowances().getFirst().limit())
        .orElse(0L);
  }

  @Test
  void what_is_learned_first_is_written_at_once_and_the_rest_every_few_seconds()
      throws IOException {
    var store = store();
    store.read();
    store.keepNowAndThen(() -> learned(50));
    assertThat(kept(LANE)).isEqualTo(50);

    pass(LearnedStore.APART.minusMillis(1));
    store.keepNowAndThen(() -> learned(60));
    assertThat(kept(LANE)).isEqualTo(50);

    pass(Duration.ofMillis(1));
    store.keepNowAndThen(() -> learned(60));
    assertThat(kept(LANE)).isEqualTo(60);

    store.keep(learned(70));
    assertThat(kept(LANE)).as("at the end nothing waits").isEqualTo(70);
  }

  @Test
  void nothing_is_written_when_nothing_is_new() throws IOException {
    var store = store();
    store.read();
    store.keep(learned(50));
    Files.delete(file());

    for (int i = 0; i < 10; i++) {
      pass(LearnedStore.APART);
      store.keepNowAndThen(() -> learned(50));
    }
    store.keep(learned(50));

    assertThat(file()).doesNotExist();
  }

  @Test
  void before_anything_is_learned_nothing_is_written() {
    var store = store();
    store.read();

    store.keep(
        new LearnedFile(
            new LearnedLimits(Map.of(LANE, LearnedLimits.OfLane.NOTHING.at(time.wall()))),
            Map.of()));

    assertThat(file()).doesNotExist();
  }

  @Test
  void what_was_forgotten_while_a_run_goes_on_stays_forgotten() throws IOException {
    learned(OTHER, 7).write(state());
    var store = store();
    var earlier = store.read();
    Files.delete(file());

    store.keep(learned(50).over(earlier));

    assertThat(LearnedFile.read(state()).lanes().lanes()).containsOnlyKeys(LANE);
  }

  @Test
  void what_another_run_wrote_meanwhile_is_kept() throws IOException {
    var store = store();
    store.read();
    learned(OTHER, 7).write(state());

    store.keep(learned(50));

    assertThat(kept(LANE)).isEqualTo(50);
    assertThat(kept(OTHER)).isEqualTo(7);
  }

  @Test
  void a_disk_that_fails_is_said_once_and_tried_again() throws IOException {
    var store = store();
    // A folder on a disk that is not there.
    Files.createSymbolicLink(folder.resolve("state"), folder.resolve("gone/away"));
    store.read();
    for (int i = 0; i < 5; i++) {
      store.keepNowAndThen(() -> learned(50));
      pass(LearnedStore.APART);
    }
    assertThat(warnings).singleElement().asString().contains("could not be saved", "learned.json");

    Files.delete(folder.resolve("state"));
    store.keepNowAndThen(() -> learned(50));

    assertThat(kept(LANE)).isEqualTo(50);
  }

  @Test
  void a_file_that_cannot_be_understood_is_left_alone_and_said_once() throws IOException {
    Files.createDirectories(folder.resolve("state"));
    Files.writeString(file(), "{\"version\":99}");
    var store = store();

    assertThat(store.read()).isEqualTo(LearnedFile.NOTHING);
    store.keep(learned(50));
    store.keep(learned(60));

    assertThat(file()).hasContent("{\"version\":99}");
    assertThat(warnings).singleElement().asString().contains("was not changed", "--forget");
  }

  @Test
  void no_look_is_taken_between_two_writes() {
    var store = store();
    var looks = new AtomicInteger();
    for (int i = 0; i < 50; i++) {
      store.keepNowAndThen(() -> learned(100 + looks.incrementAndGet()));
      pass(Duration.ofMillis(100));
    }
    assertThat(looks).hasValue(1);
  }

  @Test
  void tokens_of_prompts_are_news_too() throws IOException {
    var store = store();
    store.read();
    Map<String, TokenCounter.Learned> tokens = new HashMap<>();
    tokens.put("m", new TokenCounter.Learned(1.1, 0.1, 5));
    store.keep(new LearnedFile(LearnedLimits.NONE, tokens));

    assertThat(LearnedFile.read(state()).tokens()).isEqualTo(tokens);
  }
}
