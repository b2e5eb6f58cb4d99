package dev.flyball.cli;

import dev.flyball.batch.Attempted;
import dev.flyball.batch.Report;
import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.Reply;
import dev.flyball.forecast.Observed;
import dev.flyball.forecast.Step;
import dev.flyball.history.Asked;
import dev.flyball.history.AttemptOutcome;
import dev.flyball.history.Calibration;
import dev.flyball.history.Ending;
import dev.flyball.history.Forecast;
import dev.flyball.history.History;
import dev.flyball.history.HistoryUnavailable;
import dev.flyball.history.Origin;
import dev.flyball.history.PastAttempt;
import dev.flyball.history.Prices;
import dev.flyball.history.Review;
import dev.flyball.history.Run;
import dev.flyball.history.Trouble;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run as its history takes it in: the two speak of the same things in words of their own. */
final class Remembered {
  private final History history;
  private final String run;
  private final Prices prices;

  private Remembered(History history, String run, Prices prices) {
    this.history = history;
    this.run = run;
    this.prices = prices;
  }

  /** A run begins. */
  static Remembered begin(History history, Run run)
      throws HistoryUnavailable, InterruptedException {
    return new Remembered(history, history.begin(run), run.prices());
  }

  /** What earlier runs saw of a model, the latest first. */
  static List<Observed> of(History history, String model, Origin origin) {
    try {
      return history.calibration(model, "", origin, dev.flyball.forecast.Calibration.LAST).stream()
          .map(Remembered::observed)
          .toList();
    } catch (HistoryUnavailable gone) {
      // A forecast does without; whoever writes to it next will say so.
      return List.of();
    }
  }

  private static Observed observed(Calibration sums) {
    return new Observed(
        sums.answered(),
        (double) sums.estimatedInput(),
        (double) sums.input(),
        (double) sums.output(),
        (double) sums.outputSquares(),
        (double) sums.latency(),
        (double) sums.latencySquares(),
        (double) sums.latencyTimesOutput());
  }

  void expect(Estimation estimation) throws InterruptedException {
    var cost = Step.consumption(estimation.steps()).orElse(Cost.NOTHING);
    history.expect(
        run,
        new Forecast.Expected(
            estimation.forecast().median(),
            estimation.forecast().ninth(),
            estimation.usage().costing(cost),
            estimation.calibratedOn()));
  }

  void record(Attempted tried) throws InterruptedException {
    record(tried, "");
  }

  /** The same of a lens. */
  void record(Attempted tried, String lens) throws InterruptedException {
    var asked =
        Asked.of(tried.lane().toString(), tried.model(), tried.id())
            .by(lens)
            .expecting(Math.round(tried.plain()), tried.estimate().maxOutput());
    history.record(
        new PastAttempt(
            run,
            asked,
            tried.number(),
            outcome(tried.reply()),
            throttledBy(tried.reply()),
            tried.usage().costing(tried.cost().orElse(Cost.NOTHING)),
            tried.cost().isPresent() ? prices : Prices.UNKNOWN,
            tried.took(),
            waits(tried),
            tried.at()));
  }

  private static Map<String, Duration> waits(Attempted tried) {
    var all = new HashMap<String, Duration>();
    tried.waited().forEach((what, time) -> all.put(what.name(), time));
    return all;
  }

  private static AttemptOutcome outcome(Reply<?> reply) {
    return switch (reply) {
      case Reply.Answered<?> answered -> AttemptOutcome.ANSWERED;
      case Reply.Throttled<?> throttled -> AttemptOutcome.THROTTLED;
      case Reply.Overloaded<?> overloaded -> AttemptOutcome.OVERLOADED;
      case Reply.Broken<?> broken -> AttemptOutcome.BROKEN;
      case Reply.CutShort<?> cut -> AttemptOutcome.CUT_SHORT;
      case Reply.Rejected<?> rejected -> AttemptOutcome.REJECTED;
    };
  }

  private static String throttledBy(Reply<?> reply) {
    if (!(reply instanceof Reply.Throttled<?>)) {
      return "";
    }
    return reply.signals().acceleration()
        ? "acceleration"
        : reply.signals().exceeded().map(Dimension::toString).orElse("");
  }

  void end(Report report, int exit) throws InterruptedException {
    var total = report.lanes().total();
    history.end(
        run,
        new Ending(
            report.wall(),
            exit,
            total.total(),
            report.completed() - report.earlier(),
            report.errored(),
            report.costs().priced()));
  }

  /** The end of a run of so many attempts. */
  void end(Ending ending) throws InterruptedException {
    history.end(run, ending);
  }

  /** What a review came to. */
  void reviewed(Review review) throws HistoryUnavailable, InterruptedException {
    history.upsert(review);
  }

  /** What stands in the way of remembering, for the screen. */
  Optional<String> trouble() {
    return switch (history.trouble()) {
      case Trouble.None none ->
          history.waiting() > 0
              ? Optional.of("waiting for the history to be written")
              : Optional.empty();
      case Trouble.Retrying(var reason) ->
          Optional.of("the history cannot be written, trying again: " + reason);
      case Trouble.GaveUp(var reason, var lost) ->
          Optional.of("the history has lost %,d attempts: %s".formatted(lost, reason));
    };
  }
}
