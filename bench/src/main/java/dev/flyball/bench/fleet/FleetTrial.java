package dev.flyball.bench.fleet;

import dev.flyball.bench.wire.Command;
import dev.flyball.fleet.FleetPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * Several real processes on one key, with nothing set up and through a real Redis; replicas as
 * threads; and processes that are killed while Redis comes and goes.
 */
public final class FleetTrial {
  /** Some words, and a table if there are rows. */
  public record Page(String words, List<String> head, List<List<String>> rows) {}

  /** Rows that run at the same time, so that each has its share of a small machine. */
  private static final List<List<String>> WAVES =
      List.of(
          List.of("1 none full", "1 none none", "2 machine full", "2 machine none"),
          List.of("2 redis full", "2 redis none", "8 machine full"),
          List.of("8 machine none", "8 redis full"),
          List.of("8 redis none"));

  private final List<String> words;
  private final int calls;
  private final Path folder;

  private FleetTrial(String... args) throws IOException {
    this.words = Arrays.asList(args);
    for (int i = 0; i < args.length; i += 2) {
      if (i + 1 >= args.length || !List.of("--only", "--rows", "--calls").contains(args[i])) {
        throw new IllegalArgumentException(
            "there are --only PART, --rows PART, --calls N and --save, not " + args[i]);
      }
    }
    this.calls = Integer.parseInt(option("--calls", "600"));
    this.folder = Files.createTempDirectory("fb");
  }

  private String option(String name, String usual) {
    int at = words.indexOf(name);
    return at < 0 || at + 1 >= words.size() ? usual : words.get(at + 1);
  }

  public static List<Page> run(String... args) throws IOException, InterruptedException {
    var trial = new FleetTrial(args);
    var only = trial.option("--only", "processes replicas servers kills");
    var pages = new ArrayList<Page>();
    try {
      if (only.contains("processes")) {
        pages.add(trial.processes());
      }
      if (only.contains("replicas")) {
        pages.add(trial.replicas());
      }
      if (only.contains("servers")) {
        pages.add(trial.servers());
      }
      if (only.contains("kills")) {
        pages.add(trial.kills());
      }
      return pages;
    } finally {
      trial.sweep();
    }
  }

  private void sweep() throws IOException {
    try (var all = Files.walk(folder)) {
      for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }

  private Page processes() throws IOException, InterruptedException {
    ready();
    var rows = new ArrayList<List<String>>();
    var wanted = option("--rows", "");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var wave : WAVES) {
        var runs = new ArrayList<Callable<List<String>>>();
        for (var row : wave) {
          if (row.contains(wanted)) {
            var what = row.split(" ", 3);
            runs.add(() -> processes(Integer.parseInt(what[0]), what[1], what[2]));
          }
        }
        for (var done : threads.invokeAll(runs)) {
          try {
            rows.add(done.get());
          } catch (ExecutionException failed) {
            throw new IOException(failed.getCause());
          }
          System.err.println(rows.getLast());
        }
      }
    }
    return new Page(
        """
        Real processes of `flyball batch` with one key at 600 requests a minute and a burst of 10, answers after 200 ms, \
        %d calls in all, told nothing and remembering nothing; started at once, timed from the first request to the last \
        answer by the simulator's ledger, which is the judge of the 429s too. Up to four rows share the \
        machine.\
        """
            .formatted(calls),
        List.of(
            "processes",
            "share through",
            "headers",
            "× least",
            "429s",
            "asked twice",
            "Redis commands a call"),
        rows);
  }

  private void ready() throws IOException, InterruptedException {
    var ready = Files.createDirectories(folder.resolve("ready"));
    Command.ready(ready);
  }

  private List<String> processes(int processes, String way, String headers)
      throws IOException, InterruptedException {
    var place = Files.createDirectories(folder.resolve(processes + way.substring(0, 1) + headers));
    try (var account = new SharedAccount(headers);
        var redis = way.equals("redis") ? new RealRedis() : null) {
      var fleet = redis == null ? way : redis.uri().toString();
      long before = redis == null ? 0 : redis.commands();
      try (var batches = new Batches(place, account.uri(), fleet, processes, calls)) {
        var complaints = batches.complaints();
        if (!complaints.isEmpty()) {
          throw new IOException(String.join("; ", complaints));
        }
      }
      var verdict = account.verdict();
      return List.of(
          String.valueOf(processes),
          way,
          headers,
          String.format(Locale.ROOT, "%.3f", verdict.timesLeast(calls)),
          String.valueOf(verdict.refused()),
          String.valueOf(verdict.twice()),
          redis == null
              ? ""
              : String.format(Locale.ROOT, "%.2f", (double) (redis.commands() - before) / calls));
    }
  }

  private Page replicas() throws IOException, InterruptedException {
    var rows = new ArrayList<List<String>>();
    try (var redis = new RealRedis()) {
      for (int replicas : new int[] {1, 2, 8, 30}) {
        var place = FleetPlace.of(redis.uri() + "?name=r" + replicas);
        var result = Replicas.run(replicas, 3_000, 100, 100, place, redis);
        rows.add(
            List.of(
                String.valueOf(replicas),
                String.format(Locale.ROOT, "%.3f", result.timesLeast()),
                String.format(Locale.ROOT, "%.3f", result.used()),
                String.valueOf(result.refused()),
                String.format(Locale.ROOT, "%.2f", result.commands())));
        System.err.println(rows.getLast());
      }
    }
    return new Page(
        """
        Replicas as threads of one process, over a real Redis: 3,000 calls at 100 a second and a burst of 100, half of \
        them the first one's; a bucket is provider and judge.\
        """,
        List.of("replicas", "× least", "limit used", "429s", "Redis commands a call"),
        rows);
  }

  private Page servers() throws IOException, InterruptedException {
    ready();
    var place = Files.createDirectories(folder.resolve("s"));
    List<String> row;
    try (var account = new SharedAccount("full");
        var redis = new RealRedis();
        var servers = new Servers(place, account.uri(), redis.uri().toString(), 2)) {
      var answers = servers.ask(200, calls);
      var verdict = account.verdict();
      row =
          List.of(
              String.valueOf(answers.getOrDefault(200, 0)),
              String.valueOf(answers.getOrDefault(429, 0)),
              String.valueOf(calls - answers.getOrDefault(200, 0) - answers.getOrDefault(429, 0)),
              String.format(Locale.ROOT, "%.3f", verdict.timesLeast(calls)),
              String.valueOf(verdict.refused()));
    }
    return new Page(
        """
        200 clients through two `flyball serve` that share limits through a real Redis, %d requests to the same account.\
        """
            .formatted(calls),
        List.of(
            "answered", "429s that a client saw", "other ends", "× least", "429s of the account"),
        List.of(row));
  }

  /** Eight processes, one killed every few seconds; with Redis, that is restarted and emptied. */
  private Page kills() throws IOException, InterruptedException {
    ready();
    var rows = new ArrayList<List<String>>();
    for (var way : List.of("machine", "redis")) {
      if (way.contains(option("--rows", ""))) {
        rows.add(kills(way));
        System.err.println(rows.getLast());
      }
    }
    return new Page(
        """
        Eight such processes, one of them killed with -9 every four seconds and started again%s, %d calls. `recorded` is \
        how many lines are in the outputs, each once; `asked again` are answers to calls that had one, which was in \
        flight when its process was killed.\
        """
            .formatted("; Redis is restarted at 15 and 30 s, and emptied at 22 s", calls),
        List.of(
            "share through",
            "kills",
            "recorded",
            "twice in the outputs",
            "asked again",
            "× least",
            "429s",
            "longest gap, s"),
        rows);
  }

  private List<String> kills(String way) throws IOException, InterruptedException {
    var place = Files.createDirectories(folder.resolve("k" + way.charAt(0)));
    var random = new SplittableRandom(1);
    try (var account = new SharedAccount("full");
        var redis = way.equals("redis") ? new RealRedis() : null) {
      var fleet = redis == null ? way : redis.uri().toString();
      try (var batches = new Batches(place, account.uri(), fleet, 8, calls)) {
        for (int second = 1; batches.running(); second++) {
          Thread.sleep(1_000);
          if (redis != null && (second == 15 || second == 30)) {
            redis.stop();
            redis.start();
          }
          if (redis != null && second == 22) {
            redis.empty();
          }
          if (second % 4 == 0 && second < 56) {
            batches.killAndStart(random.nextInt(batches.count()));
          }
        }
        var complaints = batches.complaints();
        complaints.forEach(System.err::println);
        batches.news().forEach(System.err::println);
        var recorded = batches.recorded();
        var verdict = account.verdict();
        return List.of(
            way,
            String.valueOf(batches.restarts()),
            String.valueOf(recorded.size()),
            String.valueOf(recorded.values().stream().filter(times -> times > 1).count()),
            String.valueOf(verdict.twice()),
            String.format(Locale.ROOT, "%.3f", verdict.timesLeast(calls)),
            String.valueOf(verdict.refused()),
            String.format(Locale.ROOT, "%.1f", verdict.longestGap()));
      }
    }
  }
}
