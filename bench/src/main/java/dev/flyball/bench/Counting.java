package dev.flyball.bench;

import dev.flyball.llm.token.TokenCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/**
 * The speed at which tokens are counted, of text as reviews send it: this project's own files again
 * and again, each time with other names in them, so that no text comes twice.
 */
final class Counting {
  private static final int CORES = 2;
  private static final int SHORTEST = 2_000;
  private static final double WANTED_SECONDS = 20;
  private static final Pattern NAME = Pattern.compile("[A-Za-z]{4,}");
  private static final List<String> KINDS = List.of(".java", ".md", ".json", ".xml", ".sh");
  private static final List<String> MODELS = List.of("gpt-5", "claude-sonnet-5");

  private Counting() {}

  static Optional<BenchReport> run(String[] args) throws IOException, InterruptedException {
    int megabytes = args.length == 0 ? 100 : Integer.parseInt(args[0]);
    var texts = texts(Path.of(System.getProperty("flyball.house", "..")), megabytes * 1_000_000L);
    long bytes =
        texts.stream().mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length).sum();
    double before = Wire.load();
    var rows = new ArrayList<List<String>>();
    for (var model : MODELS) {
      var tokens = new TokenCounter(Map.of());
      var name = tokens.count(model, "load").name();
      long started = System.nanoTime();
      long counted = count(texts, model, tokens);
      double seconds = (System.nanoTime() - started) / 1e9;
      double rate = bytes / 1e6 / seconds;
      rows.add(
          List.of(
              name,
              "%,d".formatted(texts.size()),
              "%,.1f MB".formatted(bytes / 1e6),
              "%,d".formatted(counted),
              "%.1f s".formatted(seconds),
              "%.1f".formatted(rate),
              "%.1f s".formatted(100 / rate)));
    }
    return Optional.of(
        new BenchReport("Counting tokens")
            .say(
                """
                Sources, pages and JSON of this project, repeated with other names in them so that \
                no text comes twice, counted by `Tokens.count` on %d threads. The encoding is \
                loaded before, and nothing else is warm. Wanted: 100 MB in less than %.0f s.\
                """
                    .formatted(CORES, WANTED_SECONDS))
            .table(
                List.of("model", "texts", "size", "tokens", "time", "MB a second", "100 MB"), rows)
            .say("Load of the machine: %.1f before, %.1f after.".formatted(before, Wire.load())));
  }

  private static long count(List<String> texts, String model, TokenCounter tokens)
      throws InterruptedException {
    try (var threads = Executors.newFixedThreadPool(CORES)) {
      var counts = new ArrayList<Future<Long>>();
      for (var text : texts) {
        counts.add(threads.submit(() -> tokens.count(model, text).tokens()));
      }
      long sum = 0;
      for (var count : counts) {
        sum += count.get();
      }
      return sum;
    } catch (ExecutionException broken) {
      throw new IllegalStateException(broken.getCause());
    }
  }

  /** At least so much text, the same every time. */
  static List<String> texts(Path house, long characters) throws IOException {
    return texts(files(house, KINDS), characters);
  }

  /** The same of Java alone. */
  static List<String> sources(Path house, long characters) throws IOException {
    return texts(files(house, List.of(".java")), characters);
  }

  private static List<String> texts(List<String> files, long characters) {
    var texts = new ArrayList<String>();
    var random = new SplittableRandom(7);
    for (long size = 0; size < characters; ) {
      var text = renamed(files.get(texts.size() % files.size()), random);
      texts.add(text);
      size += text.length();
    }
    return texts;
  }

  private static List<String> files(Path house, List<String> kinds) throws IOException {
    var found = new ArrayList<Path>();
    for (var folder :
        List.of("scheduler", "llm", "cli", "simulator", "bench", "profiles", "docs")) {
      try (var all = Files.walk(house.resolve(folder))) {
        all.filter(file -> kinds.stream().anyMatch(kind -> file.toString().endsWith(kind)))
            .filter(file -> !file.toString().contains("/target/"))
            .forEach(found::add);
      }
    }
    if (kinds.contains(".md")) {
      found.add(house.resolve("README.md"));
    }
    found.sort(null);
    var texts = new ArrayList<String>();
    for (var file : found) {
      texts.add(Files.readString(file));
    }
    texts.removeIf(text -> text.length() < SHORTEST);
    return texts;
  }

  /** One of eight names gets another ending. */
  private static String renamed(String text, SplittableRandom random) {
    return NAME.matcher(text)
        .replaceAll(
            name ->
                random.nextInt(8) > 0
                    ? name.group()
                    : name.group() + (char) ('a' + random.nextInt(26)) + random.nextInt(100));
  }
}
