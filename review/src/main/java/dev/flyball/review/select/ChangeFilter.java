package dev.flyball.review.select;

import dev.flyball.review.source.ChangeSides;
import dev.flyball.review.source.FileChange;
import dev.flyball.review.source.FileContents;
import dev.flyball.review.source.HunkLine;
import dev.flyball.review.source.Repository;
import dev.flyball.review.source.SourceUnavailable;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which files of a change are reviewed, by the rules of a {@link FolderTree}. The patterns are
 * those of the side that the change comes from: a change does not decide about its own review.
 */
public final class ChangeFilter {
  private final FileContents old;
  private final FileContents now;
  private final long largest;
  private final Map<String, IgnorePatterns> ignores = new HashMap<>();

  private ChangeFilter(FileContents old, FileContents now, long largest) {
    this.old = old;
    this.now = now;
    this.largest = largest;
  }

  /** For a change between these sides of a repository. */
  public static ChangeFilter of(Repository repository, ChangeSides sides, long largest) {
    return new ChangeFilter(
        path -> repository.content(sides.old(), path),
        path -> repository.content(sides.now(), path),
        largest);
  }

  /** For a patch from elsewhere, for a folder that says what is ignored. */
  static ChangeFilter ofPatch(FileContents folder) {
    return new ChangeFilter(folder, path -> Optional.empty(), FolderTree.LARGEST);
  }

  /** Why the file is not reviewed; empty if it is. */
  public Optional<SkipReason> skip(FileChange file) throws SourceUnavailable {
    var path = file.path();
    var folder = path.substring(0, path.lastIndexOf('/') + 1);
    var verdict = verdict(path, folder);
    if (verdict == IgnorePatterns.Verdict.IGNORED) {
      return Optional.of(SkipReason.FLYBALL_IGNORED);
    }
    if (file.submodule()) {
      return Optional.of(SkipReason.SUBMODULE);
    }
    if (file.symlink()) {
      return Optional.of(SkipReason.SYMLINK);
    }
    if (file.binary()) {
      return Optional.of(SkipReason.BINARY);
    }
    boolean wanted = verdict == IgnorePatterns.Verdict.WANTED;
    var name = FileClassifier.ofName(path);
    if (name.isPresent() && (!wanted || name.get() == SkipReason.SECRET)) {
      return name;
    }
    if (!wanted && FileClassifier.isVendored(folder)) {
      return Optional.of(SkipReason.VENDORED);
    }
    if (!file.whole()) {
      return Optional.of(SkipReason.OVERSIZED);
    }
    return wanted ? Optional.empty() : content(file);
  }

  private Optional<SkipReason> content(FileChange file) throws SourceUnavailable {
    byte[] content;
    if (!file.hunks().isEmpty() && file.hunks().getFirst().newStart() <= 1) {
      content = beginning(file);
    } else {
      try {
        content = now.of(file.path()).orElseGet(() -> beginning(file));
      } catch (SourceUnavailable large) {
        if (large.reason() == SourceUnavailable.Reason.TOO_LARGE) {
          return Optional.of(SkipReason.OVERSIZED);
        }
        throw large;
      }
    }
    return content.length > largest
        ? Optional.of(SkipReason.OVERSIZED)
        : FileClassifier.ofHead(content, Math.min(content.length, FileClassifier.HEAD));
  }

  /** What the change itself shows first, of the side that has more. */
  private static byte[] beginning(FileChange file) {
    var without = file.newPath().isPresent() ? HunkLine.Kind.DELETED : HunkLine.Kind.ADDED;
    var text = new StringBuilder();
    for (var hunk : file.hunks()) {
      for (var line : hunk.lines()) {
        if (line.kind() != without && text.length() < FileClassifier.HEAD) {
          text.append(line.text()).append('\n');
        }
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private IgnorePatterns.Verdict verdict(String path, String folder) throws SourceUnavailable {
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      var above = path.substring(0, slash);
      var verdict = ignores(above.substring(0, above.lastIndexOf('/') + 1)).of(above, true);
      if (verdict != IgnorePatterns.Verdict.UNKNOWN) {
        return verdict;
      }
    }
    return ignores(folder).of(path, false);
  }

  private IgnorePatterns ignores(String folder) throws SourceUnavailable {
    var known = ignores.get(folder);
    if (known != null) {
      return known;
    }
    var above =
        folder.isEmpty()
            ? IgnorePatterns.NONE
            : ignores(folder.substring(0, folder.lastIndexOf('/', folder.length() - 2) + 1));
    var file = old.of(folder + FolderTree.FLYBALL_IGNORE);
    var here = file.map(bytes -> above.with(folder, bytes)).orElse(above);
    ignores.put(folder, here);
    return here;
  }
}
