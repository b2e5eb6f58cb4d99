package dev.flyball.publish;

import dev.flyball.review.source.Commit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A host that code is discussed on. Another one implements this and nothing else: what is posted,
 * where, and what is left alone is decided by {@link Publisher}.
 *
 * <p>Whatever is asked twice has to be harmless: a run that was killed is repeated.
 */
interface CodeHost extends AutoCloseable {
  HostPlace place();

  PullRequest read(PullRequestName name) throws HostTrouble, InterruptedException;

  /** What is open in a repository, the newest last. */
  List<OpenPullRequest> open(String repository) throws HostTrouble, InterruptedException;

  /**
   * The change as a unified diff; {@link HostTrouble.Reason#TOO_LARGE} if not all of it is told.
   */
  byte[] patch(PullRequest pull) throws HostTrouble, InterruptedException;

  /** A file as it is in a commit; empty if there is none. */
  Optional<byte[]> file(PullRequestName name, String commit, String path)
      throws HostTrouble, InterruptedException;

  /** The commits of the change, the oldest first. */
  List<Commit> commits(PullRequest pull) throws HostTrouble, InterruptedException;

  /**
   * The files that differ between an earlier head and this one; empty if the earlier one is no
   * longer part of the branch, or if there are more than the host tells.
   */
  Optional<List<String>> changedSince(PullRequest pull, String earlier)
      throws HostTrouble, InterruptedException;

  /** Where Git fetches from, and the settings that carry the token there. */
  String gitAddress(String repository);

  Map<String, String> gitSettings();

  /** What of ours is there. */
  Posted posted(PullRequestName name) throws HostTrouble, InterruptedException;

  /**
   * Posts comments and, where there is no summary yet, the summary.
   *
   * @param words what is said with them, told which findings have their comments: the summary if it
   *     is the first time, else a line
   * @param first whether there is no summary yet
   * @return the findings that have their comments; the host may not take all of them
   */
  Set<String> post(
      PullRequest pull,
      List<NewComment> comments,
      Function<Set<String>, String> words,
      boolean first)
      throws HostTrouble, InterruptedException;

  void edit(PullRequestName name, Posted.Summary summary, String body)
      throws HostTrouble, InterruptedException;

  /** Says of a comment that it is dealt with. */
  void resolve(PullRequestName name, Posted.Comment comment)
      throws HostTrouble, InterruptedException;

  void approve(PullRequest pull, String words) throws HostTrouble, InterruptedException;

  void takeBack(PullRequestName name, String approval) throws HostTrouble, InterruptedException;

  /** What stands at the head of a block that replaces so many lines, of which it is at the last. */
  String suggestion(int lines);

  @Override
  void close();
}
