package dev.flyball.cli.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.report.StoredReview;
import dev.flyball.review.run.StoredRuns;
import dev.flyball.review.select.Subject;
import dev.flyball.run.ExitCode;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a review that has ended goes: to what is kept of reviews, to the screen and the files that
 * were asked for, and to the pull request that it is of.
 *
 * @param outputs in which formats it is written
 * @param gate what of it fails the command
 * @param pull the pull request that it is of, if it is of one
 */
public record ReviewDelivery(
    Subject subject,
    ReviewOutputs outputs,
    Gate gate,
    Optional<PullReview> pull,
    Map<String, String> environment,
    Terminal terminal,
    PrintWriter out,
    PrintWriter err) {

  /** Keeps it, so that it can be written again; that it cannot be kept stops nothing. */
  public StoredReview keep(
      Review review,
      JsonNode plan,
      Function<Place.Lines, Optional<SourceText>> texts,
      ExitCode exit) {
    var now = Time.system().wall();
    var stored =
        StoredReview.of(
            StoredRuns.name(now),
            now,
            subject.title(),
            review,
            plan,
            pull.map(it -> it.discussion(review, texts)).orElse(NullNode.getInstance()),
            texts);
    try {
      StoredRuns.of(environment).keep(stored);
      new WorkflowFiles(environment).add(review, stored.run(), exit);
    } catch (IOException full) {
      err.println("flyball review: this review could not be saved: " + full.getMessage());
    }
    return stored;
  }

  /** Writes it in all formats that were asked for. */
  public void write(StoredReview stored, Function<Place.Lines, Optional<SourceText>> texts)
      throws IOException {
    outputs.write(stored, gate, texts, out, terminal);
  }

  /** Posts it, if there is where to. */
  public ExitCode post(StoredReview stored, ExitCode exit) throws InterruptedException {
    boolean annotated = outputs.screen() == ReviewOutputs.Format.ANNOTATIONS;
    return pull.isEmpty() ? exit : pull.get().post(stored, exit, annotated, out);
  }
}
