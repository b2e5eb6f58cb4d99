package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.forecast.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The forecast of a run, made when it began and held against what became of it. It is worked out
 * beside the run's beginning, from what was known then, so that nobody waits for it.
 */
public final class ForecastCheck {
  /** For runs of which nothing is forecast. */
  public static final ForecastCheck NONE =
      new ForecastCheck(CompletableFuture.completedFuture(Optional.empty()));

  private static final long LONGEST_WAIT_SECONDS = 2;

  private final CompletableFuture<Optional<Estimation>> estimation;

  private ForecastCheck(CompletableFuture<Optional<Estimation>> estimation) {
    this.estimation = estimation;
  }

  /** Whoever works the forecast out. */
  @FunctionalInterface
  public interface Estimating {
    Estimation estimate() throws IOException, BadInput;
  }

  /** Begins to work it out, on a thread of its own. */
  public static ForecastCheck start(Estimating estimating) {
    var result = new CompletableFuture<Optional<Estimation>>();
    Thread.ofPlatform()
        .daemon()
        .name("flyball-forecast")
        .start(
            () -> {
              try {
                result.complete(Optional.of(estimating.estimate()));
              } catch (IOException | BadInput gone) {
                // The run itself says so.
                result.complete(Optional.empty());
              } catch (RuntimeException | Error broken) {
                result.completeExceptionally(broken);
              }
            });
    return new ForecastCheck(result);
  }

  /** The forecast, if it is known by now. */
  public Optional<Estimation> known() throws InterruptedException {
    try {
      return estimation.get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      return Optional.empty();
    } catch (ExecutionException broken) {
      throw new IllegalStateException("a defect in Flyball: please report it", broken.getCause());
    }
  }

  /** The forecast beside the truth, of a run that did all that it was to do. */
  public Optional<Compared> compared(Duration took, Optional<Cost> cost)
      throws InterruptedException {
    return known()
        .map(
            each ->
                new Compared(
                    each.forecast().median(),
                    each.forecast().ninth(),
                    took,
                    Step.consumption(each.steps()),
                    cost,
                    each.calibratedOn()));
  }

  /**
   * A forecast and what became of it.
   *
   * @param expected what it was to cost
   * @param cost what it cost, by the list, if it was simulated too
   */
  public record Compared(
      Duration median,
      Duration ninth,
      Duration took,
      Optional<Cost> expected,
      Optional<Cost> cost,
      int calibratedOn) {

    /** By which part of the truth the time was missed. */
    public double timeError() {
      return (median.toNanos() - (double) took.toNanos()) / took.toNanos();
    }

    /** By which part of the truth the cost was missed, where both are known. */
    public OptionalDouble costError() {
      return expected.isPresent() && cost.isPresent() && cost.get().micros() > 0
          ? OptionalDouble.of(
              (expected.get().micros() - (double) cost.get().micros()) / cost.get().micros())
          : OptionalDouble.empty();
    }
  }
}
