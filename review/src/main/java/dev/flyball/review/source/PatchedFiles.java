package dev.flyball.review.source;

import dev.flyball.review.patch.Change;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.patch.TextDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Files as a patch leaves them. A new one is in the patch. Another is known if what is at hand is
 * its old state, to which the patch is applied, or already its new one; if it is neither, only the
 * patch knows it.
 */
public final class PatchedFiles implements FileContents {
  private final Map<String, FileChange> changes = new HashMap<>();
  private final FileContents base;

  private PatchedFiles(FileContents base) {
    this.base = base;
  }

  public static PatchedFiles of(Change change, FileContents base) {
    var patched = new PatchedFiles(base);
    change.files().stream()
        .filter(file -> file.newPath().isPresent())
        .forEach(file -> patched.changes.put(file.path(), file));
    return patched;
  }

  /**
   * Files as they were before a patch. What is at hand may be either state, and what a patch says
   * of the old one is only its word: of a file that it touches, the content is known if the patch
   * can be applied to it, and cannot have been applied already.
   */
  public static FileContents before(Change change, FileContents base) {
    var touched = new HashMap<String, FileChange>();
    for (var file : change.files()) {
      file.newPath().ifPresent(path -> touched.put(path, file));
      file.oldPath().ifPresent(path -> touched.put(path, file));
    }
    return path -> {
      var file = touched.get(path);
      return file == null ? base.of(path) : base.of(path).filter(found -> isOld(file, path, found));
    };
  }

  private static boolean isOld(FileChange change, String path, byte[] content) {
    if (!change.oldPath().equals(Optional.of(path)) || !change.whole() || change.binary()) {
      return false;
    }
    if (change.hunks().isEmpty()) {
      return true;
    }
    var lines = lines(TextDecoder.of(content));
    return applied(change, lines).isPresent()
        && (change.newPath().isEmpty() || !isNow(change, lines));
  }

  @Override
  public Optional<byte[]> of(String path) throws SourceUnavailable {
    var change = changes.get(path);
    if (change == null) {
      return base.of(path);
    }
    if (!change.whole() || change.binary()) {
      return Optional.empty();
    }
    if (change.kind() == FileChange.Kind.ADDED) {
      return applied(change, List.of());
    }
    var old = base.of(change.oldPath().orElse(path)).map(TextDecoder::of).map(PatchedFiles::lines);
    var before = old.flatMap(lines -> applied(change, lines));
    if (before.isPresent()) {
      return before;
    }
    var now = base.of(path);
    return now.map(TextDecoder::of).filter(text -> isNow(change, lines(text))).isPresent()
        ? now
        : Optional.empty();
  }

  /** Each with its line feed, if it has one. */
  private static List<String> lines(String text) {
    var lines = new ArrayList<String>();
    for (int start = 0; start < text.length(); ) {
      int lineFeed = text.indexOf('\n', start);
      int end = lineFeed < 0 ? text.length() : lineFeed + 1;
      lines.add(text.substring(start, end));
      start = end;
    }
    return lines;
  }

  /** Empty if the lines are not those that the change starts from. */
  private static Optional<byte[]> applied(FileChange change, List<String> old) {
    var now = new StringBuilder();
    int next = 0;
    for (var hunk : change.hunks()) {
      int start = hunk.oldCount() == 0 ? hunk.oldStart() : hunk.oldStart() - 1;
      if (start < next || start > old.size()) {
        return Optional.empty();
      }
      old.subList(next, start).forEach(now::append);
      next = start;
      for (var line : hunk.lines()) {
        var text = line.newline() ? line.text() + "\n" : line.text();
        if (line.kind() != HunkLine.Kind.ADDED
            && (next >= old.size() || !old.get(next++).equals(text))) {
          return Optional.empty();
        }
        if (line.kind() != HunkLine.Kind.DELETED) {
          now.append(text);
        }
      }
    }
    old.subList(next, old.size()).forEach(now::append);
    return Optional.of(now.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isNow(FileChange change, List<String> lines) {
    for (var hunk : change.hunks()) {
      int at = hunk.newCount() == 0 ? hunk.newStart() : hunk.newStart() - 1;
      for (var line : hunk.lines()) {
        if (line.kind() != HunkLine.Kind.DELETED) {
          var text = line.newline() ? line.text() + "\n" : line.text();
          if (at < 0 || at >= lines.size() || !lines.get(at++).equals(text)) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
