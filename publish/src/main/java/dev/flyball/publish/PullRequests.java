package dev.flyball.publish;

import dev.flyball.review.report.StoredReview;
import dev.flyball.review.run.ReviewedPull;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The front door to the pull requests of one host: what is open, what there is to be reviewed, and
 * posting what came of it. It may be used by several threads.
 */
public final class PullRequests implements AutoCloseable {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

  private final CodeHost host;

  private PullRequests(CodeHost host) {
    this.host = host;
  }

  /** Whether a commit of a pull request is known to have been reviewed in full. */
  @FunctionalInterface
  public interface Known {
    boolean isReviewed(OpenPullRequest pull) throws InterruptedException;
  }

  /** At a place. */
  public static PullRequests at(HostPlace place, Map<String, String> environment) {
    return at(place, environment, Time.system(), LONGEST_WAIT);
  }

  /**
   * The same with a clock of one's own.
   *
   * @param longestWait for limits of the host, without any progress
   */
  public static PullRequests at(
      HostPlace place, Map<String, String> environment, Time time, Duration longestWait) {
    var connection = new HostConnection(place, environment, time, longestWait);
    return new PullRequests(
        switch (place.kind()) {
          case GITHUB -> new GitHubHost(connection);
          case GITLAB -> new GitLabHost(connection);
        });
  }

  public HostPlace place() {
    return host.place();
  }

  public PullRequest read(PullRequestName name) throws HostTrouble, InterruptedException {
    return host.read(name);
  }

  /** A file of the state before the change, such as the project's settings. */
  public Optional<byte[]> before(PullRequest pull, String path)
      throws HostTrouble, InterruptedException {
    return host.file(pull.name(), pull.base(), path);
  }

  /** The change as the host tells it. */
  byte[] patch(PullRequest pull) throws HostTrouble, InterruptedException {
    return host.patch(pull);
  }

  /** What there is to be reviewed; to be closed. */
  public PullSubject subject(PullRequest pull, Path folder)
      throws HostTrouble, InterruptedException, SourceUnavailable, IOException {
    return PullSubject.of(host, pull, folder);
  }

  /**
   * The files that have changed since an earlier head; empty if nobody can tell, because the branch
   * was rebased or pushed by force.
   */
  public Optional<Set<String>> changedSince(PullRequest pull, String earlier)
      throws HostTrouble, InterruptedException {
    return earlier.equals(pull.head())
        ? Optional.of(Set.of())
        : host.changedSince(pull, earlier).map(Set::copyOf);
  }

  /**
   * The open pull requests whose head has no complete review yet, the newest last.
   *
   * @param drafts whether drafts, and what is marked as work in progress, are among them
   * @param known what was reviewed without being posted
   */
  public List<OpenPullRequest> unreviewed(String repository, boolean drafts, Known known)
      throws HostTrouble, InterruptedException {
    PullRequestName.repository(place().kind(), repository);
    var all = new ArrayList<OpenPullRequest>();
    for (var pull : host.open(repository)) {
      boolean ready = !pull.draft() && !PullRequest.isUnderWay(pull.title());
      if ((drafts || ready) && !known.isReviewed(pull) && !isPosted(pull)) {
        all.add(pull);
      }
    }
    return all;
  }

  /** Who posted something can be told only with the token that it was posted with. */
  private boolean isPosted(OpenPullRequest pull) throws HostTrouble, InterruptedException {
    return place().token().isPresent() && host.posted(pull.name()).has(pull.head());
  }

  /** Whether a complete review of its head has been posted. */
  public boolean hasReview(PullRequest pull) throws HostTrouble, InterruptedException {
    return host.posted(pull.name()).has(pull.head());
  }

  /**
   * Makes sure, before anything is paid for, that a review could be posted.
   *
   * @throws HostTrouble if not, in words for the user
   */
  public void checkPostable(PullRequest pull) throws HostTrouble, InterruptedException {
    Publisher.needToken(place());
    if (pull.state() != PullRequest.State.OPEN) {
      throw new HostTrouble(
          HostTrouble.Reason.CLOSED,
          "%s is %s: nothing is posted there".formatted(pull.name(), pull.state()));
    }
    host.posted(pull.name());
  }

  /**
   * Posts a review that was kept, or as much of it as is not there yet.
   *
   * @param approves whether it may approve, if nothing is against it
   */
  public Posting post(StoredReview stored, boolean approves)
      throws HostTrouble, InterruptedException {
    var where =
        Discussion.of(stored.discussion())
            .orElseThrow(
                () ->
                    new HostTrouble(
                        HostTrouble.Reason.INVALID,
                        "run %s did not review a pull request: there is nowhere to post it"
                            .formatted(stored.run())));
    return new Publisher(host, approves).post(stored, where);
  }

  /** As the history knows a pull request. */
  public static ReviewedPull reviewed(PullRequest pull) {
    return new ReviewedPull(
        pull.name().kind().toString(),
        pull.name().repository(),
        Integer.toString(pull.name().number()),
        pull.updated(),
        pull.head());
  }

  /** The same of one in a list. */
  public static ReviewedPull reviewed(OpenPullRequest pull) {
    return new ReviewedPull(
        pull.name().kind().toString(),
        pull.name().repository(),
        Integer.toString(pull.name().number()),
        Instant.EPOCH,
        pull.head());
  }

  @Override
  public void close() {
    host.close();
  }
}
