package dev.flyball.review.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.flyball.call.Tenant;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.review.check.CheckListener;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.plan.SubjectReading;
import dev.flyball.review.report.StoredReview;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunSetup;
import dev.flyball.run.work.WorkScheduler;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * A review from beginning to end, with nobody watching: checked, asked, kept and remembered.
 *
 * @param exit as the command would have ended
 */
public record UnattendedReview(StoredReview stored, ExitCode exit) {
  /** The note of where a review can be talked about. */
  @FunctionalInterface
  public interface Notes {
    JsonNode of(Review review, Function<Place.Lines, Optional<SourceText>> texts);
  }

  /** Notes of a review that is talked about nowhere. */
  public static final Notes NOWHERE = (review, texts) -> NullNode.getInstance();

  /**
   * Reviews a subject.
   *
   * @param pull the pull request that it is, if it is one
   * @throws IOException if what has to be kept cannot be; what was answered is not asked again
   */
  public static UnattendedReview of(
      RunSetup run,
      Subject subject,
      ReviewSettings settings,
      RuleChoices rules,
      Gate gate,
      Optional<ReviewedPull> pull,
      Notes notes,
      ReviewListener listener)
      throws IOException, SourceUnavailable, Baseline.Damaged, InterruptedException {
    return of(run, Optional.empty(), subject, settings, rules, gate, pull, notes, listener);
  }

  /**
   * Reviews a subject in a scheduler that others use too; an interrupt ends it at once.
   *
   * @param shared the scheduler; empty for one of its own
   * @param pull the pull request that it is, if it is one
   * @throws IOException if what has to be kept cannot be; what was answered is not asked again
   */
  public static UnattendedReview of(
      RunSetup run,
      Optional<WorkScheduler> shared,
      Subject subject,
      ReviewSettings settings,
      RuleChoices rules,
      Gate gate,
      Optional<ReviewedPull> pull,
      Notes notes,
      ReviewListener listener)
      throws IOException, SourceUnavailable, Baseline.Damaged, InterruptedException {
    int cores = Runtime.getRuntime().availableProcessors();
    var looked = StaticReview.on(subject, rules, cores, CheckListener.NONE);
    var setup = ReviewSetup.of(run, subject, settings);
    var plan = setup.plan(SubjectReading.Progress.NONE);
    var asked =
        shared
            .map(all -> ReviewRun.in(part(all, setup), setup, plan))
            .orElseGet(() -> new ReviewRun(setup, plan));
    var started = run.time().wall();
    try {
      var ended = asked.run(looked, UnaskedReview.baseline(subject), listener);
      var exit = ended.exit(gate, false);
      var now = run.time().wall();
      var stored =
          StoredReview.of(
              StoredRuns.name(now),
              now,
              subject.title(),
              ended.review(),
              NullNode.getInstance(),
              notes.of(ended.review(), asked::text),
              asked::text);
      StoredRuns.of(run.environment()).keep(stored);
      ended.remember(subject, plan.budget(), Optional.empty(), started, exit, pull);
      return new UnattendedReview(stored, exit);
    } catch (HistoryUnavailable unavailable) {
      throw new IOException(unavailable.getMessage(), unavailable);
    }
  }

  private static SharedScheduler part(WorkScheduler all, ReviewSetup setup) {
    for (var reviewer : setup.reviewers().values()) {
      reviewer.keys().all().forEach(lane -> all.know(lane.id(), setup.profile()));
    }
    var payer = WorkScheduler.ACCOUNT.part("review " + UUID.randomUUID());
    return new SharedScheduler(all.flyball(), Tenant.ONLY, payer, "queue");
  }
}
