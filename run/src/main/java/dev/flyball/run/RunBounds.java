package dev.flyball.run;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.RampPlan;
import dev.flyball.call.RetryPolicy;
import dev.flyball.scheduler.Event;
import dev.flyball.scheduler.Flyball;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The bounds of a run: at one time, in tokens, in money, in retries and in time.
 *
 * @param concurrency the most attempts at one time in the whole run; empty leaves it to the lanes
 * @param tuning how calls are sent
 * @param deadline after which nothing starts, and a moment later what is in flight is cut
 * @param reserve the part of the budget that is kept back for retries
 */
public record RunBounds(
    OptionalInt concurrency,
    Tuning tuning,
    Duration maxWait,
    Optional<Duration> deadline,
    OptionalLong budgetTokens,
    Optional<Cost> budgetMoney,
    double reserve) {
  /** The most attempts of one lane at one time, where nobody said how many. */
  public static final int USUAL_IN_FLIGHT = 512;

  /** How long after its deadline a run waits for what is in flight. */
  public static final Duration GRACE = Duration.ofSeconds(2);

  /**
   * How long a run that is told to end waits for what is in flight: less than the ten seconds after
   * which many who say so kill it.
   */
  public static final Duration DRAIN = Duration.ofSeconds(8);

  /**
   * Advice of the scheduler, with the options of a command in place of what the library calls them.
   */
  public static String inOptions(String advice) {
    return advice.replace("maxRetries", "--max-retries");
  }

  /** No budget, no deadline, and the usual patience. */
  public static final RunBounds USUAL =
      new RunBounds(
          OptionalInt.empty(),
          Tuning.USUAL,
          Duration.ofMinutes(15),
          Optional.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          0);

  /** The same within so many tokens. */
  public RunBounds tokens(OptionalLong most) {
    return new RunBounds(concurrency, tuning, maxWait, deadline, most, budgetMoney, reserve);
  }

  /** The same with a part of the budget kept back for retries. */
  public RunBounds reserve(double part) {
    return new RunBounds(concurrency, tuning, maxWait, deadline, budgetTokens, budgetMoney, part);
  }

  /** At most so many at one time. */
  public int mostInFlight() {
    return concurrency.orElse(USUAL_IN_FLIGHT);
  }

  /** Whether there is a budget. */
  public boolean isBudgeted() {
    return budgetTokens.isPresent() || budgetMoney.isPresent();
  }

  /**
   * A scheduler that keeps to them, and to what it shares with others; an account pays for all of
   * its calls.
   */
  public Flyball scheduler(
      Account account,
      Function<LaneId, LaneProfile> profiles,
      LearnedLimits learned,
      RunSetup setup) {
    var builder =
        Flyball.builder()
            .time(setup.time())
            .mostInFlight(USUAL_IN_FLIGHT)
            .maxWait(maxWait)
            .profiles(profiles)
            .memory(learned);
    setup.sharedLimit().ifPresent(builder::sharedLimit);
    tuning.apply(builder);
    concurrency.ifPresent(builder::mostInFlightInAll);
    var flyball = builder.build();
    budgetMoney
        .flatMap(setup::sharedBudget)
        .ifPresent(shared -> flyball.sharedBudget(account, shared));
    return isBudgeted()
        ? flyball.budget(account, new Budget(budgetTokens, budgetMoney, reserve))
        : flyball;
  }

  /**
   * The manner in which a run's calls are sent, for those who want another than the usual one.
   *
   * @param ramp how slowly traffic grows, where that is wanted
   * @param paced false sends at once whatever the limits are, for comparison
   * @param events is told everything that the scheduler does
   */
  public record Tuning(
      RetryPolicy retries,
      RetryPolicy.Breaker breaker,
      Optional<RampPlan> ramp,
      boolean paced,
      Optional<Consumer<Event>> events) {
    public static final Tuning USUAL =
        new Tuning(
            RetryPolicy.USUAL, RetryPolicy.Breaker.USUAL, Optional.empty(), true, Optional.empty());

    void apply(Flyball.Builder builder) {
      builder.retries(retries).breaker(breaker);
      ramp.ifPresent(builder::ramp);
      events.ifPresent(builder::listener);
      if (!paced) {
        builder.withoutPacing();
      }
    }
  }
}
