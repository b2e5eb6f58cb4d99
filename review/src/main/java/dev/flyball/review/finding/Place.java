package dev.flyball.review.finding;

import java.util.Arrays;
import java.util.Optional;

/** The position of a finding. Files are named by their path inside the repository, with slashes. */
public sealed interface Place {
  /** So many lines apart is still near. */
  int NEAR = 3;

  /**
   * Some lines of a file. Lines and columns count from 1; columns are UTF-16 units, and the last
   * one is the first after the place.
   *
   * @param outside whether it was shown beside a change, and is not part of it
   */
  record Lines(
      String path, int line, int column, int endLine, int endColumn, DiffSide side, boolean outside)
      implements Place {
    public Lines(String path, int line, int column, int endLine, int endColumn, DiffSide side) {
      this(path, line, column, endLine, endColumn, side, false);
    }

    public Lines {
      inside(path);
      if (line < 1 || column < 1) {
        throw new IllegalArgumentException(
            "lines and columns count from 1, but a place began at " + line + ":" + column);
      }
      if (endLine < line || endColumn < 1 || (endLine == line && endColumn < column)) {
        throw new IllegalArgumentException(
            "a place ends after it begins, but went from %d:%d to %d:%d"
                .formatted(line, column, endLine, endColumn));
      }
    }
  }

  /** A file and no line of it in particular. */
  record File(String path) implements Place {
    public File {
      inside(path);
    }
  }

  /** The change or the repository as a whole. */
  record Whole() implements Place {}

  /**
   * A file or a folder, however a stranger has named it; what has no name inside the repository is
   * about all of it.
   */
  static Place ofFile(String path) {
    var name = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    return isAstray(name) ? new Whole() : new File(name);
  }

  /** Whole lines of a text, from the first character that is not blank to the end. */
  static Place.Lines lines(SourceText text, int line, int endLine) {
    return lines(text, line, endLine, DiffSide.RIGHT);
  }

  static Place.Lines lines(SourceText text, int line, int endLine, DiffSide side) {
    if (endLine > text.lines()) {
      throw new IllegalArgumentException(
          "%s has %d lines, but a place ended at line %d"
              .formatted(text.path(), text.lines(), endLine));
    }
    var first = text.line(line);
    int column = first.isBlank() ? 1 : first.length() - first.stripLeading().length() + 1;
    int end = text.line(endLine).stripTrailing().length() + 1;
    return new Lines(
        text.path(), line, column, endLine, line == endLine ? Math.max(column, end) : end, side);
  }

  default FindingScope scope() {
    return switch (this) {
      case Lines lines -> lines.outside() ? FindingScope.OUTSIDE_CHANGE : FindingScope.LINE;
      case File file -> FindingScope.FILE;
      case Whole whole -> FindingScope.WHOLE;
    };
  }

  default Optional<String> file() {
    return switch (this) {
      case Lines lines -> Optional.of(lines.path());
      case File file -> Optional.of(file.path());
      case Whole whole -> Optional.empty();
    };
  }

  /** Whether two places are the same, or only few lines of one file apart. */
  default boolean isNear(Place other) {
    if (this instanceof Lines a && other instanceof Lines b) {
      return a.path().equals(b.path())
          && a.side() == b.side()
          && a.line() <= b.endLine() + NEAR
          && b.line() <= a.endLine() + NEAR;
    }
    return equals(other);
  }

  private static boolean isAstray(String path) {
    return path.indexOf('\0') >= 0
        || Arrays.stream(path.split("/", -1))
            .anyMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
  }

  private static void inside(String path) {
    if (isAstray(path)) {
      throw new IllegalArgumentException(
          "a file is named by its path inside the repository, but was '" + path + "'");
    }
  }
}
