package dev.flyball.review.run;

import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.review.ask.UnitRunner;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.select.Subject;
import dev.flyball.run.Estimation;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunRecorder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The end of a review that asked models.
 *
 * @param remarks what people should know beside it
 * @param unreachable whether nobody was there to answer, or nobody let us in
 * @param turnedAway whether somebody was there and let nobody in: the key, or what it may do
 * @param recorder where it is remembered, if it is
 */
public record ReviewEnd(
    Review review,
    ReviewUsage usage,
    UnitRunner.Answers answers,
    List<String> remarks,
    boolean unreachable,
    boolean turnedAway,
    Optional<RunRecorder> recorder) {

  /** How it ended, for a gate; an incomplete one passes only where that is allowed. */
  public ExitCode exit(Gate gate, boolean allowIncomplete) {
    if (unreachable && answers.cached() == 0) {
      return ExitCode.UNREACHABLE;
    }
    if (review.verdict() == Verdict.SIMULATED) {
      return ExitCode.DONE;
    }
    return review.verdict() == Verdict.INCOMPLETE && !allowIncomplete
        ? ExitCode.INCOMPLETE
        : gate.stops(review) ? ExitCode.FAILED : ExitCode.DONE;
  }

  /**
   * How far off a forecast was that had earlier reviews to go by, of one that asked everything;
   * empty of another.
   */
  public Optional<String> forecastError(Estimation forecast) {
    boolean whole =
        answers.unanswered().isEmpty()
            && answers.cached() == 0
            && answers.asked() > 0
            && forecast.calibratedOn() > 0;
    double took = Math.max(1e-3, usage.took().toMillis() / 1e3);
    double time = forecast.forecast().median().toMillis() / 1e3;
    double tokens = (double) forecast.usage().tokens();
    return whole
        ? Optional.of(
            "forecast: %.1f s (%+.0f %%), 90 %% of runs under %.1f s; %,d tokens (%+.0f %%)"
                .formatted(
                    time,
                    100 * (time - took) / took,
                    forecast.forecast().ninth().toMillis() / 1e3,
                    Math.round(tokens),
                    100 * (tokens - usage.tokens()) / Math.max(1, usage.tokens())))
        : Optional.empty();
  }

  /** The same with what an earlier review has found where this one did not look again. */
  public ReviewEnd carrying(EarlierReview earlier, List<Finding> open) {
    var all = new ArrayList<>(review.findings());
    var found = all.stream().map(Finding::id).collect(Collectors.toSet());
    open.stream().filter(finding -> !found.contains(finding.id())).forEach(all::add);
    var verdict =
        switch (review.verdict()) {
          case INCOMPLETE, SIMULATED, STATIC_ONLY -> review.verdict();
          case NOTHING_TO_REVIEW ->
              earlier.verdict() == Verdict.NOTHING_TO_REVIEW && all.isEmpty()
                  ? Verdict.NOTHING_TO_REVIEW
                  : Verdict.of(all, review.coverage());
          case APPROVED, APPROVED_WITH_COMMENTS, NEEDS_WORK, CHANGES_REQUESTED ->
              Verdict.of(all, review.coverage());
        };
    return new ReviewEnd(
        new Review(
            verdict,
            review.mode(),
            review.coverage(),
            all,
            review.contradictions(),
            review.usage()),
        usage,
        answers,
        remarks,
        unreachable,
        turnedAway,
        recorder);
  }

  /** Remembers it, once it is known how it ended for whoever asked. */
  public void remember(
      Subject subject,
      OptionalLong budget,
      Optional<Estimation> forecast,
      Instant started,
      ExitCode exit)
      throws HistoryUnavailable, InterruptedException {
    remember(subject, budget, forecast, started, exit, Optional.empty());
  }

  /** The same of a pull request. */
  public void remember(
      Subject subject,
      OptionalLong budget,
      Optional<Estimation> forecast,
      Instant started,
      ExitCode exit,
      Optional<ReviewedPull> pull)
      throws HistoryUnavailable, InterruptedException {
    if (recorder.isEmpty()) {
      return;
    }
    if (forecast.isPresent()) {
      recorder.get().expect(forecast.get());
    }
    long failed = answers.unanswered().size();
    try {
      recorder.get().reviewed(ReviewRecord.of(subject, this, budget, started, pull));
    } finally {
      recorder
          .get()
          .end(
              usage.took(),
              exit.code(),
              answers.asked(),
              Math.max(0, answers.asked() - failed),
              failed,
              usage.cost());
    }
  }
}
