package dev.flyball.review.symbol;

import dev.flyball.review.symbol.Covered.Damaged;
import dev.flyball.review.symbol.Covered.Lines;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What one report has told so far: of each file the lines, and how far it has been read. */
final class Marks {
  private static final int LAST_LINE = 1_000_000;
  private static final long MOST_LINES = 100_000_000;
  private static final int MOST_FILES = 500_000;
  private static final int LONGEST_NAME = 4096;

  private final String report;
  private final Map<String, Marked> files = new TreeMap<>();
  private final Set<String> doubtful = new HashSet<>();
  private boolean grouped;
  private int line;
  private long lines;

  private record Marked(BitSet covered, BitSet missed) {}

  Marks(String report) {
    this.report = report;
  }

  /** That the report is now read at this line of it, from 1. */
  void at(int position) {
    line = position;
  }

  /** That the report is wrong where it is read now. */
  Damaged damaged(String what) {
    return new Damaged(line > 0 ? report + ":" + line : report, what);
  }

  /** The name that a file has here, with slashes; it begins with one if it was a whole path. */
  String file(String raw) throws Damaged {
    if (raw.length() > LONGEST_NAME || raw.isBlank()) {
      throw damaged(
          "a file has a name of up to %d characters, but one had %d"
              .formatted(LONGEST_NAME, raw.strip().length()));
    }
    var plain = raw.strip().replace('\\', '/');
    boolean whole = plain.startsWith("/") || plain.startsWith(":/", 1);
    var folders = new ArrayDeque<String>();
    for (var folder : plain.split("/", -1)) {
      if (folder.equals("..")) {
        folders.pollLast();
      } else if (!folder.isEmpty() && !folder.equals(".")) {
        folders.add(folder);
      }
    }
    return (whole ? "/" : "") + String.join("/", folders);
  }

  boolean knows(String file) {
    return files.containsKey(file);
  }

  /** That the report tells of two files by this name. */
  void doubt(String file) {
    doubtful.add(file);
  }

  /** That the report is of several modules. */
  void group() {
    grouped = true;
  }

  boolean grouped() {
    return grouped;
  }

  /** A line that is covered once is covered. */
  void mark(String file, long number, boolean covered) throws Damaged {
    if (number < 1 || number > LAST_LINE) {
      throw damaged("lines are numbered from 1 to %d, but one was %d".formatted(LAST_LINE, number));
    }
    var marked = files.computeIfAbsent(file, made -> new Marked(new BitSet(), new BitSet()));
    int last = Math.max(marked.covered.length(), marked.missed.length());
    lines += Math.max(0, number - last);
    if (lines > MOST_LINES || files.size() > MOST_FILES) {
      throw damaged(
          "a report is of up to %d files and %d lines, but this is of more"
              .formatted(MOST_FILES, MOST_LINES));
    }
    int index = (int) number;
    if (covered) {
      marked.covered.set(index);
      marked.missed.clear(index);
    } else if (!marked.covered.get(index)) {
      marked.missed.set(index);
    }
  }

  Map<String, Lines> lines() {
    Map<String, Lines> all = new TreeMap<>();
    files.forEach((file, marked) -> all.put(file, new Lines(marked.covered, marked.missed)));
    return all;
  }

  Set<String> doubtful() {
    return Collections.unmodifiableSet(doubtful);
  }
}
