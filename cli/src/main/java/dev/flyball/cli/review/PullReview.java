package dev.flyball.cli.review;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.cli.option.PullOptions;
import dev.flyball.cli.screen.InertWriter;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.publish.Discussion;
import dev.flyball.publish.HostTrouble;
import dev.flyball.publish.OpenPullRequest;
import dev.flyball.publish.PullRequest;
import dev.flyball.publish.PullRequests;
import dev.flyball.publish.PullSubject;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.report.AnnotationReport;
import dev.flyball.review.report.StoredReview;
import dev.flyball.review.run.EarlierReview;
import dev.flyball.review.run.ReviewEnd;
import dev.flyball.review.run.ReviewedPull;
import dev.flyball.review.run.StoredRuns;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.ExitCode;
import dev.flyball.run.HistoryHandle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A pull request that is being reviewed: what is looked at, and what becomes of the review. */
public final class PullReview implements AutoCloseable {
  private static final int SHORT = 7;

  private final PullOptions options;
  private final PullRequests door;
  private final PullRequest pull;
  private final Map<String, String> environment;
  private final PrintWriter err;
  private PullSubject subject;
  private @Nullable EarlierReview earlier;
  private Set<String> changed = Set.of();

  private PullReview(
      PullOptions options,
      PullRequests door,
      PullRequest pull,
      PullSubject subject,
      Map<String, String> environment,
      PrintWriter err) {
    this.options = options;
    this.door = door;
    this.pull = pull;
    this.subject = subject;
    this.environment = environment;
    this.err = err;
  }

  /** Whether a history knows that the head of one was reviewed in full. */
  public static boolean isReviewed(HistoryHandle past, OpenPullRequest open)
      throws InterruptedException {
    try {
      return EarlierReview.head(past, PullRequests.reviewed(open))
          .filter(open.head()::equals)
          .isPresent();
    } catch (HistoryUnavailable unknown) {
      return false;
    }
  }

  /** Makes sure that it can be posted, if it is to be, and reads what there is to be reviewed. */
  public static PullReview open(
      PullOptions options,
      PullRequest pull,
      Path folder,
      Map<String, String> environment,
      PrintWriter err)
      throws HostTrouble, InterruptedException, SourceUnavailable, IOException {
    var door = PullRequests.at(options.place(environment), environment);
    boolean opened = false;
    try {
      if (options.post()) {
        door.checkPostable(pull);
      }
      var review =
          new PullReview(options, door, pull, door.subject(pull, folder), environment, err);
      opened = true;
      return review;
    } finally {
      if (!opened) {
        door.close();
      }
    }
  }

  public Subject subject() {
    return subject.subject();
  }

  public String purpose() {
    return pull.purpose();
  }

  public ReviewedPull reviewed() {
    return PullRequests.reviewed(pull);
  }

  /** Leaves out what the last complete review has seen as it is now, if that is asked for. */
  public void narrow(Optional<HistoryLocation> history)
      throws HostTrouble, HistoryUnavailable, InterruptedException, IOException {
    if (!options.sinceLast()) {
      return;
    }
    try (var handle = HistoryHandle.of(history)) {
      var head = EarlierReview.head(handle, reviewed());
      var last = EarlierReview.of(handle, reviewed(), head.flatMap(this::kept));
      if (last.isEmpty()) {
        err.println(
            "there is no complete earlier review of %s: reviewing all of it"
                .formatted(pull.name()));
        return;
      }
      var brief = last.get().head().substring(0, Math.min(SHORT, last.get().head().length()));
      var files = door.changedSince(pull, last.get().head());
      if (files.isEmpty()) {
        err.println(
            "%s, which was reviewed last, is no longer on the branch (force push or rebase): reviewing all of it"
                .formatted(brief));
        return;
      }
      changed = files.get();
      earlier = last.get();
      subject = subject.only(changed);
      err.println(
          "since the review of %s: %d of %d files are reviewed again, %d findings elsewhere are carried forward"
              .formatted(
                  brief,
                  subject.subject().items().size(),
                  subject.subject().items().size() + subject.subject().skipped().size(),
                  last.get().outside(changed).size()));
    }
  }

  /** The same review as it is kept in full. */
  private Optional<StoredReview> kept(String head) {
    try {
      var runs = StoredRuns.of(environment);
      for (var id : runs.names()) {
        var stored = runs.find(id);
        var where = stored.flatMap(it -> Discussion.of(it.discussion()));
        if (where
            .filter(it -> it.name().equals(pull.name()) && it.head().equals(head))
            .isPresent()) {
          return stored;
        }
      }
    } catch (IOException damaged) {
      // The history knows enough of it.
      return Optional.empty();
    }
    return Optional.empty();
  }

  public ReviewEnd carrying(ReviewEnd ended) {
    var last = earlier;
    return last == null ? ended : ended.carrying(last, last.outside(changed));
  }

  /** Where its findings can be commented. */
  public JsonNode discussion(Review review, Function<Place.Lines, Optional<SourceText>> texts) {
    return subject.discussion(review, texts).json();
  }

  /** Posts it, if it is to be; whatever goes wrong, the review is kept and can be posted later. */
  public ExitCode post(StoredReview stored, ExitCode exit, boolean annotated, PrintWriter out)
      throws InterruptedException {
    return options.post()
        ? post(door, stored, options.approve(), exit, annotated, environment, out, err)
        : exit;
  }

  /** The same of one that was kept. */
  public static ExitCode post(
      PullRequests door,
      StoredReview stored,
      boolean approve,
      ExitCode exit,
      boolean annotated,
      Map<String, String> environment,
      PrintWriter out,
      PrintWriter err)
      throws InterruptedException {
    try {
      var posting = door.post(stored, approve);
      err.println(posting.words());
      posting.remarks().forEach(err::println);
      return exit;
    } catch (HostTrouble trouble) {
      if (trouble.reason() == HostTrouble.Reason.READ_ONLY
          && new WorkflowFiles(environment).isWorkflow()) {
        err.println(
            "flyball: not posted, because this token may only read, as in a job of a fork: the"
                + " findings are annotations instead");
        if (!annotated) {
          AnnotationReport.of(stored.review())
              .lines()
              .forEach(line -> out.print(InertWriter.command(line) + "\n"));
          out.flush();
        }
        return exit;
      }
      err.println(
          "flyball: not posted: %s; the review is kept, and `flyball report %s --post` posts it"
              .formatted(trouble.getMessage(), stored.run()));
      return ExitCode.INCOMPLETE;
    }
  }

  @Override
  public void close() {
    subject.close();
    door.close();
  }
}
