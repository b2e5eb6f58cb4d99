package dev.flyball.review.patch;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lines before the hunks of a file in a patch: its names, and what became of it. */
final class PatchHeader {
  private final long line;
  private final @Nullable PatchNames names;
  private @Nullable String old;
  private @Nullable String now;
  private @Nullable String from;
  private @Nullable String to;
  private boolean copied;
  private @Nullable FileMode oldMode;
  private @Nullable FileMode newMode;
  private boolean created;
  private boolean gone;

  PatchHeader(long line, @Nullable PatchNames names) {
    this.line = line;
    this.names = names;
  }

  /** The names of the first line, if it has any. */
  @Nullable PatchNames names() {
    return names;
  }

  /** The names of a file that Git did not write. */
  void sides(String oldSide, String newSide) {
    old = oldSide;
    now = newSide;
  }

  /** Whether the line belongs here. */
  boolean take(String text) {
    int blank = Math.max(text.indexOf(' ') + 1, text.indexOf(' ', text.indexOf(' ') + 1) + 1);
    if (text.startsWith("--- ")) {
      old = PatchNames.side(text.substring(4), true);
    } else if (text.startsWith("+++ ")) {
      now = PatchNames.side(text.substring(4), true);
    } else if (text.startsWith("old mode ")) {
      oldMode = mode(text.substring(blank));
    } else if (text.startsWith("new mode ")) {
      newMode = mode(text.substring(blank));
    } else if (text.startsWith("new file mode ")) {
      newMode = mode(text.substring("new file mode ".length()));
      created = true;
    } else if (text.startsWith("deleted file mode ")) {
      oldMode = mode(text.substring("deleted file mode ".length()));
      gone = true;
    } else if (text.startsWith("rename from ") || text.startsWith("rename old ")) {
      from = PatchNames.name(text.substring(blank));
    } else if (text.startsWith("rename to ") || text.startsWith("rename new ")) {
      to = PatchNames.name(text.substring(blank));
    } else if (text.startsWith("copy from ")) {
      from = PatchNames.name(text.substring(blank));
      copied = true;
    } else if (text.startsWith("copy to ")) {
      to = PatchNames.name(text.substring(blank));
      copied = true;
    } else if (text.startsWith("index ")) {
      index(text);
    } else {
      return text.startsWith("similarity index ") || text.startsWith("dissimilarity index ");
    }
    return true;
  }

  private void index(String text) {
    int blank = text.indexOf(' ', "index ".length());
    if (blank > 0 && text.indexOf("..") > 0 && oldMode == null && newMode == null) {
      oldMode = mode(text.substring(blank + 1));
      newMode = oldMode;
    }
  }

  /** One that cannot be read says nothing. */
  private static @Nullable FileMode mode(String text) {
    var octal = text.strip();
    return octal.matches("[0-7]{1,6}") && octal.compareTo("177777") <= 0
        ? new FileMode(Integer.parseInt(octal, 8))
        : null;
  }

  FileChange file(PatchBody body) throws PatchRefused {
    var both = bestNames();
    created |= both.old().equals(PatchNames.NOWHERE);
    gone |= both.now().equals(PatchNames.NOWHERE);
    var path = created ? both.now() : both.old();
    if (path.isEmpty() || path.equals(PatchNames.NOWHERE)) {
      throw new PatchRefused(PatchRefused.Rule.NAME, line, "neither side of this one has");
    }
    var kind = kind(body);
    return new FileChange(
        kind == FileChange.Kind.ADDED
            ? Optional.empty()
            : Optional.of(PatchNames.decoded(both.old())),
        kind == FileChange.Kind.DELETED
            ? Optional.empty()
            : Optional.of(PatchNames.decoded(both.now())),
        kind,
        Optional.ofNullable(kind == FileChange.Kind.ADDED ? null : oldMode),
        Optional.ofNullable(kind == FileChange.Kind.DELETED ? null : newMode),
        body.hunks(),
        body.added(),
        body.deleted(),
        body.isBinary(),
        body.isWhole());
  }

  private FileChange.Kind kind(PatchBody body) {
    if (from != null && to != null) {
      return copied ? FileChange.Kind.COPIED : FileChange.Kind.RENAMED;
    }
    if (created) {
      return FileChange.Kind.ADDED;
    }
    if (gone) {
      return FileChange.Kind.DELETED;
    }
    boolean modes = oldMode != null && newMode != null && !oldMode.equals(newMode);
    return modes && body.isEmpty() ? FileChange.Kind.MODE_ONLY : FileChange.Kind.MODIFIED;
  }

  private PatchNames bestNames() throws PatchRefused {
    if (from != null && to != null && !from.isEmpty() && !to.isEmpty()) {
      return new PatchNames(from, to);
    }
    var both = names == null ? null : names.withoutSides();
    if (both != null && PatchNames.NOWHERE.equals(old) && PatchNames.NOWHERE.equals(now)) {
      return both;
    }
    if (old != null && now != null) {
      return PatchNames.ofSides(old, now, names);
    }
    if (both != null) {
      return both;
    }
    for (var one : Arrays.asList(to, from, now, old)) {
      if (one != null && !one.isEmpty() && !one.equals(PatchNames.NOWHERE)) {
        return PatchNames.ofSides(one, PatchNames.NOWHERE, null).twice();
      }
    }
    if (PatchNames.NOWHERE.equals(now) || PatchNames.NOWHERE.equals(old)) {
      return new PatchNames(PatchNames.NOWHERE.substring(1), PatchNames.NOWHERE.substring(1));
    }
    throw new PatchRefused(PatchRefused.Rule.NAME, line, "this one's cannot be made out");
  }
}
