package dev.flyball.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.bench.wire.Command;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The incident that reviews are built against: four questions of 15,000 tokens at once, an account
 * of 40,000 a minute that does not let use grow as fast as it likes, and an overload of minutes.
 * Through the command, in real time.
 */
final class Incident {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LINES = 1_450;
  private static final long FLOOR = 30_000;
  private static final double GROWTH = 1.5;
  private static final String CLEAN =
      "{\"reviewed\":\"{{all:(?m)^=====\\\\S+ review (\\\\S+) lines}}\",\"findings\":[],"
          + "\"needsMoreContext\":[]}";

  private Incident() {}

  static Optional<BenchReport> run(String[] args) throws IOException, InterruptedException {
    int minutes = args.length == 0 ? 10 : Integer.parseInt(args[0]);
    var folder = Files.createTempDirectory("incident");
    try {
      Command.ready(folder);
      return Optional.of(report(minutes, folder));
    } finally {
      Wire.delete(folder);
    }
  }

  private static BenchReport report(int minutes, Path folder)
      throws IOException, InterruptedException {
    repository(folder);
    var answers = folder.resolve("answers.jsonl");
    Files.writeString(
        answers, JSON.createObjectNode().put("pattern", "(?s).*").put("answer", CLEAN) + "\n");
    int port = port();
    var rows = new ArrayList<List<String>>();
    for (var name : List.of("nothing known", "limits remembered", "and once more")) {
      rows.add(row(name, folder, account(answers).acceleration(FLOOR, GROWTH), port));
    }
    var overload = account(answers).fault("529:from=0s,to=" + minutes * 60 + "s");
    var overloaded = row("overloaded for %d minutes".formatted(minutes), folder, overload, port);
    return new BenchReport("The incident")
        .say(
            """
            `./flyball review` of a change of one file, four lenses of about 15,000 tokens each, at \
            an account of 40,000 input tokens a minute. The provider lets no more than %,d tokens go \
            in a minute at first, and use grow by half in a quarter of an hour. What one review has \
            learned, the next begins with. Wanted: all four answered, at most three 429s when \
            nothing is known, and none later.\
            """
                .formatted(FLOOR))
        .table(
            List.of("", "verdict", "units answered", "429s", "529s", "requests", "seconds"), rows)
        .say(
            """
            The same account, answering nothing but 529 at first. Wanted: all answered in the end, \
            and no storm.\
            """)
        .table(
            List.of("", "verdict", "units answered", "429s", "529s", "requests", "seconds"),
            List.of(overloaded));
  }

  private static Settings account(Path answers) {
    return Settings.of("anthropic-tier1")
        .limit("input=40000/min")
        .latency(Latency.parse("2s"))
        .answers(Answers.parse(answers.toString()));
  }

  /** One that is free: what is learned is learned of an address. */
  private static int port() throws IOException {
    try (var simulator = Simulator.start(Settings.of("unlimited"), 0)) {
      return simulator.uri().getPort();
    }
  }

  private static List<String> row(String name, Path folder, Settings settings, int port)
      throws IOException, InterruptedException {
    var earlier = folder.resolve("state/flyball/reviews");
    if (Files.exists(earlier)) {
      Wire.delete(earlier);
    }
    try (var simulator = Simulator.start(settings, port)) {
      var command = new Command(folder);
      long started = System.nanoTime();
      int exit =
          command
              .start(
                  Map.of(),
                  "review",
                  "here",
                  "--diff",
                  "HEAD",
                  "--mode",
                  "parallel",
                  "--lenses",
                  "security,correctness,tests,performance",
                  "--budget-tokens",
                  "1000000",
                  "--base-url",
                  simulator.uri().toString(),
                  "--model",
                  "claude-haiku-4-5",
                  "--no-history",
                  "--progress",
                  "none",
                  "--format",
                  "json=review.json")
              .waitFor();
      double seconds = (System.nanoTime() - started) / 1e9;
      JsonNode review = JSON.readTree(folder.resolve("review.json").toFile());
      var stats = simulator.stats();
      return List.of(
          name,
          review.path("verdict").asText() + (exit == 0 ? "" : " (exit " + exit + ")"),
          "%d of %d".formatted(stats.answered(), review.path("plan").path("units").size()),
          "%,d".formatted(stats.throttled()),
          "%,d".formatted(stats.faults().getOrDefault("529", 0L)),
          "%,d".formatted(stats.requests()),
          "%.0f".formatted(seconds));
    }
  }

  private static void repository(Path folder) throws IOException, InterruptedException {
    var here = folder.resolve("here");
    Files.createDirectories(here);
    Files.writeString(here.resolve("README.md"), "words\n");
    Files.writeString(here.resolve(".gitignore"), ".flyball/\n");
    Planning.git(here, "init", "-q");
    Planning.commit(here, "before");
    var text = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      text.append("int number_%d = compute(%d);%n".formatted(i, i));
    }
    Files.writeString(here.resolve("f.c"), text);
    Planning.commit(here, "after");
  }
}
