package dev.flyball.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.bench.wire.Command;
import dev.flyball.llm.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What it takes to plan a review: of a large repository that was never read before and of one that
 * was, and how much less of changed files is shown than all of them.
 */
final class Planning {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SIZE = 60_000_000;
  private static final int FILES_OF_A_FOLDER = 25;
  private static final int EDITED = 200;
  private static final String MODEL = "claude-sonnet-5";

  private Planning() {}

  static Optional<Report> run(String[] args) throws IOException, InterruptedException {
    int files = args.length == 0 ? 10_000 : Integer.parseInt(args[0]);
    var folder = Files.createTempDirectory("plan");
    try {
      Command.ready(folder);
      return Optional.of(report(files, folder));
    } finally {
      Wire.delete(folder);
    }
  }

  private static Report report(int files, Path folder) throws IOException, InterruptedException {
    double before = Wire.load();
    var house = Path.of(System.getProperty("flyball.house", ".."));
    long size = repository(house, folder.resolve("large"), files);
    var state = Map.of("XDG_STATE_HOME", folder.resolve("state").toString());
    var cold = estimate(folder, state, "large", "--json", "--no-history");
    var warm = estimate(folder, state, "large", "--json", "--no-history");
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
    for (var unit : change.plan().path("units")) {
      shown += unit.path("inputTokens").asLong() - unit.path("prefixTokens").asLong();
    }
    return new Report("Planning reviews")
        .say(
            """
            `./flyball estimate` of a repository that is made of this project's own sources, with \
            other names in each file: once with nothing known of it, then again. The whole command \
            as a process, its start among it. Wanted: 60 s, and 5 s the second time.\
            """)
        .table(
            List.of("files", "size", "units", "first", "again"),
            List.of(
                List.of(
                    "%,d".formatted(files),
                    "%,.1f MB".formatted(size / 1e6),
                    "%,d".formatted(warm.plan().path("calls").asLong()),
                    "%.1f s".formatted(cold.seconds()),
                    "%.1f s".formatted(warm.seconds()))))
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

  private record Estimate(JsonNode plan, double seconds) {}

  private static Estimate estimate(Path folder, Map<String, String> state, String... arguments)
      throws IOException, InterruptedException {
    var command = new Command(folder);
    var words = new ArrayList<>(List.of("estimate"));
    words.addAll(List.of(arguments));
    long started = System.nanoTime();
    int exit = command.start(state, words.toArray(String[]::new)).waitFor();
    double seconds = (System.nanoTime() - started) / 1e9;
    if (exit != 0) {
      throw new IOException("the command ended with " + exit + ": " + command.said());
    }
    return new Estimate(JSON.readTree(command.said()), seconds);
  }

  /** As many files as asked, cut so that they are as large together as they should be. */
  private static long repository(Path house, Path folder, int files) throws IOException {
    long each = SIZE / 10_000;
    var texts = Counting.sources(house, files * each * 2);
    long size = 0;
    for (int i = 0; i < files; i++) {
      var text = texts.get(i % texts.size());
      var cut =
          text.length() <= each ? text : text.substring(0, text.indexOf('\n', (int) each - 1) + 1);
      var file = folder.resolve("src/p%03d/File%05d.java".formatted(i / FILES_OF_A_FOLDER, i));
      Files.createDirectories(file.resolveSibling("."));
      Files.writeString(file, cut);
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
    var tokens = new Tokens(Map.of());
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

  private static void commit(Path folder, String message) throws IOException, InterruptedException {
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

  private static void git(Path folder, String... arguments)
      throws IOException, InterruptedException {
    var words = new ArrayList<>(List.of("git"));
    words.addAll(List.of(arguments));
    int exit = new ProcessBuilder(words).directory(folder.toFile()).inheritIO().start().waitFor();
    if (exit != 0) {
      throw new IOException("git " + String.join(" ", arguments) + " ended with " + exit);
    }
  }
}
