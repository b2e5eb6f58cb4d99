package dev.flyball.review.source;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which files of a change are reviewed, by the rules of a {@link Tree}. The patterns are those of
 * the side that the change comes from: a change does not decide about its own review.
 */
public final class Sieve {
  private final Contents old;
  private final Contents now;
  private final long largest;
  private final Map<String, Ignores> ignores = new HashMap<>();

  private Sieve(Contents old, Contents now, long largest) {
    this.old = old;
    this.now = now;
    this.largest = largest;
  }

  /** For a change between these sides of a repository. */
  public static Sieve of(Repository repository, Sides sides, long largest) {
    return new Sieve(
        path -> repository.content(sides.old(), path),
        path -> repository.content(sides.now(), path),
        largest);
  }

  /** For a patch from elsewhere, for a folder that says what is ignored. */
  static Sieve ofPatch(Contents folder) {
    return new Sieve(folder, path -> Optional.empty(), Tree.LARGEST);
  }

  /** Why the file is not reviewed; empty if it is. */
  public Optional<Skip> skip(FileChange file) throws SourceUnavailable {
    var path = file.path();
    var folder = path.substring(0, path.lastIndexOf('/') + 1);
    var verdict = verdict(path, folder);
    if (verdict == Ignores.Verdict.IGNORED) {
      return Optional.of(Skip.FLYBALL_IGNORED);
    }
    if (file.submodule()) {
      return Optional.of(Skip.SUBMODULE);
    }
    if (file.symlink()) {
      return Optional.of(Skip.SYMLINK);
    }
    if (file.binary()) {
      return Optional.of(Skip.BINARY);
    }
    boolean wanted = verdict == Ignores.Verdict.WANTED;
    var name = Looks.ofName(path);
    if (name.isPresent() && (!wanted || name.get() == Skip.SECRET)) {
      return name;
    }
    if (!wanted && Looks.isVendored(folder)) {
      return Optional.of(Skip.VENDORED);
    }
    if (!file.whole()) {
      return Optional.of(Skip.OVERSIZED);
    }
    return wanted ? Optional.empty() : content(file);
  }

  private Optional<Skip> content(FileChange file) throws SourceUnavailable {
    byte[] content;
    if (!file.hunks().isEmpty() && file.hunks().getFirst().newStart() <= 1) {
      content = beginning(file);
    } else {
      try {
        content = now.of(file.path()).orElseGet(() -> beginning(file));
      } catch (SourceUnavailable large) {
        if (large.reason() == SourceUnavailable.Reason.TOO_LARGE) {
          return Optional.of(Skip.OVERSIZED);
        }
        throw large;
      }
    }
    return content.length > largest
        ? Optional.of(Skip.OVERSIZED)
        : Looks.ofHead(content, Math.min(content.length, Looks.HEAD));
  }

  /** What the change itself shows first, of the side that has more. */
  private static byte[] beginning(FileChange file) {
    var without = file.newPath().isPresent() ? Line.Kind.DELETED : Line.Kind.ADDED;
    var text = new StringBuilder();
    for (var hunk : file.hunks()) {
      for (var line : hunk.lines()) {
        if (line.kind() != without && text.length() < Looks.HEAD) {
          text.append(line.text()).append('\n');
        }
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private Ignores.Verdict verdict(String path, String folder) throws SourceUnavailable {
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      var above = path.substring(0, slash);
      var verdict = ignores(above.substring(0, above.lastIndexOf('/') + 1)).of(above, true);
      if (verdict != Ignores.Verdict.UNKNOWN) {
        return verdict;
      }
    }
    return ignores(folder).of(path, false);
  }

  private Ignores ignores(String folder) throws SourceUnavailable {
    var known = ignores.get(folder);
    if (known != null) {
      return known;
    }
    var above =
        folder.isEmpty()
            ? Ignores.NONE
            : ignores(folder.substring(0, folder.lastIndexOf('/', folder.length() - 2) + 1));
    var file = old.of(folder + Tree.FLYBALL_IGNORE);
    var here = file.map(bytes -> above.with(folder, bytes)).orElse(above);
    ignores.put(folder, here);
    return here;
  }
}
