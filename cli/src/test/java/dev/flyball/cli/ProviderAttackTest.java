package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.run.RunBounds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Providers that mean harm, against a whole batch in a process of 256 MiB: none of them may hold it
 * beyond its deadline, take its memory, have a call answered twice or lose one.
 */
final class ProviderAttackTest {
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final int GOOD = 3;

  @TempDir private static Path folder;
  private static final Map<HostileProvider.Way, HostileProvider> providers =
      new EnumMap<>(HostileProvider.Way.class);
  private static Process runs;
  private static Process told;
  private static HostileProvider harmless;
  private static HostileProvider dripping;

  @BeforeAll
  static void start() throws Exception {
    var words = new ArrayList<>(List.of("dev.flyball.cli.HostileRuns", folder.toString()));
    harmless = HostileProvider.start(HostileProvider.Way.NEVER_ANSWERS, HostileRuns.LINES);
    words.add(harmless.address());
    for (var way : HostileProvider.Way.values()) {
      var provider = HostileProvider.start(way);
      providers.put(way, provider);
      words.add(provider.address());
    }
    runs = java(folder, "runs.txt", words.toArray(String[]::new));
    dripping = HostileProvider.start(HostileProvider.Way.DRIPS_BLANKS, GOOD);
    var apart = Files.createDirectory(folder.resolve("told"));
    var lines = new ArrayList<String>();
    for (int i = 0; i < GOOD + 2; i++) {
      lines.add(CommandDesk.openAi("q" + i, "m", "say " + i));
    }
    Files.write(apart.resolve("in.jsonl"), lines);
    told =
        java(
            apart,
            "screen.txt",
            "dev.flyball.cli.Main",
            "batch",
            "in.jsonl",
            "-o",
            "out.jsonl",
            "--base-url",
            dripping.address(),
            "--concurrency=1",
            "--no-history");
  }

  private static Process java(Path where, String screen, String... words) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command).directory(where.toFile()).redirectErrorStream(true);
    builder.environment().put("XDG_STATE_HOME", where.resolve("state").toString());
    builder.redirectOutput(where.resolve(screen).toFile());
    return builder.start();
  }

  @AfterAll
  static void end() throws Exception {
    runs.destroyForcibly();
    told.destroyForcibly();
    dripping.close();
    harmless.close();
    for (var provider : providers.values()) {
      provider.close();
    }
  }

  private static void awaitRuns() throws Exception {
    assertThat(runs.waitFor(3, TimeUnit.MINUTES)).as("the runs end").isTrue();
    var screen = Files.readString(folder.resolve("runs.txt"));
    assertThat(screen).doesNotContain("OutOfMemoryError", "StackOverflowError");
    assertThat(folder.resolve("ended")).as(screen).exists();
  }

  private static List<String> ids(Path file) throws IOException {
    var ids = new ArrayList<String>();
    if (Files.exists(file)) {
      for (var line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
        ids.add(CommandDesk.JSON.readTree(line).path("custom_id").asText());
      }
    }
    return ids;
  }

  @ParameterizedTest
  @EnumSource
  void it_neither_hangs_nor_falls_nor_loses_a_line(HostileProvider.Way way) throws Exception {
    awaitRuns();
    var place = folder.resolve(HostileRuns.name(way));
    var result = CommandDesk.JSON.readTree(place.resolve("result.json").toFile());
    var screens = result.path("out").asText() + result.path("err").asText();

    assertThat(result.has("thrown")).as(result.toString()).isFalse();
    assertThat(screens)
        .doesNotContain("OutOfMemoryError", "StackOverflowError", "a defect in Flyball", "\tat ")
        .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u202a-\u202e]|(?m)^::");
    assertThat(result.path("exit").asInt()).as(screens).isIn(0, 1, 3, 4);
    assertThat(provider(way).strays()).isZero();

    var answered = ids(place.resolve("out.jsonl"));
    var failed = ids(place.resolve("out.errors.jsonl"));
    var known = new HashSet<>(answered);
    known.addAll(failed);
    assertThat(known).hasSize(answered.size() + failed.size()).isSubsetOf(HostileRuns.ids());
    var report = CommandDesk.JSON.readTree(place.resolve("report.json").toFile());
    assertThat(report.path("wallSeconds").asDouble())
        .as(screens)
        .isLessThan((double) HostileRuns.DEADLINE.plus(GRACE).toSeconds());
    assertThat(report.path("total").asInt()).isEqualTo(HostileRuns.LINES);
    // Nothing is asked again behind the back of whoever counts.
    assertThat(provider(way).requests()).isLessThanOrEqualTo(report.path("attempts").asInt());
    assertThat(report.path("completed").asInt()).isEqualTo(answered.size());
    assertThat(report.path("errored").asInt()).isEqualTo(failed.size());
    assertThat(report.path("skipped").asInt()).isEqualTo(HostileRuns.LINES - known.size());
    if (way != HostileProvider.Way.ANSWERS_UNHEARD) {
      assertOwnAnswers(place.resolve("out.jsonl"));
    }
  }

  private static HostileProvider provider(HostileProvider.Way way) {
    return Objects.requireNonNull(providers.get(way));
  }

  /** An answer that says for whom it is, is for that one. */
  private static void assertOwnAnswers(Path file) throws IOException {
    if (Files.exists(file)) {
      for (var line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
        JsonNode answer = CommandDesk.JSON.readTree(line);
        var body = answer.at("/response/body");
        if (body.has("id")) {
          assertThat(body.path("id").asText()).isEqualTo(answer.path("custom_id").asText());
        }
      }
    }
  }

  @Test
  void one_that_does_nothing_wrong_is_answered_whole() throws Exception {
    awaitRuns();

    assertThat(ids(folder.resolve("first/out.jsonl"))).hasSize(HostileRuns.LINES);
  }

  @Test
  void a_review_ends_soon_after_its_deadline(@TempDir Path tree) throws Exception {
    try (var provider = HostileProvider.start(HostileProvider.Way.PINGS_FOR_EVER)) {
      Files.writeString(tree.resolve("calc.py"), "def add(a, b):\n    return a + b\n");
      var desk = new CommandDesk(tree);
      long started = System.nanoTime();
      var screen =
          desk.flyball(
              "review",
              tree.toString(),
              "--yes",
              "--model=m1",
              "--base-url",
              provider.address(),
              "--deadline=1s",
              "--no-history");

      assertThat(screen.exit()).as(screen.err()).isIn(3, 4);
      assertThat(screen.out() + screen.err()).doesNotContain("approved", "defect in Flyball");
      assertThat(provider.requests()).isPositive();
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(30));
    }
  }

  @Test
  void a_polite_kill_waits_for_a_while_and_keeps_what_was_answered() throws Exception {
    var place = folder.resolve("told");
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (dripping.requests() <= GOOD) {
      assertThat(System.nanoTime()).isLessThan(end);
      assertThat(told.isAlive()).as(Files.readString(place.resolve("screen.txt"))).isTrue();
      Thread.onSpinWait();
    }

    long started = System.nanoTime();
    told.destroy();

    var most = RunBounds.DRAIN.plus(GRACE);
    assertThat(told.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    assertThat(System.nanoTime() - started).isGreaterThan(RunBounds.DRAIN.dividedBy(2).toNanos());
    assertThat(told.exitValue()).isEqualTo(3);
    assertThat(ids(place.resolve("out.jsonl"))).hasSize(GOOD);
    assertThat(Files.readString(place.resolve("screen.txt")))
        .contains("stopping", "run the same command to resume")
        .doesNotContain("a defect");
  }
}
