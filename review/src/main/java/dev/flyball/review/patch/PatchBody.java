package dev.flyball.review.patch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The hunks of a file in a patch, as long as they are worth keeping, and their counts. */
final class PatchBody {
  private final LineReader reader;
  private final long most;
  private final List<Hunk> hunks = new ArrayList<>();
  private List<HunkLine> lines = new ArrayList<>();
  private long weight;
  private long added;
  private long deleted;
  private boolean binary;
  private boolean whole = true;

  /**
   * One of which nothing has been read.
   *
   * @param most bytes that are kept
   */
  PatchBody(LineReader reader, long most) {
    this.reader = reader;
    this.most = most;
  }

  List<Hunk> hunks() {
    return hunks;
  }

  long added() {
    return added;
  }

  long deleted() {
    return deleted;
  }

  boolean isBinary() {
    return binary;
  }

  /** Whether everything was kept; if not, nothing was. */
  boolean isWhole() {
    return whole;
  }

  /** Bytes that were kept. */
  long kept() {
    return whole ? weight : 0;
  }

  /** Notes that the file changed in a way that has no lines. */
  void markBinary() {
    binary = true;
  }

  boolean isEmpty() {
    return added == 0 && deleted == 0 && !binary;
  }

  /** Reads all hunks that follow each other, the first of which begins at this line. */
  void read() throws IOException, PatchRefused {
    boolean more = true;
    while (more) {
      hunk();
      more = reader.advance();
      if (more && !reader.starts("@@ -")) {
        reader.back();
        more = false;
      }
    }
  }

  private void hunk() throws IOException, PatchRefused {
    var header = HunkHeader.of(reader.header());
    if (header == null) {
      throw refused(
          PatchRefused.Rule.HUNK_HEADER, "this is " + PatchRefused.shown(reader.header()));
    }
    if (header.isTooFar()) {
      throw refused(PatchRefused.Rule.NUMBER, "this is " + PatchRefused.shown(reader.header()));
    }
    weigh(header.heading().length());
    long old = header.oldCount();
    long now = header.newCount();
    while (old > 0 || now > 0) {
      if (!reader.advance(whole ? most - weight : 0)) {
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
        line(kind, header, old, now);
      }
    }
    if (reader.advance()) {
      if (reader.starts("\\ ")) {
        endsWithoutNewline();
      } else {
        reader.back();
      }
    }
    if (whole) {
      hunks.add(header.with(lines));
    }
    lines = new ArrayList<>();
  }

  /** Of the line; none if it is a remark on the one before. */
  private HunkLine.@Nullable Kind kind() throws PatchRefused {
    return switch (reader.first()) {
      case ' ', '\n' -> HunkLine.Kind.CONTEXT;
      case '+' -> HunkLine.Kind.ADDED;
      case '-' -> HunkLine.Kind.DELETED;
      default -> {
        if (reader.starts("\\ ")) {
          endsWithoutNewline();
          yield null;
        }
        if (reader.starts("\r") && reader.full() == 1) {
          yield HunkLine.Kind.CONTEXT;
        }
        throw refused(
            PatchRefused.Rule.HUNK_LINE, "this is " + PatchRefused.shown(reader.header()));
      }
    };
  }

  private void line(HunkLine.Kind kind, HunkHeader header, long oldLeft, long newLeft) {
    added += kind == HunkLine.Kind.ADDED ? 1 : 0;
    deleted += kind == HunkLine.Kind.DELETED ? 1 : 0;
    weigh(reader.full());
    if (whole) {
      lines.add(
          new HunkLine(
              kind,
              reader.text(reader.first() == '\n' || reader.first() == '\r' ? 0 : 1),
              header.oldNumber(oldLeft, kind),
              header.newNumber(newLeft, kind),
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

  private PatchRefused refused(PatchRefused.Rule rule, String found) {
    return new PatchRefused(rule, reader.number(), found);
  }
}
