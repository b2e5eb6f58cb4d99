package dev.flyball.review.patch;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A unified diff that is read file by file, of Git, of another system or of plain {@code diff -u}.
 *
 * <p>What a line is depends on where it stands. Between files everything is passed over that does
 * not begin one: mails, commit messages, signatures. A hunk says how many lines of each side it
 * has, and until it has had them every line is one of its own, whatever it looks like; then it is
 * over, whatever follows. So a deleted {@code -- x} is not taken for a name, nor a list in a mail
 * for changes. A hunk whose lines do not add up is refused with the whole patch: what would be
 * reviewed then is not what was changed.
 */
public final class Patch {
  private static final Pattern COMBINED =
      Pattern.compile(
          "^@@@++ -\\d++(?:,\\d++)?+(?: -\\d++(?:,\\d++)?+)++ \\+\\d++(?:,\\d++)?+ @@@");

  private final LineReader reader;
  private final DiffLimits limits;
  private long kept;
  private @Nullable FileChange ahead;
  private @Nullable PatchNames passed;

  private Patch(InputStream in, DiffLimits limits) {
    this.reader = new LineReader(in);
    this.limits = limits;
  }

  /** One to be read file by file; whoever opened the stream closes it. */
  public static Patch open(InputStream in, DiffLimits limits) {
    return new Patch(in, limits);
  }

  /** All of it. */
  public static Change read(InputStream in, DiffLimits limits) throws IOException, PatchRefused {
    var patch = open(in, limits);
    var files = new ArrayList<FileChange>();
    for (var file = patch.next(); file.isPresent(); file = patch.next()) {
      files.add(file.get());
    }
    return new Change(files);
  }

  /** All of it, as far as {@link DiffLimits#USUAL} goes. */
  public static Change read(InputStream in) throws IOException, PatchRefused {
    return read(in, DiffLimits.USUAL);
  }

  /** The same of what must be about a file: else it is no patch, or it was lost on the way. */
  public static Change readSome(InputStream in) throws IOException, PatchRefused {
    var change = read(in);
    if (change.files().isEmpty()) {
      throw new PatchRefused(PatchRefused.Rule.NO_FILE, 1, "this one names none");
    }
    return change;
  }

  /** The next file, if there is one more. */
  public Optional<FileChange> next() throws IOException, PatchRefused {
    var file = ahead == null ? file() : ahead;
    ahead = null;
    if (file != null && file.kind() == FileChange.Kind.DELETED && file.oldMode().isPresent()) {
      ahead = file();
      if (ahead != null && isOtherSort(file, ahead)) {
        file = typeChange(file, ahead);
        ahead = null;
      }
    }
    return Optional.ofNullable(file);
  }

  /** Bytes of text that the files so far were handed out with. */
  long kept() {
    return kept;
  }

  private static boolean isOtherSort(FileChange gone, FileChange come) {
    return come.kind() == FileChange.Kind.ADDED
        && come.path().equals(gone.path())
        && come.newMode().isPresent()
        && !come.newMode().get().sameSort(gone.oldMode().orElseThrow());
  }

  private static FileChange typeChange(FileChange gone, FileChange come) {
    boolean whole = gone.whole() && come.whole();
    var hunks = new ArrayList<Hunk>();
    if (whole) {
      hunks.addAll(gone.hunks());
      hunks.addAll(come.hunks());
    }
    return new FileChange(
        gone.oldPath(),
        come.newPath(),
        FileChange.Kind.TYPE_CHANGED,
        gone.oldMode(),
        come.newMode(),
        hunks,
        gone.added() + come.added(),
        gone.deleted() + come.deleted(),
        gone.binary() || come.binary(),
        whole);
  }

  private @Nullable FileChange file() throws IOException, PatchRefused {
    while (reader.advance()) {
      FileChange file = null;
      if (reader.starts("diff --git ")) {
        file = ofGit();
      } else if (reader.starts("--- ")) {
        file = plain();
      } else if (reader.starts("Binary files ")) {
        file = plainBinary();
      } else if (reader.starts("diff --cc ") || reader.starts("diff --combined ")) {
        throw refused(
            PatchRefused.Rule.COMBINED,
            "this one begins with " + PatchRefused.shown(reader.header()));
      } else if (reader.starts("@@ -") && HunkHeader.of(reader.header()) != null) {
        throw refused(PatchRefused.Rule.HUNK_WITHOUT_FILE, "there is none before this one");
      }
      if (file != null) {
        return file;
      }
    }
    return null;
  }

  private @Nullable FileChange ofGit() throws IOException, PatchRefused {
    var names = PatchNames.ofHeader(reader.header().substring(11));
    // A header that says nothing lends its names to the next, as Git has it.
    var header = new PatchHeader(reader.number(), names == null ? passed : names);
    passed = null;
    boolean any = false;
    while (reader.advance()) {
      if (header.take(reader.header())) {
        any = true;
      } else if (any) {
        return finished(header, body());
      } else {
        // A header of one line says nothing, and what follows it is not its own.
        passed = header.names();
        reader.back();
        return null;
      }
    }
    return any ? finished(header, emptyBody()) : null;
  }

  private PatchBody emptyBody() {
    return new PatchBody(reader, Math.min(limits.aFile(), limits.inAll() - kept));
  }

  private FileChange finished(PatchHeader header, PatchBody body) throws PatchRefused {
    kept += body.kept();
    return header.file(body);
  }

  private PatchBody body() throws IOException, PatchRefused {
    var body = emptyBody();
    if (reader.starts("@@ -")) {
      body.read();
    } else if (isCombined(reader.header())) {
      throw refused(PatchRefused.Rule.COMBINED, "here is a hunk of several sides");
    } else if (reader.is("GIT binary patch")) {
      binary();
      body.markBinary();
    } else if (isBinaryNote(reader.header())) {
      body.markBinary();
    } else {
      reader.back();
    }
    return body;
  }

  private @Nullable FileChange plain() throws IOException, PatchRefused {
    var header = new PatchHeader(reader.number(), null);
    var old = PatchNames.side(reader.header().substring(4), false);
    if (!reader.advance()) {
      return null;
    }
    if (!reader.starts("+++ ")) {
      reader.back();
      return null;
    }
    var now = PatchNames.side(reader.header().substring(4), false);
    boolean nowhere = PatchNames.NOWHERE.equals(old) && PatchNames.NOWHERE.equals(now);
    // One of the two is meant as a name then; to Git it is the second.
    header.sides(old, nowhere ? PatchNames.NOWHERE.substring(1) : now);
    if (!reader.advance()) {
      return null;
    }
    if (isCombined(reader.header())) {
      throw refused(PatchRefused.Rule.COMBINED, "here is a hunk of several sides");
    }
    if (!reader.starts("@@ -")) {
      reader.back();
      return null;
    }
    var body = emptyBody();
    body.read();
    return finished(header, body);
  }

  private @Nullable FileChange plainBinary() throws PatchRefused {
    var text = reader.header();
    int from = "Binary files ".length();
    int and = text.indexOf(" and ", from);
    int end = text.length() - " differ".length();
    if (!isBinaryNote(text) || and < 0 || and + 5 > end) {
      return null;
    }
    var header = new PatchHeader(reader.number(), null);
    header.sides(
        PatchNames.name(text.substring(from, and)), PatchNames.name(text.substring(and + 5, end)));
    var body = emptyBody();
    body.markBinary();
    return finished(header, body);
  }

  /** Whether a line begins a hunk of several old sides; three signs alone are noise. */
  private static boolean isCombined(String text) {
    return text.startsWith("@@@ -") && COMBINED.matcher(text).lookingAt();
  }

  private static boolean isBinaryNote(String text) {
    return (text.startsWith("Binary files ") || text.startsWith("Files "))
        && text.endsWith(" differ");
  }

  private void binary() throws IOException, PatchRefused {
    if (!reader.advance() || !isBinaryBegin()) {
      throw refused(PatchRefused.Rule.BINARY, "this one begins otherwise");
    }
    binaryLines();
    if (reader.advance()) {
      if (isBinaryBegin()) {
        binaryLines();
      } else {
        reader.back();
      }
    }
  }

  private boolean isBinaryBegin() {
    return reader.starts("literal ") || reader.starts("delta ");
  }

  private void binaryLines() throws IOException, PatchRefused {
    do {
      if (!reader.advance()) {
        throw refused(PatchRefused.Rule.BINARY, "the patch ends before the empty line");
      }
      if (reader.header().indexOf(' ') >= 0) {
        throw refused(PatchRefused.Rule.BINARY, "there is a blank in this line");
      }
    } while (!reader.header().isEmpty());
  }

  private PatchRefused refused(PatchRefused.Rule rule, String found) {
    return new PatchRefused(rule, reader.number(), found);
  }
}
