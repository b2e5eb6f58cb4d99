package dev.flyball.publish;

import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.patch.DiffLimits;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Patch;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.review.source.Commit;
import dev.flyball.review.source.FileContents;
import dev.flyball.review.source.Repository;
import dev.flyball.review.source.SourceUnavailable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A pull request as something to be reviewed, and the lines of it that can be commented.
 *
 * <p>If the folder that it is asked from is a clone that has both its commits, they are read there,
 * and everything around them can be looked at. Otherwise its diff comes from the host, and files
 * one by one as they are needed; and if that is too large, both commits come through Git. Either
 * way what says how it is reviewed is read from the state before the change.
 */
public final class PullSubject implements AutoCloseable {
  private final PullRequest pull;
  private final Subject subject;
  private final List<FileChange> changes;
  private final @Nullable GitFetch fetched;

  private PullSubject(
      PullRequest pull, Subject subject, List<FileChange> changes, @Nullable GitFetch fetched) {
    this.pull = pull;
    this.subject = subject;
    this.changes = changes;
    this.fetched = fetched;
  }

  static PullSubject of(CodeHost host, PullRequest pull, Path folder)
      throws HostTrouble, InterruptedException, SourceUnavailable, IOException {
    var here = inClone(host, pull, folder);
    if (here.isPresent()) {
      return here.get();
    }
    if (!pull.large()) {
      var told = told(host, pull, folder);
      if (told.isPresent()) {
        return told.get();
      }
    }
    var fetched = GitFetch.of(host, pull);
    boolean done = false;
    try {
      var subject = inRepository(host, pull, fetched.folder(), fetched);
      done = true;
      return subject;
    } finally {
      if (!done) {
        fetched.close();
      }
    }
  }

  /** In a clone of the user's, if it has both commits. */
  private static Optional<PullSubject> inClone(CodeHost host, PullRequest pull, Path folder)
      throws HostTrouble, InterruptedException, SourceUnavailable {
    try (var repository = Repository.open(folder)) {
      if (!repository.commit(pull.base()).equals(pull.base())
          || !repository.commit(pull.head()).equals(pull.head())) {
        return Optional.empty();
      }
    } catch (SourceUnavailable none) {
      return Optional.empty();
    }
    return Optional.of(inRepository(host, pull, folder, null));
  }

  private static PullSubject inRepository(
      CodeHost host, PullRequest pull, Path folder, @Nullable GitFetch fetched)
      throws HostTrouble, InterruptedException, SourceUnavailable {
    var range = new ChangeRange.Between(pull.base(), pull.head());
    var commits = host.commits(pull);
    var changes = new ArrayList<FileChange>();
    try (var repository = Repository.open(folder)) {
      repository.diff(repository.sides(range), DiffLimits.USUAL, changes::add);
    }
    return new PullSubject(
        pull,
        Subject.range(folder, range).known(title(pull), address(host, pull), commits),
        changes,
        fetched);
  }

  /** As the host tells it; empty if it does not tell all of it. */
  private static Optional<PullSubject> told(CodeHost host, PullRequest pull, Path folder)
      throws HostTrouble, InterruptedException, SourceUnavailable, IOException {
    byte[] patch;
    try {
      patch = host.patch(pull);
    } catch (HostTrouble large) {
      if (large.reason() == HostTrouble.Reason.TOO_LARGE) {
        return Optional.empty();
      }
      throw large;
    }
    List<Commit> commits = host.commits(pull);
    try {
      var change = Patch.read(new ByteArrayInputStream(patch));
      return Optional.of(
          new PullSubject(
              pull,
              Subject.elsewhere(
                  title(pull),
                  address(host, pull),
                  folder.toRealPath(),
                  change,
                  commits,
                  files(host, pull, pull.base()),
                  files(host, pull, pull.head())),
              change.files(),
              null));
    } catch (PatchRefused refused) {
      return Optional.empty();
    }
  }

  /** Files of a commit, each asked for once. */
  private static FileContents files(CodeHost host, PullRequest pull, String commit) {
    Map<String, Optional<byte[]>> known = new ConcurrentHashMap<>();
    return path -> {
      var seen = known.get(path);
      if (seen != null) {
        return seen;
      }
      try {
        var content = host.file(pull.name(), commit, path);
        known.put(path, content);
        return content;
      } catch (HostTrouble trouble) {
        throw new SourceUnavailable(
            trouble.reason() == HostTrouble.Reason.TOO_LARGE
                ? SourceUnavailable.Reason.TOO_LARGE
                : SourceUnavailable.Reason.FAILED,
            String.valueOf(trouble.getMessage()),
            trouble);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw SourceUnavailable.failed("reading " + path, interrupted);
      }
    };
  }

  private static String title(PullRequest pull) {
    return pull.name().toString();
  }

  private static String address(CodeHost host, PullRequest pull) {
    return host.place().host() + "/" + pull.name();
  }

  public PullRequest pull() {
    return pull;
  }

  public Subject subject() {
    return subject;
  }

  /** The same with only these files; the others were reviewed before. */
  public PullSubject only(Set<String> paths) {
    return new PullSubject(pull, subject.only(paths), changes, fetched);
  }

  /** Where the findings of a review of it can be commented. */
  public Discussion discussion(Review review, Function<Place.Lines, Optional<SourceText>> texts) {
    return Discussion.of(pull, changes, review, texts);
  }

  @Override
  public void close() {
    subject.close();
    if (fetched != null) {
      fetched.close();
    }
  }
}
