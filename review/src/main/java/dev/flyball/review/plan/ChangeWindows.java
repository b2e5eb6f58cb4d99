package dev.flyball.review.plan;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Hunk;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.select.SourceFiles;
import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.Symbol;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The parts of a changed file that are shown: the changed lines, five lines around them, and all of
 * the function that they are in. Windows that meet are one. Deleted lines are shown where they
 * were.
 */
public final class ChangeWindows {
  static final int AROUND = 5;

  /** The sign of a piece of a line that goes on from the piece above it. */
  public static final char CONTINUED = '\u2026';

  /** What stands above a window. */
  public static final Pattern HEAD = Pattern.compile("@@ lines (\\d+) to (\\d+) @@");

  private static final int LONGEST_LINE = 1_000;

  /** A longer function is shown only around what changed. */
  private static final int LONGEST_FUNCTION = 120;

  private static final int LONGEST_TYPE = 40;
  private static final int NEAR = 3;
  private static final int DELETED_SHOWN = 200;

  /** Some lines of the file as it is now, and what they look like as a change. */
  record Window(int line, int endLine, String text) {}

  private ChangeWindows() {}

  /**
   * Of a change.
   *
   * @param text what the file says now, if that is known
   * @param whole whether all of the file is to be shown
   */
  static List<Window> of(
      FileChange change, Optional<SourceText> text, Optional<Outline> outline, boolean whole) {
    if (change.newPath().isEmpty()) {
      return List.of(gone(change));
    }
    if (change.hunks().isEmpty() && !isNew(change)) {
      return List.of(untouched(change));
    }
    if (text.filter(it -> shows(it, change)).isEmpty()) {
      return change.hunks().stream().map(ChangeWindows::bare).toList();
    }
    int lines = text.get().lines();
    var spans = new ArrayList<int[]>();
    if (whole || isNew(change)) {
      spans.add(new int[] {1, Math.max(1, lines)});
    } else {
      for (var hunk : change.hunks()) {
        for (var span : changed(hunk)) {
          spans.add(widened(span, lines, outline));
        }
      }
    }
    return joined(spans).stream().map(span -> window(change, text.get(), span)).toList();
  }

  /**
   * Whether a text has the lines of a change where they should be. What is on disk may be something
   * else than what Git makes of it, and then the change is what counts.
   */
  private static boolean shows(SourceText text, FileChange change) {
    return change.hunks().stream()
        .flatMap(hunk -> hunk.lines().stream())
        .filter(line -> line.kind() != HunkLine.Kind.DELETED)
        .allMatch(
            line ->
                line.newNumber() <= text.lines()
                    && text.line(line.newNumber()).equals(withoutReturn(line.text())));
  }

  private static String withoutReturn(String line) {
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }

  /** Whether all of it is to be seen: it is new, or it has become source by its new name. */
  private static boolean isNew(FileChange change) {
    return change.kind() == FileChange.Kind.ADDED
        || (change.hunks().isEmpty()
            && SourceFiles.isSource(change.path())
            && change.oldPath().filter(SourceFiles::isSource).isEmpty());
  }

  /** Of a file whose name or rights changed, and no line. */
  private static Window untouched(FileChange change) {
    var shown = new StringBuilder("(no line changed");
    change
        .oldPath()
        .filter(old -> !old.equals(change.path()))
        .ifPresent(old -> shown.append("; renamed from ").append(TextNode.valueOf(old)));
    if (change.oldMode().isPresent()
        && change.newMode().isPresent()
        && !change.oldMode().equals(change.newMode())) {
      shown.append("; mode ").append(change.oldMode().get());
      shown.append(" became ").append(change.newMode().get());
    }
    return new Window(1, 1, shown.append(")\n").toString());
  }

  /** The stretches of a hunk that changed, without what stands between them. */
  private static List<int[]> changed(Hunk hunk) {
    var spans = new ArrayList<int[]>();
    for (var line : hunk.lines()) {
      if (line.kind() == HunkLine.Kind.CONTEXT) {
        continue;
      }
      int at = line.newNumber();
      if (!spans.isEmpty() && at <= spans.getLast()[1] + 1) {
        spans.getLast()[1] = Math.max(spans.getLast()[1], at);
      } else {
        spans.add(new int[] {at, at});
      }
    }
    return spans;
  }

  private static int[] widened(int[] span, int lines, Optional<Outline> outline) {
    int first = Math.max(1, span[0] - AROUND);
    int last = Math.min(lines, span[1] + AROUND);
    var around = outline.flatMap(it -> it.enclosing(Math.clamp(span[0], 1, Math.max(1, lines))));
    if (around.isPresent() && isShort(around.get())) {
      first = Math.min(first, around.get().line());
      last = Math.max(last, Math.min(lines, around.get().endLine()));
    }
    return new int[] {first, Math.max(first, last)};
  }

  private static boolean isShort(Symbol symbol) {
    int length = symbol.endLine() - symbol.line() + 1;
    return switch (symbol.kind()) {
      case FUNCTION, METHOD, CONSTRUCTOR -> length <= LONGEST_FUNCTION;
      case CLASS, INTERFACE, RECORD, ENUM, TYPE -> length <= LONGEST_TYPE;
      case CONSTANT, VARIABLE, MODULE -> false;
    };
  }

  private static List<int[]> joined(List<int[]> spans) {
    var joined = new ArrayList<int[]>();
    spans.stream()
        .sorted((one, other) -> Integer.compare(one[0], other[0]))
        .forEach(
            span -> {
              if (!joined.isEmpty() && span[0] <= joined.getLast()[1] + NEAR) {
                joined.getLast()[1] = Math.max(joined.getLast()[1], span[1]);
              } else {
                joined.add(span);
              }
            });
    return joined;
  }

  private static Window window(FileChange change, SourceText text, int[] span) {
    var added = new TreeMap<Integer, Boolean>();
    var deleted = new TreeMap<Integer, List<String>>();
    for (var hunk : change.hunks()) {
      for (var line : hunk.lines()) {
        switch (line.kind()) {
          case ADDED -> added.put(line.newNumber(), true);
          case DELETED ->
              deleted.computeIfAbsent(line.newNumber(), at -> new ArrayList<>()).add(line.text());
          case CONTEXT -> {}
        }
      }
    }
    var shown = new StringBuilder();
    int last = Math.min(span[1], text.lines());
    for (int line = span[0]; line <= last; line++) {
      deleted.getOrDefault(line, List.of()).forEach(gone -> line(shown, '-', gone));
      line(shown, added.containsKey(line) ? '+' : ' ', text.line(line));
    }
    // What was deleted at the very end has no line after it.
    if (last == text.lines()) {
      deleted.tailMap(last, false).values().forEach(all -> all.forEach(it -> line(shown, '-', it)));
    }
    return new Window(span[0], Math.max(span[0], last), shown.toString());
  }

  /** Of a file that only its hunks are known of. */
  private static Window bare(Hunk hunk) {
    var shown = new StringBuilder();
    for (var line : hunk.lines()) {
      line(
          shown,
          switch (line.kind()) {
            case ADDED -> '+';
            case DELETED -> '-';
            case CONTEXT -> ' ';
          },
          line.text());
    }
    int first = Math.max(1, hunk.newStart());
    return new Window(first, first + Math.max(0, hunk.newCount() - 1), shown.toString());
  }

  private static Window gone(FileChange change) {
    var shown = new StringBuilder();
    long left = change.deleted();
    int count = 0;
    for (var hunk : change.hunks()) {
      for (var line : hunk.lines()) {
        if (count++ < DELETED_SHOWN) {
          line(shown, '-', line.text());
          left--;
        }
      }
    }
    if (left > 0) {
      shown.append("(").append(left).append(" more deleted lines)\n");
    }
    return new Window(1, 1, shown.toString());
  }

  /**
   * A line with its sign. A long one is cut into pieces, each after the first with a sign of its
   * own, so that none of it is left out and no excerpt is larger than a question may be.
   */
  private static void line(StringBuilder shown, char sign, String text) {
    char mark = sign;
    int from = 0;
    while (text.length() - from > LONGEST_LINE) {
      int to = cut(text, from);
      shown.append(mark).append(text, from, to).append('\n');
      mark = CONTINUED;
      from = to;
    }
    shown.append(mark).append(text, from, text.length()).append('\n');
  }

  /** Windows as they are shown: every line that there is now has its number. */
  static String numbered(String text) {
    var shown = new StringBuilder(text.length() * 5 / 4);
    int next = 1;
    for (var line : text.split("\n", -1)) {
      var head = HEAD.matcher(line);
      if (head.matches()) {
        next = Integer.parseInt(head.group(1));
        shown.append(line);
      } else if (line.startsWith("+") || line.startsWith(" ")) {
        shown.append(line.charAt(0)).append(next++).append('|').append(line, 1, line.length());
      } else if (line.startsWith("-") || line.startsWith(String.valueOf(CONTINUED))) {
        shown.append(line.charAt(0)).append('|').append(line, 1, line.length());
      } else {
        shown.append(line);
      }
      shown.append('\n');
    }
    return shown.substring(0, Math.max(0, shown.length() - 1));
  }

  /** Where a piece ends: rather between two statements than inside a word. */
  private static int cut(String text, int from) {
    int last = from + LONGEST_LINE;
    for (var ends : List.of(";}", ", \t)]>")) {
      for (int at = last; at > last - LONGEST_LINE / 2; at--) {
        if (ends.indexOf(text.charAt(at - 1)) >= 0) {
          return at;
        }
      }
    }
    return Character.isHighSurrogate(text.charAt(last - 1)) ? last - 1 : last;
  }
}
