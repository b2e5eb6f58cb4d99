package dev.flyball.review.run;

import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.review.ask.UnitRunner;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.select.Subject;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunRecorder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The end of a review that asked models.
 *
 * @param remarks what people should know beside it
 * @param unreachable whether nobody was there to answer, or nobody let us in
 * @param recorder where it is remembered, if it is
 */
public record ReviewEnd(
    Review review,
    ReviewUsage usage,
    UnitRunner.Answers answers,
    List<String> remarks,
    boolean unreachable,
    Optional<RunRecorder> recorder) {

  /** How it ended, for a gate; an incomplete one passes only where that is allowed. */
  public ExitCode exit(Gate gate, boolean allowIncomplete) {
    if (unreachable && answers.cached() == 0) {
      return ExitCode.UNREACHABLE;
    }
    return review.verdict() == Verdict.INCOMPLETE && !allowIncomplete
        ? ExitCode.INCOMPLETE
        : gate.stops(review) ? ExitCode.FAILED : ExitCode.DONE;
  }

  /** Remembers it, once it is known how it ended for whoever asked. */
  public void remember(Subject subject, OptionalLong budget, Instant started, ExitCode exit)
      throws HistoryUnavailable, InterruptedException {
    if (recorder.isEmpty()) {
      return;
    }
    long failed = answers.unanswered().size();
    try {
      recorder.get().reviewed(ReviewRecord.of(subject, this, budget, started));
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
