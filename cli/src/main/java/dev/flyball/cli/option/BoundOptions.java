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
  private static final Pattern RAMP =
      Pattern.compile("(\\d{1,3}(?:\\.\\d+)?)%,\\+(\\d{1,3}(?:\\.\\d+)?)%/(day|hour|min)");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private ConcurrencyOption concurrency;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--budget-usd",
      paramLabel = "USD",
      description = "Stop before more money is spent, at the prices of `flyball prices`.")
  private @Nullable String budgetUsd;

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
      description = "Random share of a pause. Default: ${DEFAULT-VALUE}")
  private double retryJitter;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--breaker-failures",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Overloads or broken connections in a row after which nothing is sent for a while."
              + " Default: ${DEFAULT-VALUE}")
  private int breakerFailures;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--breaker-rest",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = DurationFlags.class,
      description = "How long that is at first; it doubles up to 60s. Default: ${DEFAULT-VALUE}")
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
      description = "off sends at once, for comparison. Default: ${DEFAULT-VALUE}")
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
        "dollars are written as 12.50, not as " + budgetUsd);
    var budget = Cost.dollars(budgetUsd);
    check("--budget-usd", budget.micros() > 0, "an amount above 0 is expected");
    return Optional.of(budget);
  }

  private RunBounds.Tuning tuning() {
    check("--max-retries", maxRetries >= 0, "at least 0 is expected, not " + maxRetries);
    check("--pacing", pacing.equals("on") || pacing.equals("off"), "on or off, not " + pacing);
    if (pacing.equals("off")) {
      spec.commandLine()
          .getErr()
          .println("flyball: pacing is off: calls are sent at once, and limits will refuse them");
    }
    try {
      var policy = new RetryPolicy(maxRetries, retryBase, retryMax, retryJitter);
      return new RunBounds.Tuning(
          policy,
          breaker(),
          Optional.ofNullable(ramp).map(this::ramp),
          pacing.equals("on"),
          eventLog());
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(
          spec.commandLine(), "--retry-base, --retry-max, --retry-jitter: " + wrong.getMessage());
    }
  }

  private RetryPolicy.Breaker breaker() {
    try {
      return new RetryPolicy.Breaker(breakerFailures, breakerRest);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(
          spec.commandLine(), "--breaker-failures, --breaker-rest: " + wrong.getMessage());
    }
  }

  private RampPlan ramp(String text) {
    var said = RAMP.matcher(text);
    check("--ramp", said.matches(), "a ramp is written as 30%,+10%/day, not as " + text);
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
    check("--max-wait", maxWait.isPositive(), "a time above 0 is expected");
    return maxWait;
  }

  private Optional<Duration> deadline() {
    check("--deadline", deadline == null || deadline.isPositive(), "a time above 0 is expected");
    return Optional.ofNullable(deadline);
  }

  private void check(String option, boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), option + ": " + rule);
    }
  }
}
