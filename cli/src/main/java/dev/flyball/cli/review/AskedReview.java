package dev.flyball.cli.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.flyball.cli.option.ProgressOptions.Shown;
import dev.flyball.cli.screen.Confirmation;
import dev.flyball.cli.screen.Interrupts;
import dev.flyball.cli.screen.PlanPage;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.cli.screen.TerminalTraits.Channel;
import dev.flyball.cli.screen.WorkLine;
import dev.flyball.history.History;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.review.report.StoredReview;
import dev.flyball.review.run.PlanForecast;
import dev.flyball.review.run.PlanJson;
import dev.flyball.review.run.ReviewEnd;
import dev.flyball.review.run.ReviewRun;
import dev.flyball.review.run.ReviewSettings;
import dev.flyball.review.run.ReviewSetup;
import dev.flyball.review.run.StaticRemarks;
import dev.flyball.review.run.UnaskedReview;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunBounds;
import dev.flyball.run.RunSetup;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A review by models as somebody at a screen sees it: planned, agreed to, watched, held against its
 * forecast, delivered and remembered.
 *
 * @param delivery where it goes when it has ended
 * @param consent whether a whole repository may be asked about without a question
 * @param allowIncomplete whether parts without an answer are no failure
 */
public record AskedReview(
    Subject subject,
    ReviewSettings settings,
    ReviewDelivery delivery,
    Shown shown,
    boolean consent,
    boolean allowIncomplete) {

  /** Asks, and says how it ended. */
  public ExitCode run(RunSetup run, StaticReview looked, WorkLine work)
      throws IOException,
          SourceUnavailable,
          Baseline.Damaged,
          HistoryUnavailable,
          InterruptedException {
    work.title(subject.title());
    var setup = ReviewSetup.of(run, subject, settings);
    var plan = setup.plan(work.reading());
    work.end();
    var past = run.history().read();
    if (!mayAsk(setup, plan, past)) {
      return ExitCode.REFUSED;
    }
    if (subject.isChange() && shown != Shown.JSON && shown != Shown.NONE) {
      plan.budget().ifPresent(most -> err().println("budget: up to %,d tokens".formatted(most)));
    }
    // What was forecast is worked out while models are asked, and held against what became of it.
    var forecast = CompletableFuture.supplyAsync(() -> setup.forecast(plan, past));
    var started = run.time().wall();
    var asked = new ReviewRun(setup, plan);
    var ended = watched(setup, plan, asked, looked);
    var foretold = forecast.join();
    var pull = delivery.pull();
    if (pull.isPresent()) {
      ended = pull.get().carrying(ended);
    }
    var exit = ended.exit(delivery.gate(), allowIncomplete);
    var stored = delivery.keep(ended.review(), planned(foretold, run), asked::text, exit);
    if (!written(stored, asked)) {
      exit = ExitCode.INCOMPLETE;
    }
    StaticRemarks.suppressed(subject, looked).forEach(err()::println);
    ended.remarks().forEach(err()::println);
    ended.forecastError(foretold.estimation()).ifPresent(err()::println);
    try {
      ended.remember(
          subject,
          plan.budget(),
          Optional.of(foretold.estimation()),
          started,
          exit,
          pull.map(PullReview::reviewed));
    } catch (HistoryUnavailable gone) {
      err().println("flyball review: this review was not recorded: " + gone.getMessage());
    }
    return delivery.post(stored, exit);
  }

  private PrintWriter err() {
    return delivery.err();
  }

  private ReviewEnd watched(
      ReviewSetup setup, ReviewPlan plan, ReviewRun asked, StaticReview looked)
      throws IOException,
          SourceUnavailable,
          Baseline.Damaged,
          HistoryUnavailable,
          InterruptedException {
    var live = Terminal.of(Channel.ERR, err(), delivery.environment());
    var screen = new ReviewWatch(subject.title(), setup, plan.budget(), shown, live, err());
    var interrupts =
        new Interrupts(
            () -> screen.drain(asked::drain),
            () -> screen.drain(() -> asked.drain(RunBounds.DRAIN)),
            () -> {});
    ReviewEnd ended;
    try {
      ended = asked.run(looked, UnaskedReview.baseline(subject), screen);
    } finally {
      interrupts.close();
    }
    screen.close();
    return ended;
  }

  private JsonNode planned(PlanForecast foretold, RunSetup run) {
    return delivery.outputs().hasJson()
        ? PlanJson.of(foretold, run.prices().version())
        : NullNode.getInstance();
  }

  /** The answers are kept, whatever becomes of the report. */
  private boolean written(StoredReview stored, ReviewRun asked) {
    try {
      delivery.write(stored, asked::text);
      return true;
    } catch (IOException full) {
      err()
          .println(
              "flyball review: the report could not be written: %s; the answers are kept, and the same command writes it again"
                  .formatted(full.getMessage()));
      return false;
    }
  }

  /** A whole repository may cost more than somebody thinks. */
  private boolean mayAsk(ReviewSetup setup, ReviewPlan plan, Optional<History> past)
      throws IOException {
    if (subject.isChange() || consent) {
      return true;
    }
    var page =
        new PlanPage(delivery.terminal()).lines(setup.forecast(plan, past), setup.pricesVersion());
    return Confirmation.given(page, delivery.out(), err());
  }
}
