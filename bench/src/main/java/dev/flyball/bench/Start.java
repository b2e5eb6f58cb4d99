package dev.flyball.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The seconds that somebody waits before a command says anything, beside other JVM tools on the
 * same machine; and the processor time it takes, which other work on the machine hardly changes.
 */
final class Start {
  private static final int USUAL_RUNS = 10;

  /** Places in what the system says of a process, after its name. */
  private static final int CHILDREN_USER = 13;

  private static final int CHILDREN_SYSTEM = 14;
  private static final double TICKS_PER_SECOND = 100;

  private record Waited(double median, double least, double processor) {}

  private Start() {}

  static Optional<BenchReport> run(String[] args) throws Exception {
    int runs = args.length > 0 ? Integer.parseInt(args[0]) : USUAL_RUNS;
    var house = Path.of(System.getProperty("flyball.house", ".")).toAbsolutePath();
    // Of an archive that was unpacked elsewhere, or that of this folder.
    var flyball = System.getProperty("flyball.launcher", house.resolve("flyball").toString());
    var folder = Files.createTempDirectory("flyball-start");
    try {
      var code = Files.createDirectory(folder.resolve("code"));
      Files.writeString(code.resolve("A.java"), "class A {\n  int a() {\n    return 1;\n  }\n}\n");
      var questions = house.resolve("examples/questions.jsonl").toString();
      build(flyball);
      var rows = new ArrayList<List<String>>();
      rows.add(row("flyball --version", folder, runs, flyball, "--version"));
      rows.add(row("flyball --help", folder, runs, flyball, "--help"));
      rows.add(
          row(
              "flyball batch, first byte",
              folder,
              runs,
              flyball,
              "batch",
              questions,
              "--provider=simulated",
              "-o",
              "a.jsonl"));
      rows.add(row("flyball review, first byte", folder, runs, flyball, "review", "code"));
      rows.add(row("mvn --version", folder, runs, "mvn", "--version"));
      rows.add(row("java -version", folder, runs, "java", "-version"));
      return Optional.of(
          new BenchReport("Until the first byte")
              .say(
                  "Seconds from the start of the process to its first byte on a terminal, in %d runs, and the processor time of it and what it started; the load of the machine was %.1f on %d cores, so compare rows of one table and not tables."
                      .formatted(
                          runs,
                          java.lang.management.ManagementFactory.getOperatingSystemMXBean()
                              .getSystemLoadAverage(),
                          Runtime.getRuntime().availableProcessors()))
              .table(List.of("command", "median s", "least s", "processor s"), rows));
    } finally {
      try (var all = Files.walk(folder)) {
        for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
      }
    }
  }

  /** The first command of a checkout builds it, and says so at once. */
  private static void build(String flyball) throws IOException, InterruptedException {
    int exit =
        new ProcessBuilder(flyball, "--version")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
    if (exit != 0) {
      throw new IllegalStateException(flyball + " --version ended with " + exit);
    }
  }

  private static List<String> row(String name, Path folder, int runs, String... command)
      throws IOException, InterruptedException {
    var waited = waited(folder, runs, command);
    return List.of(
        name,
        "%.2f".formatted(waited.median()),
        "%.2f".formatted(waited.least()),
        "%.2f".formatted(waited.processor()));
  }

  private static Waited waited(Path folder, int runs, String... command)
      throws IOException, InterruptedException {
    var all = new ArrayList<Double>();
    var used = new ArrayList<Double>();
    // The first is not counted: files are read from the disk, and classes are archived.
    for (int run = 0; run <= runs; run++) {
      Files.deleteIfExists(folder.resolve("a.jsonl"));
      var builder =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
      builder.environment().put("FLYBALL_STATE", folder.resolve("state").toString());
      builder.environment().put("FLYBALL_JAVA_OPTS", "-Dflyball.terminals=t12");
      builder.environment().put("TERM", "xterm");
      double before = processor();
      long started = System.nanoTime();
      var process = builder.start();
      process.getInputStream().read();
      double seconds = (System.nanoTime() - started) / 1e9;
      process.destroy();
      process.waitFor();
      if (run > 0) {
        all.add(seconds);
        used.add(processor() - before);
      }
    }
    all.sort(null);
    used.sort(null);
    return new Waited(all.get(all.size() / 2), all.getFirst(), used.get(used.size() / 2));
  }

  /** Of all processes that were started here and have ended, in seconds; 0 where nobody says so. */
  private static double processor() throws IOException {
    var stat = Path.of("/proc/self/stat");
    if (!Files.isReadable(stat)) {
      return 0;
    }
    var fields = Files.readString(stat).replaceFirst("^.*\\) ", "").split(" ", -1);
    return (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM]))
        / TICKS_PER_SECOND;
  }
}
