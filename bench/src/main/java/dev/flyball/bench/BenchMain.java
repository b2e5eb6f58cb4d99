package dev.flyball.bench;

import dev.flyball.bench.fleet.FleetTrial;
import dev.flyball.bench.gateway.CrowdTrial;
import dev.flyball.bench.gateway.GatewayTrial;
import dev.flyball.bench.gateway.SoakTrial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Runs one of the programs by its name, or lists them all. */
public final class BenchMain {
  /** Something that measures, and says what it found. */
  private record Program(String arguments, String measures, Measure measure) {}

  /** Empty when the arguments asked for something else than a measurement. */
  private interface Measure {
    Optional<BenchReport> run(String[] args) throws Exception;
  }

  private static final Map<String, Program> PROGRAMS = new LinkedHashMap<>();

  static {
    PROGRAMS.put("jmh", new Program("[JMH's]", "nanoseconds of admission and settling", Jmh::run));
    PROGRAMS.put(
        "waiting", new Program("[CALLS]", "heap that waiting calls take, of 1 GiB", Waiting::run));
    PROGRAMS.put(
        "worlds",
        new Program("[SEEDS]", "time ÷ least possible, beside plain peers", SideBySide::run));
    PROGRAMS.put(
        "realtime",
        new Program("", "the same on a real clock, beside Resilience4j", RealTime::run));
    PROGRAMS.put(
        "wire",
        new Program(
            "[--runs N] [--only ROW] [--alone]",
            "the real command over HTTP, beside the official SDKs",
            Wire::run));
    PROGRAMS.put(
        "limiters",
        new Program(
            "[--short] [--only NAME] [--runs N] [--at-once N] [--no-sdk]",
            "the real command against nginx, HAProxy and limiters of npm",
            Limiters::run));
    PROGRAMS.put(
        "unstated",
        new Program("[SEEDS]", "limits that nobody states, in virtual time", Unstated::run));
    PROGRAMS.put(
        "felt", new Program("[LANES]", "heap of a lane whose limit is felt", FeltHeap::run));
    PROGRAMS.put(
        "million",
        new Program("[LINES]", "a file of a million lines, in a small heap", Million::run));
    PROGRAMS.put(
        "counting", new Program("[MB]", "megabytes a second of counting tokens", Counting::run));
    PROGRAMS.put(
        "secrets",
        new Program("[MB]", "megabytes a second of looking for secrets", SecretSpeed::run));
    PROGRAMS.put(
        "forecast",
        new Program(
            "[SEED] [--only NAME]",
            "ten batches over HTTP, forecast and then run",
            Forecasts::run));
    PROGRAMS.put(
        "plan",
        new Program(
            "[FILES]", "planning a review of ten thousand files, and of edits", Planning::run));
    PROGRAMS.put(
        "incident",
        new Program(
            "[MINUTES]",
            "four large questions at once, and an overload of minutes, in real time",
            Incident::run));
    PROGRAMS.put(
        "usage",
        new Program(
            "[CALLS]",
            "writing a history of a million calls, and asking it",
            RememberedWorlds::run));
    PROGRAMS.put(
        "orders",
        new Program("FOLDER...", "orders to the reviewer, in code that people wrote", Orders::run));
    PROGRAMS.put(
        "static",
        new Program(
            "FOLDER... [--sample SEED [--draw N]] [--rule ID] [--no-pmd]",
            "findings without a model, how fast and how many, or some to be judged",
            StaticFindings::run));
    PROGRAMS.put(
        "words",
        new Program("", "every sentence that the product can say, to read", Sentences::run));
    PROGRAMS.put(
        "gateway",
        new Program(
            "[--only LOAD] [--rounds N] [--seconds N] [--portkey FOLDER]",
            "`flyball serve` beside nginx as plain proxy, and waiting requests",
            args -> Optional.of(report("The gateway beside nginx", GatewayTrial.run(args)))));
    PROGRAMS.put(
        "crowd",
        new Program(
            "[REQUESTS]",
            "two hundred clients at once, through `flyball serve` and straight at the account",
            args ->
                Optional.of(report("Two hundred clients on one account", CrowdTrial.run(args)))));
    PROGRAMS.put(
        "soak",
        new Program(
            "[MINUTES]",
            "`flyball serve` before a provider that fails: does anything grow?",
            args -> Optional.of(report("A soak with faults", SoakTrial.run(args)))));
    PROGRAMS.put(
        "fleet",
        new Program(
            "[--only processes|replicas|servers|kills] [--rows PART] [--calls N]",
            "processes and replicas that share one limit, some of them killed",
            args -> Optional.of(fleet(args))));
    PROGRAMS.put(
        "start", new Program("[RUNS]", "seconds until the command's first byte", Start::run));
    PROGRAMS.put(
        "recording",
        new Program("", "docs/demo.svg: the demo, recorded in a terminal", Recording::run));
  }

  private BenchMain() {}

  /** The first argument is the program's name; the rest, without {@code --save}, is its own. */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    if (args.length == 0 || args[0].equals("--help")) {
      list();
      return;
    }
    var program = PROGRAMS.get(args[0]);
    if (program == null) {
      System.err.println("bench: there is no program " + args[0] + " (`bench/run` lists them)");
      System.exit(2);
      return;
    }
    var rest = new ArrayList<>(Arrays.asList(args).subList(1, args.length));
    boolean save = rest.remove("--save");
    var report = program.measure().run(rest.toArray(String[]::new));
    if (report.isPresent()) {
      System.out.println(report.get());
      if (save) {
        report.get().save(args[0]);
      }
    }
  }

  private static BenchReport report(String title, List<GatewayTrial.Page> pages) {
    var report = new BenchReport(title);
    for (var page : pages) {
      report.say(page.words());
      if (!page.rows().isEmpty()) {
        report.table(page.head(), page.rows());
      }
    }
    return report;
  }

  private static BenchReport fleet(String... args) throws Exception {
    var report = new BenchReport("One limit for many processes");
    for (var page : FleetTrial.run(args)) {
      report.say(page.words()).table(page.head(), page.rows());
    }
    return report.say("Load of the machine at the end: %.1f.".formatted(Wire.load()));
  }

  private static void list() {
    System.out.println("bench/run PROGRAM [ARGUMENTS] [--save]\n");
    PROGRAMS.forEach(
        (name, program) ->
            System.out.printf("  %-8s %-34s %s%n", name, program.arguments(), program.measures()));
    System.out.println("\n--save writes what was found to bench/results.");
  }
}
