package dev.flyball.publish;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A pull request in one of its states, as its host tells it. All its texts are a stranger's.
 *
 * @param base the commit that the change starts from: the last that both sides have
 * @param start the commit that the target branch was at, which some hosts want to hear again
 * @param state where it is in its life
 * @param fromFork whether the change comes from another repository
 * @param large whether it is too large to be read over the host's interface
 * @param page where people read it
 */
public record PullRequest(
    PullRequestName name,
    String title,
    String text,
    String base,
    String start,
    String head,
    State state,
    boolean draft,
    boolean fromFork,
    boolean large,
    Instant updated,
    String page) {
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
  private static final Pattern UNDER_WAY =
      Pattern.compile("(?i)^\\s*+[\\[(]?\\s*+(?:wip|draft|work in progress|do not review)\\b");

  /** Where it is in its life. */
  public enum State {
    OPEN,
    CLOSED,
    MERGED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public PullRequest {
    for (var commit : List.of(base, start, head)) {
      if (!COMMIT.matcher(commit).matches()) {
        throw new IllegalArgumentException(
            "a commit has a hexadecimal id, but was '" + commit + "'");
      }
    }
  }

  /** The same at another commit. */
  PullRequest at(String otherBase, String otherStart, String otherHead) {
    return new PullRequest(
        name,
        title,
        text,
        otherBase,
        otherStart,
        otherHead,
        state,
        draft,
        fromFork,
        large,
        updated,
        page);
  }

  /** Why nobody should look at it yet, if so. */
  public Optional<String> unready() {
    return draft
        ? Optional.of("is a draft")
        : isUnderWay(title) ? Optional.of("is marked as work in progress") : Optional.empty();
  }

  /** Whether a title says that nobody should look yet. */
  static boolean isUnderWay(String title) {
    return UNDER_WAY.matcher(title).find();
  }

  /** What its author says that it is for. */
  public String purpose() {
    return (title.strip() + "\n\n" + text.strip()).strip();
  }
}
