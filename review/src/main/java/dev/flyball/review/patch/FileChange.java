package dev.flyball.review.patch;

import java.util.List;
import java.util.Optional;

/**
 * The effect of a change on one file.
 *
 * @param oldPath where it was; empty if it is new
 * @param newPath where it is; empty if it is gone
 * @param oldMode empty if nothing says it
 * @param hunks none if it is binary, or if it was too long to be kept
 * @param added how many lines, whether or not they were kept
 * @param binary whether it changed in a way that has no lines
 * @param whole whether all its hunks are here; if not there are none, only the counts
 */
public record FileChange(
    Optional<String> oldPath,
    Optional<String> newPath,
    Kind kind,
    Optional<FileMode> oldMode,
    Optional<FileMode> newMode,
    List<Hunk> hunks,
    long added,
    long deleted,
    boolean binary,
    boolean whole) {

  /** The fate of the file. Whether it is binary or a submodule is another question. */
  public enum Kind {
    ADDED,
    DELETED,
    MODIFIED,
    RENAMED,
    COPIED,
    /** Of the content nothing, of the rights something. */
    MODE_ONLY,
    /** From a file to a link, say: all that it was is gone, and all that it is is new. */
    TYPE_CHANGED
  }

  public FileChange {
    if (oldPath.isEmpty() && newPath.isEmpty()) {
      throw new IllegalArgumentException("a changed file has an old path or a new one, or both");
    }
    if (kind == Kind.ADDED ? newPath.isEmpty() : oldPath.isEmpty()) {
      throw new IllegalArgumentException(
          "a file that was %s has its path, but had %s and %s".formatted(kind, oldPath, newPath));
    }
    if (added < 0 || deleted < 0) {
      throw new IllegalArgumentException(
          "counts of lines are not negative, but were +%d -%d".formatted(added, deleted));
    }
    hunks = List.copyOf(hunks);
  }

  /** Where it is now, or was before it went. */
  public String path() {
    return newPath.or(() -> oldPath).orElseThrow();
  }

  public boolean submodule() {
    return oldMode.filter(FileMode::submodule).isPresent()
        || newMode.filter(FileMode::submodule).isPresent();
  }

  public boolean symlink() {
    return newMode.or(() -> oldMode).filter(FileMode::symlink).isPresent();
  }
}
