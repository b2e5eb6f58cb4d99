package dev.flyball.cli.option;

import dev.flyball.call.Cost;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.run.RunBounds;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say how far a run may go: together, in money, in retries and in time. */
public final class BoundOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private ConcurrencyOption concurrency;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--budget-usd",
      paramLabel = "USD",
      description =
          "Stops before more money is spent, by the list that `flyball prices` shows. Of simulated"
              + " answers: what they would have cost.")
  private @Nullable String budgetUsd;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--max-retries",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How often a call is tried again after an overload or a broken connection; waiting for a"
              + " limit does not count. (${DEFAULT-VALUE})")
  private int maxRetries;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--max-wait",
      paramLabel = "TIME",
      defaultValue = "15m",
      converter = DurationFlags.class,
      description =
          "How long there may be no answer, and nothing under way that could bring one, before the"
              + " run ends as incomplete, or `forever`. (${DEFAULT-VALUE})")
  private Duration maxWait;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      converter = DurationFlags.class,
      description =
          "How long the run may go on; then nothing new starts, and two seconds later what is in"
              + " flight is cut.")
  private @Nullable Duration deadline;

  /** All of them, refused if they cannot be. */
  public RunBounds bounds() {
    return new RunBounds(
        concurrency(), maxRetries(), maxWait(), deadline(), OptionalLong.empty(), money(), 0);
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

  private int maxRetries() {
    check("--max-retries", maxRetries >= 0, "at least 0 is expected, not " + maxRetries);
    return maxRetries;
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
