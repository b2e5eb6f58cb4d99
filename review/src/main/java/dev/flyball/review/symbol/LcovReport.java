package dev.flyball.review.symbol;

import dev.flyball.review.symbol.Covered.Damaged;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

/** A report in the format of LCOV: a file, its lines and how often each was run. */
final class LcovReport {
  private static final int LONGEST_LINE = 10_000;

  private final Marks marks;
  private String file = "";

  private LcovReport(Marks marks) {
    this.marks = marks;
  }

  static Marks read(InputStream in, String name) throws Damaged {
    var marks = new Marks(name);
    var report = new LcovReport(marks);
    try {
      var text = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      var line = new StringBuilder();
      for (int number = 1; next(text, line); number++) {
        marks.at(number);
        if (line.length() > LONGEST_LINE) {
          throw marks.damaged(
              "a line has up to " + LONGEST_LINE + " characters, but this one has more");
        }
        report.take(line.toString().strip());
      }
    } catch (IOException broken) {
      throw marks.damaged("cannot be read: " + broken.getMessage());
    }
    if (!report.file.isEmpty()) {
      throw marks.damaged("a file ends with end_of_record, but the last one does not");
    }
    return marks;
  }

  /** Of a line that is too long, one character more than is allowed. */
  private static boolean next(Reader text, StringBuilder line) throws IOException {
    line.setLength(0);
    int next = text.read();
    for (int each = next; each >= 0 && each != '\n'; each = text.read()) {
      line.append((char) each);
      if (line.length() > LONGEST_LINE) {
        break;
      }
    }
    return next >= 0;
  }

  private void take(String line) throws Damaged {
    if (line.startsWith("SF:")) {
      if (!file.isEmpty()) {
        throw marks.damaged("a file ends with end_of_record, but the one before does not");
      }
      file = marks.file(line.substring(3));
    } else if (line.startsWith("DA:")) {
      if (file.isEmpty()) {
        throw marks.damaged("DA comes after SF, but this one does not");
      }
      hit(line.substring(3).split(",", -1));
    } else if (line.equals("end_of_record")) {
      file = "";
    } else if (!isOther(line)) {
      throw marks.damaged("a line is WORD:..., end_of_record or a comment, but this one is not");
    }
  }

  private void hit(String[] parts) throws Damaged {
    try {
      marks.mark(
          file,
          Long.parseLong(parts[0].strip()),
          parts.length > 1 && Double.parseDouble(parts[1]) > 0);
    } catch (NumberFormatException broken) {
      throw marks.damaged("DA is a line and how often it was run, but this one is not");
    }
  }

  private static boolean isOther(String line) {
    int colon = line.indexOf(':');
    return line.isEmpty()
        || line.startsWith("#")
        || (colon > 0
            && line.chars().limit(colon).allMatch(c -> (c >= 'A' && c <= 'Z') || c == '_'));
  }
}
