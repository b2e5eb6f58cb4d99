package dev.flyball.cli;

import dev.flyball.batch.BatchReport;
import dev.flyball.batch.LineAttempt;
import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.Reply;
import dev.flyball.forecast.ObservedRun;
import dev.flyball.forecast.Step;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CalibrationSums;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.HistoryTrouble;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunForecast;
import dev.flyball.history.record.RunStart;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run as its history takes it in: the two speak of the same things in words of their own. */
final class RunRecorder {
  private final History history;
  private final String run;
  private final PriceBasis prices;

  private RunRecorder(History history, String run, PriceBasis prices) {
    this.history = history;
    this.run = run;
    this.prices = prices;
  }

  /** A run begins. */
  static RunRecorder begin(History history, RunStart run)
      throws HistoryUnavailable, InterruptedException {
    return new RunRecorder(history, history.begin(run), run.prices());
  }

  /** What earlier runs saw of a model, the latest first. */
  static List<ObservedRun> of(History history, String model, AnswerOrigin origin) {
    try {
      return history.calibration(model, "", origin, dev.flyball.forecast.Calibration.LAST).stream()
          .map(RunRecorder::observed)
          .toList();
    } catch (HistoryUnavailable gone) {
      // A forecast does without; whoever writes to it next will say so.
      return List.of();
    }
  }

  private static ObservedRun observed(CalibrationSums sums) {
    return new ObservedRun(
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
        new RunForecast.Expected(
            estimation.forecast().median(),
            estimation.forecast().ninth(),
            estimation.usage().costing(cost),
            estimation.calibratedOn()));
  }

  void record(LineAttempt tried) throws InterruptedException {
    record(tried, "");
  }

  /** The same of a lens. */
  void record(LineAttempt tried, String lens) throws InterruptedException {
    var asked =
        CallKey.of(tried.lane().toString(), tried.model(), tried.id())
            .lens(lens)
            .expecting(Math.round(tried.plain()), tried.estimate().maxOutput());
    history.record(
        new AttemptRecord(
            run,
            asked,
            tried.number(),
            outcome(tried.reply()),
            throttledBy(tried.reply()),
            tried.usage().costing(tried.cost().orElse(Cost.NOTHING)),
            tried.cost().isPresent() ? prices : PriceBasis.UNKNOWN,
            tried.took(),
            waits(tried),
            tried.at()));
  }

  private static Map<String, Duration> waits(LineAttempt tried) {
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

  void end(BatchReport report, int exit) throws InterruptedException {
    var total = report.lanes().total();
    history.end(
        run,
        new RunEnding(
            report.wall(),
            exit,
            total.total(),
            report.completed() - report.earlier(),
            report.errored(),
            report.costs().priced()));
  }

  /** The end of a run of so many attempts. */
  void end(RunEnding ending) throws InterruptedException {
    history.end(run, ending);
  }

  /** What a review came to. */
  void reviewed(PastReview review) throws HistoryUnavailable, InterruptedException {
    history.upsert(review);
  }

  /** What stands in the way of remembering, for the screen. */
  Optional<String> trouble() {
    return switch (history.trouble()) {
      case HistoryTrouble.None none ->
          history.waiting() > 0
              ? Optional.of("waiting for the history to be written")
              : Optional.empty();
      case HistoryTrouble.Retrying(var reason) ->
          Optional.of("the history cannot be written, trying again: " + reason);
      case HistoryTrouble.GaveUp(var reason, var lost) ->
          Optional.of("the history has lost %,d attempts: %s".formatted(lost, reason));
    };
  }
}
