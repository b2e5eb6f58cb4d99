package dev.flyball.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.batch.Batch;
import dev.flyball.batch.BatchReport;
import dev.flyball.call.Cost;
import dev.flyball.forecast.Step;
import dev.flyball.run.BadInput;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What was forecast of a run when it began. It is worked out beside the run's beginning, from what
 * was known then, so that nobody waits for it.
 */
final class ForecastCheck {
  static final ForecastCheck NONE =
      new ForecastCheck(CompletableFuture.completedFuture(Optional.empty()));

  private static final long MOST_READ = 2_000;
  private static final long PATIENCE = 2;

  private final CompletableFuture<Optional<Estimation>> estimation;

  private ForecastCheck(CompletableFuture<Optional<Estimation>> estimation) {
    this.estimation = estimation;
  }

  static ForecastCheck of(Batch batch, ForecastInputs outlook) {
    var result = new CompletableFuture<Optional<Estimation>>();
    Thread.ofPlatform()
        .daemon()
        .name("flyball-forecast")
        .start(
            () -> {
              try {
                result.complete(Optional.of(outlook.on(batch, MOST_READ, read -> {})));
              } catch (IOException | BadInput gone) {
                // The run itself says so.
                result.complete(Optional.empty());
              } catch (RuntimeException | Error broken) {
                result.completeExceptionally(broken);
              }
            });
    return new ForecastCheck(result);
  }

  /** What was forecast, if that is known by now. */
  Optional<Estimation> known() throws InterruptedException {
    try {
      return estimation.get(PATIENCE, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      return Optional.empty();
    } catch (ExecutionException broken) {
      throw new IllegalStateException("a defect in Flyball: please report it", broken.getCause());
    }
  }

  /** The forecast beside the truth, of a run that did all that it was to do. */
  Optional<Compared> compared(BatchReport report) throws InterruptedException {
    if (report.skipped() > 0 || report.stop().isPresent()) {
      return Optional.empty();
    }
    return known()
        .map(
            each ->
                new Compared(
                    each.forecast().median(),
                    each.forecast().ninth(),
                    report.wall(),
                    Step.consumption(each.steps()),
                    report.costs().known(),
                    each.calibratedOn()));
  }

  /**
   * A forecast and what became of it.
   *
   * @param expected what it was to cost
   * @param cost what it cost, by the list, if it was simulated too
   */
  record Compared(
      Duration median,
      Duration ninth,
      Duration took,
      Optional<Cost> expected,
      Optional<Cost> cost,
      int calibratedOn) {

    /** By which part of the truth the time was missed. */
    double timeError() {
      return (median.toNanos() - (double) took.toNanos()) / took.toNanos();
    }

    OptionalDouble costError() {
      return expected.isPresent() && cost.isPresent() && cost.get().micros() > 0
          ? OptionalDouble.of(
              (expected.get().micros() - (double) cost.get().micros()) / cost.get().micros())
          : OptionalDouble.empty();
    }

    String words() {
      var money =
          costError().isPresent()
              ? " and %s (%s)".formatted(expected.orElseThrow(), off(costError().getAsDouble()))
              : "";
      var calibrated = calibratedOn > 0 ? "calibrated on " + calibratedOn + " runs" : "default";
      return "forecast %s (%s)%s; %s"
          .formatted(EstimatePage.words(median), off(timeError()), money, calibrated);
    }

    private static String off(double part) {
      long percent = Math.round(Math.abs(part) * 100);
      return percent == 0 ? "right" : percent + " % too " + (part > 0 ? "much" : "little");
    }

    void write(ObjectNode node) {
      node.put("p50Seconds", median.toMillis() / 1e3)
          .put("p90Seconds", ninth.toMillis() / 1e3)
          .put("timeError", Math.round(timeError() * 1e3) / 1e3);
      expected.ifPresent(each -> node.put("costUsd", each.toString().substring(1)));
      costError().ifPresent(each -> node.put("costError", Math.round(each * 1e3) / 1e3));
      node.put("calibratedOn", calibratedOn);
    }
  }
}
