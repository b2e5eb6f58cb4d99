package dev.flyball.cli.option;

import dev.flyball.call.Cost;
import dev.flyball.call.RampPlan;
import dev.flyball.call.RetryPolicy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.run.RunBounds;
import dev.flyball.scheduler.Event;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say how far a run may go: together, in money, in retries and in time. */
public final class BoundOptions {
  /** YAML takes on and off for yes and no. */
  private static final Set<String> ON = Set.of("on", "true");

  private static final Set<String> OFF = Set.of("off", "false");
  private static final int MOST_FAILURES = 1_000;
  private static final long MOST_SHARED = 1_000_000_000_000_000L;
  private static final Pattern SCOPE = Pattern.compile("[A-Za-z0-9._-]{1,60}");
  private static final Pattern RAMP =
      Pattern.compile("(\\d{1,3}(?:\\.\\d+)?)%,\\+(\\d{1,3}(?:\\.\\d+)?)%/(day|hour|min)");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private ConcurrencyOption concurrency;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--budget-usd",
      paramLabel = "USD",
      description = "Stop before more than this is spent, at the prices of `flyball prices`.")
  private @Nullable String budgetUsd;

  @SetBy(Who.USER)
  @Option(
      names = "--budget-scope",
      paramLabel = "NAME",
      description =
          "Spend --budget-usd together with all processes that name the same scope and Redis"
              + " (--fleet redis://...).")
  private @Nullable String budgetScope;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--max-retries",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Retries per call after overloads and broken connections; waiting for a rate limit does"
              + " not count. Default: ${DEFAULT-VALUE}")
  private int maxRetries;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--retry-base",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = DurationFlags.class,
      description = "Pause before the first retry; it doubles. Default: ${DEFAULT-VALUE}")
  private Duration retryBase;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--retry-max",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = DurationFlags.class,
      description = "Longest pause before a retry. Default: ${DEFAULT-VALUE}")
  private Duration retryMax;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--retry-jitter",
      paramLabel = "0..1",
      defaultValue = "1",
      description = "Random share of each pause. Default: ${DEFAULT-VALUE}")
  private double retryJitter;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--breaker-failures",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Pause sending after this many overloads or broken connections in a row."
              + " Default: ${DEFAULT-VALUE}")
  private int breakerFailures;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--breaker-rest",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = DurationFlags.class,
      description = "The first such pause; it doubles up to 60s. Default: ${DEFAULT-VALUE}")
  private Duration breakerRest;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--ramp",
      paramLabel = "PLAN",
      description = "Start slowly, such as 30%%,+10%%/day (or /hour, /min).")
  private @Nullable String ramp;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--pacing",
      paramLabel = "on|off",
      defaultValue = "on",
      description = "off sends everything at once, for comparison. Default: ${DEFAULT-VALUE}")
  private String pacing;

  @SetBy(Who.USER)
  @Option(
      names = "--events",
      paramLabel = "FILE",
      description = "Write everything that the scheduler does as JSON lines.")
  private @Nullable Path events;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--max-wait",
      paramLabel = "TIME",
      defaultValue = "15m",
      converter = DurationFlags.class,
      description =
          "Give up after this long without progress, or `forever`. Default: ${DEFAULT-VALUE}")
  private Duration maxWait;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      converter = DurationFlags.class,
      description = "Stop the run after this long; what is in flight gets two more seconds.")
  private @Nullable Duration deadline;

  /** All of them, refused if they cannot be. */
  public RunBounds bounds() {
    return new RunBounds(
        concurrency(), tuning(), maxWait(), deadline(), OptionalLong.empty(), money(), 0);
  }

  /** How many may be in flight, where somebody said so. */
  OptionalInt concurrency() {
    return concurrency.most();
  }

  /** How much money may be spent, where somebody said so. */
  Optional<Cost> money() {
    if (budgetUsd == null) {
      return Optional.empty();
    }
    check(
        "--budget-usd",
        budgetUsd.matches("\\d{1,12}(\\.\\d{1,6})?"),
        "write dollars as 12.50, not " + budgetUsd);
    var budget = Cost.dollars(budgetUsd);
    check("--budget-usd", budget.micros() > 0, "must be above 0");
    return Optional.of(budget);
  }

  /** The name under which others spend the same money, where somebody said so. */
  public Optional<String> scope() {
    if (budgetScope == null) {
      return Optional.empty();
    }
    check(
        "--budget-scope",
        SCOPE.matcher(budgetScope).matches(),
        "is up to 60 letters, digits and . _ -, not " + budgetScope);
    check("--budget-scope", budgetUsd != null, "needs --budget-usd: how much there is to spend");
    check(
        "--budget-usd",
        money().orElse(Cost.NOTHING).micros() <= MOST_SHARED,
        "that is shared must be at most 1,000,000,000");
    return Optional.of(budgetScope);
  }

  private RunBounds.Tuning tuning() {
    check("--max-retries", maxRetries >= 0, "must be at least 0, not " + maxRetries);
    check(
        "--pacing",
        ON.contains(pacing) || OFF.contains(pacing),
        "must be on or off, not " + pacing);
    boolean paced = ON.contains(pacing);
    if (!paced) {
      spec.commandLine()
          .getErr()
          .println("flyball: pacing is off: calls are sent at once, so expect 429s");
    }
    pause("--retry-base", retryBase);
    pause("--retry-max", retryMax);
    check("--retry-base", retryBase.compareTo(retryMax) <= 0, "must be at most --retry-max");
    check(
        "--retry-jitter",
        retryJitter >= 0 && retryJitter <= 1,
        "must be from 0 to 1, not " + retryJitter);
    return new RunBounds.Tuning(
        new RetryPolicy(maxRetries, retryBase, retryMax, retryJitter),
        breaker(),
        Optional.ofNullable(ramp).map(this::ramp),
        paced,
        eventLog());
  }

  private RetryPolicy.Breaker breaker() {
    check(
        "--breaker-failures",
        breakerFailures >= 1 && breakerFailures <= MOST_FAILURES,
        "must be from 1 to %,d, not %,d".formatted(MOST_FAILURES, breakerFailures));
    pause("--breaker-rest", breakerRest);
    return new RetryPolicy.Breaker(breakerFailures, breakerRest);
  }

  private void pause(String option, Duration time) {
    check(
        option,
        time.isPositive() && time.compareTo(Duration.ofDays(1)) <= 0,
        "must be above 0 and at most 1d");
  }

  private RampPlan ramp(String text) {
    var said = RAMP.matcher(text);
    check("--ramp", said.matches(), "write a ramp as 30%,+10%/day, not " + text);
    return new RampPlan(
        Double.parseDouble(said.group(1)) / 100,
        Double.parseDouble(said.group(2)) / 100,
        switch (said.group(3)) {
          case "min" -> Duration.ofMinutes(1);
          case "hour" -> Duration.ofHours(1);
          default -> Duration.ofDays(1);
        });
  }

  private Optional<Consumer<Event>> eventLog() {
    if (events == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new EventLog(Files.newBufferedWriter(events), Time.system()::wall));
    } catch (IOException wrong) {
      throw new ParameterException(
          spec.commandLine(), "--events: " + events + " cannot be written");
    }
  }

  private Duration maxWait() {
    check("--max-wait", maxWait.isPositive(), "must be above 0");
    return maxWait;
  }

  private Optional<Duration> deadline() {
    check("--deadline", deadline == null || deadline.isPositive(), "must be above 0");
    return Optional.ofNullable(deadline);
  }

  private void check(String option, boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), option + ": " + rule);
    }
  }
}
