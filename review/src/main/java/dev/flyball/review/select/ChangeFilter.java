package dev.flyball.review.select;

import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.FileMode;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the files of a change that are reviewed.
 *
 * <p>A change does not decide about its own review. So the patterns are those of the side that it
 * comes from, and what a file says of itself counts as it stood there. Of what is source, nothing
 * that the change brings takes a file out: not its name, not its folder, not its length, not a byte
 * in it. What cannot be shown all the same is missed, and the review is not complete. Other text is
 * left out only by its name or its length.
 */
final class ChangeFilter {
  private static final Optional<SkipReason> BINARY = Optional.of(SkipReason.BINARY);

  private final FileContents old;
  private final FileContents now;
  private final long largest;
  private final SkipRules rules;
  private final Map<String, IgnorePatterns> ignores = new HashMap<>();

  private ChangeFilter(FileContents old, FileContents now, long largest) {
    this.old = old;
    this.now = now;
    this.largest = largest;
    this.rules = new SkipRules(largest);
  }

  /** For a change between these sides of a repository. */
  static ChangeFilter of(Repository repository, ChangeSides sides, long largest) {
    return new ChangeFilter(
        path -> repository.content(sides.old(), path),
        path -> repository.content(sides.now(), path),
        largest);
  }

  /** For a change whose states are somewhere else. */
  static ChangeFilter of(FileContents old, FileContents now) {
    return new ChangeFilter(old, now, FolderTree.LARGEST);
  }

  /** For a patch from elsewhere, for what was there before it. */
  static ChangeFilter ofPatch(FileContents before) {
    return new ChangeFilter(before, path -> Optional.empty(), FolderTree.LARGEST);
  }

  /** Why the file is not reviewed; empty if it is. */
  Optional<TreeEntry.Skipped> skip(FileChange file) throws SourceUnavailable {
    var content = new ChangedContent(now, file);
    if (isIgnored(file)) {
      return Optional.of(new TreeEntry.Skipped(file.path(), SkipReason.FLYBALL_IGNORED));
    }
    if (isPointer(file) || !isSource(file, content)) {
      return other(file, content).map(why -> new TreeEntry.Skipped(file.path(), why));
    }
    return source(file, content)
        .map(why -> new TreeEntry.Skipped(file.path(), why, why != SkipReason.GENERATED));
  }

  /** Whether a file of a change is what a program is made of, now or before. */
  boolean isSource(FileChange file) throws SourceUnavailable {
    return !isPointer(file) && isSource(file, new ChangedContent(now, file));
  }

  /** Whether a file that the change has not touched may be shown beside it. */
  boolean mayShow(String path, byte[] content) throws SourceUnavailable {
    var untouched =
        new SkipRules.Content<SourceUnavailable>() {
          @Override
          public long size() {
            return content.length;
          }

          @Override
          public byte[] head() {
            return Arrays.copyOf(content, Math.min(content.length, FileClassifier.HEAD));
          }
        };
    return rules
        .of(new SkipRules.Facts(path, SkipRules.Kind.TEXT, state(path), false), untouched)
        .isEmpty();
  }

  /** Whether Git takes a file for binary that is to be seen line by line all the same. */
  boolean isHiddenText(FileChange file) throws SourceUnavailable {
    if (!file.binary() || isPointer(file)) {
      return false;
    }
    if (Stream.concat(file.oldPath().stream(), file.newPath().stream())
        .anyMatch(SourceFiles::isSource)) {
      return true;
    }
    try {
      var content = file.newPath().isPresent() ? now.of(file.path()) : old.of(file.path());
      return content.filter(ChangeFilter::isText).isPresent();
    } catch (SourceUnavailable large) {
      if (large.reason() == SourceUnavailable.Reason.TOO_LARGE) {
        return false;
      }
      throw large;
    }
  }

  private static boolean isText(byte[] content) {
    var head = Arrays.copyOf(content, Math.min(content.length, FileClassifier.HEAD));
    return SourceFiles.isScript(head) || !FileClassifier.ofHead(head).equals(BINARY);
  }

  private static boolean isPointer(FileChange file) {
    return file.submodule() || file.symlink();
  }

  /** A file that moves is left out only if it was before. */
  private boolean isIgnored(FileChange file) throws SourceUnavailable {
    return state(file.path()).ignored()
        && (file.oldPath().isEmpty() || state(file.oldPath().get()).ignored());
  }

  private static boolean isSource(FileChange file, ChangedContent content)
      throws SourceUnavailable {
    if (Stream.concat(file.oldPath().stream(), file.newPath().stream())
        .anyMatch(SourceFiles::isSource)) {
      return true;
    }
    if (!file.whole()) {
      return false;
    }
    var head = content.head();
    return SourceFiles.isScript(head)
        || (!FileClassifier.ofName(file.path()).equals(Optional.of(SkipReason.LOCK_FILE))
            && file.newMode().filter(FileMode::executable).isPresent()
            && head.length > 0
            && !FileClassifier.ofHead(head).equals(BINARY));
  }

  private Optional<SkipReason> other(FileChange file, ChangedContent content)
      throws SourceUnavailable {
    return switch (kind(file)) {
      case SUBMODULE -> Optional.of(SkipReason.SUBMODULE);
      case SYMLINK -> Optional.of(SkipReason.SYMLINK);
      case BINARY -> BINARY;
      case TEXT, OTHER -> text(file, content);
    };
  }

  /**
   * Why a text that is no source is not shown. It may be run from anywhere and under any name, so
   * neither its folder nor the extension of something binary hides it, nor a mark that it brings.
   */
  private Optional<SkipReason> text(FileChange file, ChangedContent content)
      throws SourceUnavailable {
    boolean wanted = state(file.path()).wanted();
    var name =
        FileClassifier.ofName(file.path())
            .filter(it -> it != SkipReason.BINARY)
            .filter(it -> !wanted || it == SkipReason.SECRET);
    if (name.isPresent()) {
      return name;
    }
    if (content.size() > largest) {
      return Optional.of(SkipReason.OVERSIZED);
    }
    var head = content.head();
    if (FileClassifier.ofHead(head).equals(BINARY)) {
      return BINARY;
    }
    return !wanted && isStillGenerated(file, head)
        ? Optional.of(SkipReason.GENERATED)
        : Optional.empty();
  }

  /** Nothing but this keeps source from being shown. */
  private Optional<SkipReason> source(FileChange file, ChangedContent content)
      throws SourceUnavailable {
    if (FileClassifier.ofName(file.path()).equals(Optional.of(SkipReason.SECRET))) {
      return Optional.of(SkipReason.SECRET);
    }
    if (!file.whole()) {
      return Optional.of(SkipReason.OVERSIZED);
    }
    if (isStillGenerated(file, content.head())) {
      return Optional.of(SkipReason.GENERATED);
    }
    return file.binary() || FileClassifier.isGarbage(content.head()) ? BINARY : Optional.empty();
  }

  /** Whether the mark of a generator was there before, and is there now. */
  private boolean isStillGenerated(FileChange file, byte[] head) throws SourceUnavailable {
    if (file.oldPath().isEmpty() || !FileClassifier.isGenerated(head)) {
      return false;
    }
    try {
      return old.of(file.oldPath().get())
          .map(content -> Arrays.copyOf(content, Math.min(content.length, FileClassifier.HEAD)))
          .filter(FileClassifier::isGenerated)
          .isPresent();
    } catch (SourceUnavailable large) {
      if (large.reason() == SourceUnavailable.Reason.TOO_LARGE) {
        return false;
      }
      throw large;
    }
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
      return isTooLarge() ? Long.MAX_VALUE : read().length;
    }

    private boolean isTooLarge() throws SourceUnavailable {
      try {
        return read().length > FileContents.LARGEST;
      } catch (SourceUnavailable large) {
        if (large.reason() == SourceUnavailable.Reason.TOO_LARGE) {
          return true;
        }
        throw large;
      }
    }

    @Override
    public byte[] head() throws SourceUnavailable {
      var content = isTooLarge() ? shown() : read();
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
