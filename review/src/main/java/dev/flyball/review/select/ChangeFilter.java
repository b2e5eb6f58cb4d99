package dev.flyball.review.select;

import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.source.ChangeSides;
import dev.flyball.review.source.FileContents;
import dev.flyball.review.source.Repository;
import dev.flyball.review.source.SourceUnavailable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the files of a change that are reviewed, by the {@link SkipRules}. The patterns are
 * those of the side that the change comes from: a change does not decide about its own review.
 */
final class ChangeFilter {
  private final FileContents old;
  private final FileContents now;
  private final SkipRules rules;
  private final Map<String, IgnorePatterns> ignores = new HashMap<>();

  private ChangeFilter(FileContents old, FileContents now, long largest) {
    this.old = old;
    this.now = now;
    this.rules = new SkipRules(largest);
  }

  /** For a change between these sides of a repository. */
  static ChangeFilter of(Repository repository, ChangeSides sides, long largest) {
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
  Optional<SkipReason> skip(FileChange file) throws SourceUnavailable {
    var path = file.path();
    return rules.of(
        new SkipRules.Facts(path, kind(file), state(path), false), new ChangedContent(now, file));
  }

  private static SkipRules.Kind kind(FileChange file) {
    if (file.submodule()) {
      return SkipRules.Kind.SUBMODULE;
    }
    if (file.symlink()) {
      return SkipRules.Kind.SYMLINK;
    }
    return file.binary() ? SkipRules.Kind.BINARY : SkipRules.Kind.TEXT;
  }

  private SkipRules.IgnoreState state(String path) throws SourceUnavailable {
    var state = SkipRules.IgnoreState.NOTHING;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      state = state.below(verdict(path.substring(0, slash), true));
    }
    return state.below(verdict(path, false));
  }

  private IgnorePatterns.Verdict verdict(String path, boolean isFolder) throws SourceUnavailable {
    return ignores(path.substring(0, path.lastIndexOf('/') + 1)).of(path, isFolder);
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

  /** A changed file as it is now; of one that is gone or not known, what the change shows of it. */
  private static final class ChangedContent implements SkipRules.Content<SourceUnavailable> {
    private final FileContents now;
    private final FileChange file;
    private byte @Nullable [] read;

    ChangedContent(FileContents now, FileChange file) {
      this.now = now;
      this.file = file;
    }

    /** Of a file that is gone there is nothing that could be too large. */
    @Override
    public long size() throws SourceUnavailable {
      if (!file.whole()) {
        return Long.MAX_VALUE;
      }
      if (file.newPath().isEmpty()) {
        return 0;
      }
      try {
        return read().length;
      } catch (SourceUnavailable large) {
        if (large.reason() == SourceUnavailable.Reason.TOO_LARGE) {
          return Long.MAX_VALUE;
        }
        throw large;
      }
    }

    @Override
    public byte[] head() throws SourceUnavailable {
      var content = read();
      return Arrays.copyOf(content, Math.min(content.length, FileClassifier.HEAD));
    }

    private byte[] read() throws SourceUnavailable {
      if (read == null) {
        // All of a new file is in the change already.
        read =
            file.kind() == FileChange.Kind.ADDED || file.newPath().isEmpty()
                ? shown()
                : now.of(file.path()).orElseGet(this::shown);
      }
      return read;
    }

    private byte[] shown() {
      var without = file.newPath().isPresent() ? HunkLine.Kind.DELETED : HunkLine.Kind.ADDED;
      var text = new StringBuilder();
      for (var hunk : file.hunks()) {
        for (var line : hunk.lines()) {
          if (line.kind() != without) {
            text.append(line.text()).append(line.newline() ? "\n" : "");
          }
        }
      }
      return text.toString().getBytes(StandardCharsets.UTF_8);
    }
  }
}
