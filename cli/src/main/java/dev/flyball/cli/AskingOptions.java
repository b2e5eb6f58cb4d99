package dev.flyball.cli;

import dev.flyball.call.Cost;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how far a review's questions may go. */
final class AskingOptions {
  @Option(
      names = "--budget-usd",
      paramLabel = "USD",
      description = "Stops before more money is spent, by the list that `flyball prices` shows.")
  private @Nullable String budgetUsd;

  @Option(
      names = "--max-retries",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How often a question is asked again after an overload or a broken connection."
              + " (${DEFAULT-VALUE})")
  private int maxRetries;

  @Option(
      names = "--max-wait",
      paramLabel = "TIME",
      defaultValue = "15m",
      converter = Durations.class,
      description =
          "How long nothing at all may be possible before the review ends as incomplete, or"
              + " `forever`. (${DEFAULT-VALUE})")
  private Duration maxWait;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long the review may go on; then nothing new starts.")
  private @Nullable Duration deadline;

  @Option(
      names = {"-y", "--yes"},
      description = "Reviews a whole repository without asking whether it may cost that much.")
  private boolean yes;

  @Option(
      names = "--allow-incomplete",
      description = "An incomplete review ends with the exit code of what was found.")
  private boolean allowIncomplete;

  Optional<Cost> budget() {
    if (budgetUsd == null) {
      return Optional.empty();
    }
    if (!budgetUsd.matches("\\d{1,12}(\\.\\d{1,6})?") || Cost.dollars(budgetUsd).micros() == 0) {
      throw new IllegalArgumentException(
          "--budget-usd: dollars above 0 are written as 12.50, not as " + budgetUsd);
    }
    return Optional.of(Cost.dollars(budgetUsd));
  }

  int maxRetries() {
    if (maxRetries < 0) {
      throw new IllegalArgumentException(
          "--max-retries: at least 0 is expected, not " + maxRetries);
    }
    return maxRetries;
  }

  Duration maxWait() {
    return maxWait;
  }

  Optional<Duration> deadline() {
    return Optional.ofNullable(deadline);
  }

  boolean yes() {
    return yes;
  }

  boolean allowIncomplete() {
    return allowIncomplete;
  }
}
