package dev.flyball.review.source;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
      Pattern.compile("@@@+ -\\d+(,\\d+)?( -\\d+(,\\d+)?)+ \\+\\d+(,\\d+)? @@@");

  private final LineReader feed;
  private final DiffLimits keep;
  private long kept;
  private @Nullable FileChange ahead;
  private @Nullable PatchNames passed;

  private Patch(InputStream in, DiffLimits keep) {
    this.feed = new LineReader(in);
    this.keep = keep;
  }

  /** One to be read file by file; whoever opened the stream closes it. */
  public static Patch open(InputStream in, DiffLimits keep) {
    return new Patch(in, keep);
  }

  /** All of it. */
  public static Change read(InputStream in, DiffLimits keep) throws IOException, PatchRefused {
    var patch = open(in, keep);
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
    while (feed.advance()) {
      FileChange file = null;
      if (feed.starts("diff --git ")) {
        file = ofGit();
      } else if (feed.starts("--- ")) {
        file = plain();
      } else if (feed.starts("Binary files ")) {
        file = plainBinary();
      } else if (feed.starts("diff --cc ") || feed.starts("diff --combined ")) {
        throw refused(PatchRefused.Rule.COMBINED, "this one begins with " + shown(feed.header()));
      } else if (feed.starts("@@ -") && Extent.of(feed.header()) != null) {
        throw refused(PatchRefused.Rule.HUNK_WITHOUT_FILE, "there is none before this one");
      }
      if (file != null) {
        return file;
      }
    }
    return null;
  }

  private @Nullable FileChange ofGit() throws IOException, PatchRefused {
    var names = PatchNames.ofHeader(feed.header().substring(11));
    // A header that says nothing lends its names to the next, as Git has it.
    var header = new Header(feed.number(), names == null ? passed : names);
    passed = null;
    boolean any = false;
    while (feed.advance()) {
      if (header.take(feed)) {
        any = true;
      } else if (any) {
        return header.file(body());
      } else {
        // A header of one line says nothing, and what follows it is not its own.
        passed = header.header;
        feed.back();
        return null;
      }
    }
    return any ? header.file(new Body()) : null;
  }

  private Body body() throws IOException, PatchRefused {
    var body = new Body();
    if (feed.starts("@@ -")) {
      body.hunks();
    } else if (isCombined(feed.header())) {
      throw refused(PatchRefused.Rule.COMBINED, "here is a hunk of several sides");
    } else if (feed.is("GIT binary patch")) {
      binary();
      body.binary = true;
    } else if (isBinaryNote(feed.header())) {
      body.binary = true;
    } else {
      feed.back();
    }
    return body;
  }

  private @Nullable FileChange plain() throws IOException, PatchRefused {
    var header = new Header(feed.number(), null);
    header.old = PatchNames.side(feed.header().substring(4), false);
    if (!feed.advance()) {
      return null;
    }
    if (!feed.starts("+++ ")) {
      feed.back();
      return null;
    }
    header.now = PatchNames.side(feed.header().substring(4), false);
    if (PatchNames.NOWHERE.equals(header.old) && PatchNames.NOWHERE.equals(header.now)) {
      // One of the two is meant as a name; to Git it is the second.
      header.now = PatchNames.NOWHERE.substring(1);
    }
    if (!feed.advance()) {
      return null;
    }
    if (isCombined(feed.header())) {
      throw refused(PatchRefused.Rule.COMBINED, "here is a hunk of several sides");
    }
    if (!feed.starts("@@ -")) {
      feed.back();
      return null;
    }
    var body = new Body();
    body.hunks();
    return header.file(body);
  }

  private @Nullable FileChange plainBinary() throws PatchRefused {
    var text = feed.header();
    int from = "Binary files ".length();
    int and = text.indexOf(" and ", from);
    int end = text.length() - " differ".length();
    if (!isBinaryNote(text) || and < 0 || and + 5 > end) {
      return null;
    }
    var header = new Header(feed.number(), null);
    header.old = PatchNames.name(text.substring(from, and));
    header.now = PatchNames.name(text.substring(and + 5, end));
    var body = new Body();
    body.binary = true;
    return header.file(body);
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
    if (!feed.advance() || !isBinaryBegin()) {
      throw refused(PatchRefused.Rule.BINARY, "this one begins otherwise");
    }
    binaryLines();
    if (feed.advance()) {
      if (isBinaryBegin()) {
        binaryLines();
      } else {
        feed.back();
      }
    }
  }

  private boolean isBinaryBegin() {
    return feed.starts("literal ") || feed.starts("delta ");
  }

  private void binaryLines() throws IOException, PatchRefused {
    do {
      if (!feed.advance()) {
        throw refused(PatchRefused.Rule.BINARY, "the patch ends before the empty line");
      }
      if (feed.header().indexOf(' ') >= 0) {
        throw refused(PatchRefused.Rule.BINARY, "there is a blank in this line");
      }
    } while (!feed.header().isEmpty());
  }

  private PatchRefused refused(PatchRefused.Rule rule, String found) {
    return new PatchRefused(rule, feed.number(), found);
  }

  private static String shown(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }

  /** What stands before the hunks of a file. */
  private static final class Header {
    private final long line;
    private final @Nullable PatchNames header;
    private @Nullable String old;
    private @Nullable String now;
    private @Nullable String from;
    private @Nullable String to;
    private boolean copied;
    private @Nullable FileMode oldMode;
    private @Nullable FileMode newMode;
    private boolean created;
    private boolean gone;

    Header(long line, @Nullable PatchNames header) {
      this.line = line;
      this.header = header;
    }

    /** Whether the line belongs here. */
    boolean take(LineReader feed) {
      var text = feed.header();
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

    FileChange file(Body body) throws PatchRefused {
      var names = names();
      created |= names.old().equals(PatchNames.NOWHERE);
      gone |= names.now().equals(PatchNames.NOWHERE);
      var path = created ? names.now() : names.old();
      if (path.isEmpty() || path.equals(PatchNames.NOWHERE)) {
        throw new PatchRefused(PatchRefused.Rule.NAME, line, "neither side of this one has");
      }
      var kind = kind(body);
      return new FileChange(
          kind == FileChange.Kind.ADDED
              ? Optional.empty()
              : Optional.of(PatchNames.decoded(names.old())),
          kind == FileChange.Kind.DELETED
              ? Optional.empty()
              : Optional.of(PatchNames.decoded(names.now())),
          kind,
          Optional.ofNullable(kind == FileChange.Kind.ADDED ? null : oldMode),
          Optional.ofNullable(kind == FileChange.Kind.DELETED ? null : newMode),
          body.hunks,
          body.added,
          body.deleted,
          body.binary,
          body.whole);
    }

    private FileChange.Kind kind(Body body) {
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

    private PatchNames names() throws PatchRefused {
      if (from != null && to != null && !from.isEmpty() && !to.isEmpty()) {
        return new PatchNames(from, to);
      }
      var both = header == null ? null : header.withoutSides();
      if (both != null && PatchNames.NOWHERE.equals(old) && PatchNames.NOWHERE.equals(now)) {
        return both;
      }
      if (old != null && now != null) {
        return PatchNames.ofSides(old, now, header);
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

  /** The hunks of a file, as long as they are worth keeping, and their counts. */
  private final class Body {
    private final long most = Math.min(keep.aFile(), keep.inAll() - kept);
    private final List<Hunk> hunks = new ArrayList<>();
    private List<HunkLine> lines = new ArrayList<>();
    private long weight;
    private long added;
    private long deleted;
    private boolean binary;
    private boolean whole = true;

    boolean isEmpty() {
      return added == 0 && deleted == 0 && !binary;
    }

    /** All that follow each other. */
    void hunks() throws IOException, PatchRefused {
      boolean more = true;
      while (more) {
        hunk();
        more = feed.advance();
        if (more && !feed.starts("@@ -")) {
          feed.back();
          more = false;
        }
      }
      if (whole) {
        kept += weight;
      }
    }

    private void hunk() throws IOException, PatchRefused {
      var extent = Extent.of(feed.header());
      if (extent == null) {
        throw refused(PatchRefused.Rule.HUNK_HEADER, "this is " + shown(feed.header()));
      }
      if (extent.isTooFar()) {
        throw refused(PatchRefused.Rule.NUMBER, "this is " + shown(feed.header()));
      }
      weigh(extent.heading().length());
      long old = extent.oldCount();
      long now = extent.newCount();
      while (old > 0 || now > 0) {
        if (!feed.advance(whole ? most - weight : 0)) {
          throw refused(
              PatchRefused.Rule.HUNK_COUNT,
              "the patch ends %d old and %d new lines early".formatted(old, now));
        }
        var kind = kind();
        if (kind != null) {
          old -= kind == HunkLine.Kind.ADDED ? 0 : 1;
          now -= kind == HunkLine.Kind.DELETED ? 0 : 1;
          if (old < 0 || now < 0) {
            throw refused(
                PatchRefused.Rule.HUNK_COUNT,
                "here is one more on the %s side".formatted(old < 0 ? "old" : "new"));
          }
          line(kind, extent, old, now);
        }
      }
      if (feed.advance()) {
        if (feed.starts("\\ ")) {
          endsWithoutNewline();
        } else {
          feed.back();
        }
      }
      if (whole) {
        hunks.add(extent.with(lines));
      }
      lines = new ArrayList<>();
    }

    /** Of the line; none if it is a remark on the one before. */
    private HunkLine.@Nullable Kind kind() throws PatchRefused {
      return switch (feed.first()) {
        case ' ', '\n' -> HunkLine.Kind.CONTEXT;
        case '+' -> HunkLine.Kind.ADDED;
        case '-' -> HunkLine.Kind.DELETED;
        default -> {
          if (feed.starts("\\ ")) {
            endsWithoutNewline();
            yield null;
          }
          if (feed.starts("\r") && feed.full() == 1) {
            yield HunkLine.Kind.CONTEXT;
          }
          throw refused(PatchRefused.Rule.HUNK_LINE, "this is " + shown(feed.header()));
        }
      };
    }

    private void line(HunkLine.Kind kind, Extent extent, long oldLeft, long newLeft) {
      added += kind == HunkLine.Kind.ADDED ? 1 : 0;
      deleted += kind == HunkLine.Kind.DELETED ? 1 : 0;
      weigh(feed.full());
      if (whole) {
        lines.add(
            new HunkLine(
                kind,
                feed.text(feed.first() == '\n' || feed.first() == '\r' ? 0 : 1),
                extent.oldNumber(oldLeft, kind),
                extent.newNumber(newLeft, kind),
                true));
      }
    }

    private void weigh(long bytes) {
      weight += DiffLimits.LINE + bytes;
      if (whole && weight > most) {
        whole = false;
        hunks.clear();
        lines = new ArrayList<>();
      }
    }

    private void endsWithoutNewline() {
      if (!lines.isEmpty()) {
        lines.set(lines.size() - 1, lines.getLast().withoutNewline());
      }
    }
  }

  /** The header of a hunk. */
  private record Extent(
      long oldStart, long oldCount, long newStart, long newCount, String heading) {
    private static final long FAR = Integer.MAX_VALUE;

    static @Nullable Extent of(String text) {
      var scan = new Scan(text, "@@ -".length());
      long oldStart = scan.number();
      long oldCount = scan.count();
      boolean right = scan.expect(" +");
      long newStart = scan.number();
      long newCount = scan.count();
      right &= scan.expect(" @@");
      return right && oldStart >= 0 && oldCount >= 0 && newStart >= 0 && newCount >= 0
          ? new Extent(oldStart, oldCount, newStart, newCount, scan.rest())
          : null;
    }

    boolean isTooFar() {
      return oldStart + oldCount > FAR || newStart + newCount > FAR;
    }

    Hunk with(List<HunkLine> lines) {
      return new Hunk(
          (int) oldStart, (int) oldCount, (int) newStart, (int) newCount, heading, lines);
    }

    /** A side without lines is said to start at the line before. */
    int oldNumber(long left, HunkLine.Kind kind) {
      long next = oldStart + (oldCount == 0 ? 1 : oldCount - left);
      return (int) (kind == HunkLine.Kind.ADDED || oldCount == 0 ? next : next - 1);
    }

    int newNumber(long left, HunkLine.Kind kind) {
      long next = newStart + (newCount == 0 ? 1 : newCount - left);
      return (int) (kind == HunkLine.Kind.DELETED || newCount == 0 ? next : next - 1);
    }
  }

  /** A place in the header of a hunk. */
  private static final class Scan {
    private final String text;
    private int at;

    Scan(String text, int at) {
      this.text = text;
      this.at = at;
    }

    /** -1 if there is none; more than is possible stays what it is. */
    long number() {
      int from = at;
      long value = 0;
      while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        value = Math.min(value * 10 + text.charAt(at++) - '0', 1L << 40);
      }
      return at == from ? -1 : value;
    }

    /** One if it is left out. */
    long count() {
      if (at < text.length() && text.charAt(at) == ',') {
        at++;
        return number();
      }
      return 1;
    }

    boolean expect(String next) {
      boolean right = text.startsWith(next, at);
      at += next.length();
      return right;
    }

    String rest() {
      var rest = at < text.length() ? text.substring(at) : "";
      return PatchNames.decoded(rest.startsWith(" ") ? rest.substring(1) : rest);
    }
  }
}
