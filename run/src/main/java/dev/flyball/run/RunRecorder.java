package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.Reply;
import dev.flyball.forecast.Calibration;
import dev.flyball.forecast.FollowUp;
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
import dev.flyball.history.record.TenantSpending;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The record of one run in the history: how it began, each attempt, and how it ended. */
public final class RunRecorder {
  private static final int LAST = Calibration.LAST;

  private final History history;
  private final String run;
  private final PriceBasis prices;

  private RunRecorder(History history, String run, PriceBasis prices) {
    this.history = history;
    this.run = run;
    this.prices = prices;
  }

  /** A run begins, in a history that is made if it is not there; empty if none is kept. */
  public static Optional<RunRecorder> begin(HistoryHandle history, RunStart run)
      throws HistoryUnavailable, InterruptedException {
    var store = history.write();
    return store.isEmpty()
        ? Optional.empty()
        : Optional.of(new RunRecorder(store.get(), store.get().begin(run), run.prices()));
  }

  /** What earlier runs saw of a model in a part of what it is asked, the latest first. */
  static List<ObservedRun> of(History history, String model, String part, AnswerOrigin origin) {
    try {
      return history.calibration(model, part, origin, LAST).stream()
          .map(RunRecorder::observed)
          .toList();
    } catch (HistoryUnavailable gone) {
      // A forecast does without; whoever writes to it next will say so.
      return List.of();
    }
  }

  /**
   * What the last runs of a command had after all their other calls, the latest first.
   *
   * @param part what these calls are in the parts of what a model is asked
   */
  static List<FollowUp.Past> followed(
      History history, String command, String model, String part, AnswerOrigin origin) {
    try {
      var those = new HashMap<String, CalibrationSums>();
      history.calibration(model, part, origin, LAST).forEach(sums -> those.put(sums.run(), sums));
      return history.calibration(command, origin, LAST).stream()
          .map(
              all -> {
                var of = those.get(all.run());
                return of == null
                    ? new FollowUp.Past(all.answered(), 0, 0, 0)
                    : new FollowUp.Past(
                        all.answered() - of.answered(),
                        of.answered(),
                        of.estimatedInput(),
                        of.output());
              })
          .toList();
    } catch (HistoryUnavailable gone) {
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

  /** Notes the forecast that was made of it. */
  public void expect(Estimation estimation) throws InterruptedException {
    var cost = Step.consumption(estimation.steps()).orElse(Cost.NOTHING);
    history.expect(
        run,
        new RunForecast.Expected(
            estimation.forecast().median(),
            estimation.forecast().ninth(),
            estimation.usage().costing(cost),
            estimation.calibratedOn()));
  }

  /** Writes an attempt down; waits while too many are not written yet. */
  public void record(FinishedAttempt tried) throws InterruptedException {
    var of = tried.of();
    var call =
        CallKey.of(of.lane().toString(), of.model(), of.name())
            .lens(of.lens())
            .expecting(of.plain(), of.mostOutput())
            .on(of.tenant());
    history.record(
        new AttemptRecord(
            run,
            call,
            tried.number(),
            outcome(tried.reply()),
            throttledBy(tried.reply()),
            tried.usage().costing(tried.cost().orElse(Cost.NOTHING)),
            tried.cost().isPresent() ? prices : PriceBasis.UNKNOWN,
            tried.took(),
            waits(tried),
            tried.at()));
  }

  private static Map<String, Duration> waits(FinishedAttempt tried) {
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

  /** The run has ended: what it took, and how many of its calls were answered. */
  public void end(Duration took, int exit, long calls, long answered, long failed, Cost cost)
      throws InterruptedException {
    history.end(run, new RunEnding(took, exit, calls, answered, failed, cost));
  }

  /** Notes what tenants have used more. */
  public void spent(List<TenantSpending> more) throws InterruptedException {
    history.spent(more);
  }

  /** Keeps what a review came to. */
  public void reviewed(PastReview review) throws HistoryUnavailable, InterruptedException {
    history.upsert(run, review);
  }

  /** What stands in the way of remembering, for the screen. */
  public Optional<String> trouble() {
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
