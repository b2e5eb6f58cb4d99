package dev.flyball.review.source;

import dev.flyball.review.patch.DiffLimits;
import dev.flyball.review.patch.FileChange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Git repository that is read and never written, through the {@code git} command. Nothing that a
 * repository or a user has set up runs: no hook, filter, text converter, external diff, pager or
 * file system monitor.
 */
public final class Repository implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final GitReader git;

  private Repository(GitReader git) {
    this.git = git;
  }

  /** The repository that this folder is in. */
  public static Repository open(Path folder) throws SourceUnavailable {
    return open(folder, System.getenv("PATH"));
  }

  static Repository open(Path folder, @Nullable String path) throws SourceUnavailable {
    var program = GitCommand.program(path);
    if (program.isEmpty()) {
      throw new SourceUnavailable(
          SourceUnavailable.Reason.GIT_MISSING,
          "reviewing a range of commits needs the git command, and none is on the PATH; install"
              + " Git, or review the folder or a patch");
    }
    return new Repository(GitReader.at(program.get(), folder, PATIENCE));
  }

  /** The folder that has all of it. */
  public Path root() {
    return git.root();
  }

  /** The change between two states, file by file, none of which is kept here. */
  public void diff(ChangeSides sides, DiffLimits limits, Consumer<FileChange> each)
      throws SourceUnavailable {
    git.diff(sides, limits, each);
  }

  /**
   * The same of some files that Git takes for binary, line by line all the same. What is binary is
   * in part for a repository to say, by attributes that a change may bring.
   */
  public void diffAsText(
      ChangeSides sides, DiffLimits limits, List<FileChange> files, Consumer<FileChange> each)
      throws SourceUnavailable {
    git.diffAsText(sides, limits, files, each);
  }

  /** The states that a range is between. */
  public ChangeSides sides(ChangeRange range) throws SourceUnavailable {
    return switch (range) {
      case ChangeRange.Between(var from, var to) ->
          new ChangeSides(new TreeState.At(commit(from)), new TreeState.At(commit(to)));
      case ChangeRange.SinceFork(var from, var to) ->
          new ChangeSides(new TreeState.At(mergeBase(from, to)), new TreeState.At(commit(to)));
      case ChangeRange.Single(var revision) -> {
        var commit = commit(revision);
        yield new ChangeSides(parent(commit), new TreeState.At(commit));
      }
      case ChangeRange.Staged() -> new ChangeSides(head(), new TreeState.Index());
      case ChangeRange.Worktree() -> new ChangeSides(head(), new TreeState.Disk());
    };
  }

  private TreeState head() throws SourceUnavailable {
    var head = git.find("HEAD");
    return head == null ? new TreeState.Nothing() : new TreeState.At(head);
  }

  private TreeState parent(String commit) throws SourceUnavailable {
    var parents = git.parents(commit);
    if (parents.isEmpty() && git.isShallowAt(commit)) {
      throw new SourceUnavailable(
          SourceUnavailable.Reason.SHALLOW,
          "the parent of %s is not in this shallow clone; fetch more with git fetch --unshallow"
              .formatted(commit));
    }
    return parents.isEmpty() ? new TreeState.Nothing() : new TreeState.At(parents.getFirst());
  }

  /** The id of the commit that a revision names. */
  public String commit(String revision) throws SourceUnavailable {
    Revision.check(revision);
    var id = git.find(revision);
    if (id == null) {
      throw new SourceUnavailable(
          SourceUnavailable.Reason.UNKNOWN_REVISION,
          "a revision names a commit of %s, but '%s' does not%s"
              .formatted(
                  root(),
                  Revision.shown(revision),
                  git.isShallow()
                      ? "; the clone is shallow: fetch more with git fetch --unshallow"
                      : ""));
    }
    return id;
  }

  /** The last commit that both revisions have. */
  String mergeBase(String one, String other) throws SourceUnavailable {
    var base = git.fork(commit(one), commit(other));
    if (base == null) {
      throw new SourceUnavailable(
          git.isShallow()
              ? SourceUnavailable.Reason.SHALLOW
              : SourceUnavailable.Reason.NO_COMMON_COMMIT,
          "A...B needs a commit that both sides have, but %s and %s have none%s"
              .formatted(
                  Revision.shown(one),
                  Revision.shown(other),
                  git.isShallow()
                      ? " in this shallow clone; fetch more with git fetch --unshallow"
                      : "; compare them with A..B"));
    }
    return base;
  }

  /** The commits of a range, the oldest first; none of what is not committed. */
  public List<Commit> commits(ChangeRange range) throws SourceUnavailable {
    return switch (range) {
      case ChangeRange.Between(var from, var to) -> git.log(commit(from), commit(to));
      case ChangeRange.SinceFork(var from, var to) -> git.log(commit(from), commit(to));
      case ChangeRange.Single(var revision) -> single(commit(revision));
      case ChangeRange.Staged staged -> List.of();
      case ChangeRange.Worktree worktree -> List.of();
    };
  }

  private List<Commit> single(String commit) throws SourceUnavailable {
    return switch (parent(commit)) {
      case TreeState.At(var parent) ->
          git.log(parent, commit).stream().filter(each -> each.id().equals(commit)).toList();
      case TreeState.Nothing nothing -> git.log(null, commit);
      case TreeState.Index index -> List.of();
      case TreeState.Disk disk -> List.of();
    };
  }

  /** What a file has in a state; empty if there is no such file. Of a link, where it points to. */
  public Optional<byte[]> content(TreeState state, String path) throws SourceUnavailable {
    if (!PlainFiles.isPlain(path)) {
      return Optional.empty();
    }
    return switch (state) {
      case TreeState.At(var commit) -> Optional.ofNullable(git.blob(commit, path));
      case TreeState.Nothing() -> Optional.empty();
      case TreeState.Index() -> Optional.ofNullable(git.staged(path));
      case TreeState.Disk() -> PlainFiles.contentOrTarget(root(), path);
    };
  }

  /** Whether a path is that of a file in a state, and not that of a link or of something else. */
  public boolean isRegular(TreeState state, String path) throws SourceUnavailable {
    return PlainFiles.isPlain(path)
        && switch (state) {
          case TreeState.At(var commit) -> git.isRegular(commit, path);
          case TreeState.Nothing() -> false;
          case TreeState.Index() -> git.isStagedRegular(path);
          case TreeState.Disk() -> PlainFiles.content(root(), path).isPresent();
        };
  }

  /** The lines of a state that have any of some words; some of each file. */
  public List<WordMention> mentions(TreeState state, List<String> words) throws SourceUnavailable {
    return switch (state) {
      case TreeState.At(var commit) -> git.grep(words, List.of(commit));
      case TreeState.Nothing() -> List.of();
      case TreeState.Index() -> git.grep(words, List.of("--cached"));
      case TreeState.Disk() -> git.grep(words, List.of());
    };
  }

  /** The files of a state. */
  public List<String> paths(TreeState state) throws SourceUnavailable {
    return switch (state) {
      case TreeState.At(var commit) ->
          git.list("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit);
      case TreeState.Nothing() -> List.of();
      case TreeState.Index() -> git.list("ls-files", "-z", "--full-name");
      case TreeState.Disk() -> git.list("ls-files", "-z", "--full-name");
    };
  }

  /** The entries of a folder in the old side of a change, by name. */
  public List<String> names(TreeState state, String folder) throws SourceUnavailable {
    return switch (state) {
      case TreeState.At(var commit) -> git.names(commit, folder);
      case TreeState.Nothing nothing -> List.of();
      case TreeState.Index index -> throw new IllegalArgumentException("the index is no old side");
      case TreeState.Disk disk -> throw new IllegalArgumentException("the disk is no old side");
    };
  }

  @Override
  public void close() {
    git.close();
  }
}
