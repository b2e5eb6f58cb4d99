package dev.flyball.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.bench.wire.Command;
import dev.flyball.llm.token.TokenCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The time that it takes to plan a review: of a large repository that was never read before and of
 * one that was, and how much less of changed files is shown than all of them.
 */
final class Planning {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CHARACTERS = 6_000;
  private static final int FILES_OF_A_FOLDER = 25;
  private static final int EDITED = 200;
  private static final int ROUNDS = 3;
  private static final String MODEL = "claude-sonnet-5";

  private Planning() {}

  static Optional<BenchReport> run(String[] args) throws IOException, InterruptedException {
    int files = args.length == 0 ? 10_000 : Integer.parseInt(args[0]);
    var folder = Files.createTempDirectory("plan");
    try {
      Command.ready(folder);
      return Optional.of(report(files, folder));
    } finally {
      Wire.delete(folder);
    }
  }

  private static BenchReport report(int files, Path folder)
      throws IOException, InterruptedException {
    double before = Wire.load();
    var house = Path.of(System.getProperty("flyball.house", ".."));
    long size = repository(folder.resolve("large"), files);
    var state = Map.of("XDG_STATE_HOME", folder.resolve("state").toString());
    double cold = timed(folder, state, "large", "--no-history");
    double warm = Double.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      warm = Math.min(warm, timed(folder, state, "large", "--no-history"));
    }
    var large = estimate(folder, state, "large", "--json", "--no-history");
    var edits = edits(house, folder.resolve("edited"));
    var change =
        estimate(
            folder,
            state,
            "edited",
            "--diff",
            "HEAD",
            "--mode",
            "parallel",
            "--lenses",
            "correctness",
            "--model",
            MODEL,
            "--budget-tokens",
            "100000000",
            "--json",
            "--no-history");
    long shown = 0;
    for (var unit : change.path("units")) {
      shown += unit.path("inputTokens").asLong() - unit.path("prefixTokens").asLong();
    }
    return new BenchReport("Planning reviews")
        .say(
            """
            `./flyball estimate` of a repository of made-up Java, no two methods alike: once with \
            nothing known of it, then again. The whole command as a process, its start among it. \
            The best of three when known. \
            Wanted: 60 s, and 5 s when known.\
            """)
        .table(
            List.of("files", "size", "units", "first", "again"),
            List.of(
                List.of(
                    "%,d".formatted(files),
                    "%,.1f MB".formatted(size / 1e6),
                    "%,d".formatted(large.path("calls").asLong()),
                    "%.1f s".formatted(cold),
                    "%.1f s".formatted(warm))))
        .say(
            """
            A commit that edits %d existing files, each in one to three places: input tokens of the \
            units for one lens, beside all of those files. Wanted: at least 50 %% less.\
            """
                .formatted(EDITED))
        .table(
            List.of("files", "whole files", "shown", "less"),
            List.of(
                List.of(
                    "%,d".formatted(edits.files()),
                    "%,d".formatted(edits.tokens()),
                    "%,d".formatted(shown),
                    "%.0f %%".formatted(100 - 100.0 * shown / edits.tokens()))))
        .say("Load of the machine: %.1f before, %.1f after.".formatted(before, Wire.load()));
  }

  private static JsonNode estimate(Path folder, Map<String, String> state, String... arguments)
      throws IOException, InterruptedException {
    timed(folder, state, arguments);
    return JSON.readTree(new Command(folder).said());
  }

  private static double timed(Path folder, Map<String, String> state, String... arguments)
      throws IOException, InterruptedException {
    var command = new Command(folder);
    var words = new ArrayList<>(List.of("estimate"));
    words.addAll(List.of(arguments));
    long started = System.nanoTime();
    int exit = command.start(state, words.toArray(String[]::new)).waitFor();
    if (exit != 0) {
      throw new IOException("the command ended with " + exit + ": " + command.said());
    }
    return (System.nanoTime() - started) / 1e9;
  }

  private static long repository(Path folder, int files) throws IOException {
    var random = new SplittableRandom(3);
    long size = 0;
    for (int i = 0; i < files; i++) {
      var name = "File%05d".formatted(i);
      var file = folder.resolve("src/p%03d/%s.java".formatted(i / FILES_OF_A_FOLDER, name));
      Files.createDirectories(file.resolveSibling("."));
      Files.writeString(file, Sources.file(name, CHARACTERS, random));
      size += Files.size(file);
    }
    return size;
  }

  private record Edits(int files, long tokens) {}

  private static Edits edits(Path house, Path folder) throws IOException, InterruptedException {
    var random = new SplittableRandom(5);
    var texts = Counting.sources(house, 4_000_000).subList(0, EDITED);
    for (int i = 0; i < texts.size(); i++) {
      Files.createDirectories(folder.resolve("src"));
      Files.writeString(folder.resolve("src/File%03d.java".formatted(i)), texts.get(i));
    }
    git(folder, "init", "-q");
    commit(folder, "before");
    var tokens = new TokenCounter(Map.of());
    long whole = 0;
    for (int i = 0; i < texts.size(); i++) {
      var lines = new ArrayList<>(texts.get(i).lines().toList());
      for (int left = 1 + random.nextInt(3); left > 0; left--) {
        edit(lines, random);
      }
      var text = String.join("\n", lines) + "\n";
      Files.writeString(folder.resolve("src/File%03d.java".formatted(i)), text);
      whole += tokens.count(MODEL, text).tokens();
    }
    commit(folder, "after");
    return new Edits(texts.size(), whole);
  }

  private static void edit(List<String> lines, SplittableRandom random) {
    int at = random.nextInt(lines.size());
    int count = 1 + random.nextInt(8);
    switch (random.nextInt(3)) {
      case 0 -> {
        for (int i = 0; i < count; i++) {
          lines.add(at, "    int added" + random.nextInt(1_000) + " = " + i + ";");
        }
      }
      case 1 -> {
        for (int i = 0; i < count && at < lines.size() && lines.size() > 1; i++) {
          lines.remove(at);
        }
      }
      default -> {
        for (int i = at; i < Math.min(lines.size(), at + count); i++) {
          lines.set(i, lines.get(i) + " // " + random.nextInt(1_000));
        }
      }
    }
  }

  static void commit(Path folder, String message) throws IOException, InterruptedException {
    git(folder, "add", "-A");
    git(
        folder,
        "-c",
        "user.name=bench",
        "-c",
        "user.email=bench@example.org",
        "commit",
        "-qm",
        message);
  }

  static void git(Path folder, String... arguments) throws IOException, InterruptedException {
    var words = new ArrayList<>(List.of("git"));
    words.addAll(List.of(arguments));
    int exit = new ProcessBuilder(words).directory(folder.toFile()).inheritIO().start().waitFor();
    if (exit != 0) {
      throw new IOException("git " + String.join(" ", arguments) + " ended with " + exit);
    }
  }
}
