package dev.flyball.publish;

import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.report.StoredReview;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.run.ReviewListener;
import dev.flyball.review.run.ReviewSettings;
import dev.flyball.review.run.UnattendedReview;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunSetup;
import dev.flyball.run.work.WorkScheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reviews pull requests from beginning to end with nobody watching: read, asked, kept and posted. A
 * worker that was killed is simply told the same again: what was answered is not asked again, and
 * what was posted is not posted again.
 */
public final class PullRequestWorker {
  /** How it ended. */
  public sealed interface Ended {}

  /** There was nothing to do: it is a draft, or closed, or its head has its review already. */
  public record LeftAlone(String why) implements Ended {}

  /**
   * It was reviewed.
   *
   * @param exit as the command would have ended
   * @param posting empty if that failed
   * @param trouble what stood in the way of posting, if anything; the review is kept
   */
  public record Reviewed(
      StoredReview review, ExitCode exit, Optional<Posting> posting, Optional<HostTrouble> trouble)
      implements Ended {}

  private final PullRequests door;
  private final RunSetup run;
  private final ReviewSettings settings;
  private final RuleChoices rules;
  private final Gate gate;
  private final Path folder;
  private final Optional<WorkScheduler> shared;
  private final boolean drafts;

  /**
   * A worker that reviews one at a time.
   *
   * @param run whose providers, keys, history and state are used; whoever opened it closes it
   * @param folder a clone may be there, which is then read instead of the host
   */
  public PullRequestWorker(
      PullRequests door,
      RunSetup run,
      ReviewSettings settings,
      RuleChoices rules,
      Gate gate,
      Path folder) {
    this(door, run, settings, rules, gate, folder, Optional.empty(), false);
  }

  private PullRequestWorker(
      PullRequests door,
      RunSetup run,
      ReviewSettings settings,
      RuleChoices rules,
      Gate gate,
      Path folder,
      Optional<WorkScheduler> shared,
      boolean drafts) {
    this.shared = shared;
    this.drafts = drafts;
    this.door = door;
    this.run = run;
    this.settings = settings;
    this.rules = rules;
    this.gate = gate;
    this.folder = folder;
  }

  /** The same in a scheduler that others use too, so that several may work at a time. */
  public PullRequestWorker in(WorkScheduler all) {
    return new PullRequestWorker(
        door, run, settings, rules, gate, folder, Optional.of(all), drafts);
  }

  /** The same for drafts too, and what is marked as work in progress. */
  public PullRequestWorker withDrafts(boolean wanted) {
    return new PullRequestWorker(door, run, settings, rules, gate, folder, shared, wanted);
  }

  /**
   * Reviews one and posts that.
   *
   * @param approves whether it may approve, if nothing is against it
   * @throws HostTrouble if it cannot be read, or could not be posted; nothing was asked then
   */
  public Ended work(PullRequestName name, boolean approves, ReviewListener listener)
      throws HostTrouble, InterruptedException, IOException, SourceUnavailable, Baseline.Damaged {
    var pull = door.read(name);
    if (pull.state() != PullRequest.State.OPEN) {
      return new LeftAlone("%s is %s".formatted(name, pull.state()));
    }
    if (!drafts && pull.unready().isPresent()) {
      return new LeftAlone("%s %s".formatted(name, pull.unready().get()));
    }
    door.checkPostable(pull);
    if (door.hasReview(pull)) {
      return new LeftAlone("%s has a complete review of its head".formatted(name));
    }
    try (var subject = door.subject(pull, folder)) {
      var review =
          UnattendedReview.of(
              run,
              shared,
              subject.subject(),
              settings.about(pull.purpose()),
              rules,
              gate,
              Optional.of(PullRequests.reviewed(pull)),
              (found, texts) -> subject.discussion(found, texts).json(),
              listener);
      try {
        var posting = door.post(review.stored(), approves);
        return new Reviewed(review.stored(), review.exit(), Optional.of(posting), Optional.empty());
      } catch (HostTrouble trouble) {
        return new Reviewed(review.stored(), review.exit(), Optional.empty(), Optional.of(trouble));
      }
    }
  }
}
