package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two keys for one model are one queue: what one cannot do, the other does. */
@Timeout(60)
class SeveralKeysTest {
  private static final String PARKED = ",retry-after=3600";

  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() {
    desk = new CommandDesk(folder.resolve("here"));
    assertThat(desk.folder.toFile().mkdirs()).isTrue();
    desk.environment.put("A", "key-a");
    desk.environment.put("B", "key-b");
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private CommandDesk.Screen batch(String... more) {
    var args = new ArrayList<>(List.of(more));
    args.add("--key-env=A,B");
    args.add("--report=" + desk.file("report.json"));
    return desk.batch(args.toArray(String[]::new));
  }

  private JsonNode report() throws IOException {
    return CommandDesk.JSON.readTree(desk.file("report.json").toFile());
  }

  @ParameterizedTest
  @ValueSource(strings = {"key-a", "key-b"})
  void a_key_that_is_parked_for_an_hour_strands_no_line(String parked) throws Exception {
    desk.provider(
        CommandDesk.quick().latency(Latency.parse("20ms")).fault("429:key=" + parked + PARKED));
    desk.questions(150);
    // Where a first reply takes long, a lane opens by itself.
    desk.environment.put("FLYBALL_CONCURRENCY", "8");

    var screen = batch();

    assertThat(screen.exit()).as(screen.out() + screen.err()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(150));
    assertThat(report().path("skipped").asInt()).isZero();
    assertThat(report().path("throttled").asInt()).as("it is asked no more").isLessThan(10);
  }

  @Test
  void a_key_that_is_parked_in_the_middle_strands_no_line() throws Exception {
    desk.provider(
        CommandDesk.quick()
            .latency(Latency.parse("40ms"))
            .limit("requests=3000/min")
            .burst("requests=10")
            .fault("429:key=key-a,from=500ms" + PARKED));
    desk.questions(120);

    var screen = batch();

    assertThat(screen.exit()).as(screen.out() + screen.err()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(120));
    assertThat(report().path("lanes"))
        .as("both were at work")
        .allMatch(lane -> lane.path("attempts").asInt() > 5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"key-a", "key-b"})
  void a_key_that_is_refused_fails_no_line_and_is_named(String refused) throws Exception {
    desk.provider(CommandDesk.quick().latency(Latency.parse("20ms")).fault("401:key=" + refused));
    desk.questions(60);

    var screen = batch();

    assertThat(screen.exit()).as(screen.out() + screen.err()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(60));
    assertThat(report().path("errored").asInt()).isZero();
    assertThat(report().path("refusedKeys")).hasSize(1);
    assertThat(screen.out() + screen.err()).contains("the other keys were used");
  }

  @Test
  void when_all_keys_are_refused_the_run_ends_as_with_one() throws Exception {
    desk.provider(CommandDesk.quick().latency(Latency.parse("20ms")).fault("401"));
    desk.questions(60);
    desk.environment.put("FLYBALL_CONCURRENCY", "8");

    var screen = batch();

    assertThat(screen.exit()).as(screen.out() + screen.err()).isEqualTo(4);
    assertThat(report().at("/stopped/why").asText()).isEqualToIgnoringCase("key_refused");
    assertThat(desk.simulator().stats().requests()).isLessThan(20);
  }

  @Test
  void when_all_keys_are_parked_the_run_ends_and_says_when_to_resume() throws Exception {
    desk.provider(CommandDesk.quick().latency(Latency.parse("20ms")).fault("429:retry-after=3600"));
    desk.questions(60);

    var screen = batch("--max-wait=15m");

    assertThat(screen.exit()).as(screen.out() + screen.err()).isEqualTo(3);
    assertThat(screen.out() + screen.err()).contains("run the same command after");
  }

  @ParameterizedTest
  @ValueSource(strings = {"429:key=key-a" + PARKED, "401:key=key-a"})
  void a_review_is_answered_by_the_key_that_works(String fault) throws Exception {
    desk.git("init", "-q");
    desk.put("README.md", "words\n");
    desk.commit("first");
    desk.put("a/One.txt", "first line of one\nsecond line of one\n");
    desk.commit("second");
    var answers = folder.resolve("answers.jsonl");
    var clean =
        "{\"reviewed\":\"{{all:(?m)^=====\\\\S+ review (\\\\S+) lines}}\",\"findings\":[],"
            + "\"needsMoreContext\":[]}";
    var line = CommandDesk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", clean);
    Files.writeString(answers, line + "\n");
    desk.provider(CommandDesk.quick().answers(Answers.parse(answers.toString())).fault(fault));

    var screen =
        desk.flyball(
            "review",
            "--diff=HEAD",
            "--format=json",
            "--base-url=" + desk.simulator().uri(),
            "--model=claude-haiku-4-5",
            "--no-history",
            "--key-env=A,B");

    assertThat(screen.exit()).as(screen.out() + screen.err()).isZero();
    assertThat(CommandDesk.JSON.readTree(screen.out()).path("verdict").asText())
        .isEqualTo("approved");
  }
}
