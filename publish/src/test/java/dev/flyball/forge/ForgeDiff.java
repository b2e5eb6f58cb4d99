package dev.flyball.forge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A change as Git tells it: which lines it has, on which side, in which hunk. */
final class ForgeDiff {
  private static final Pattern HUNK =
      Pattern.compile("@@ -(\\d+)(?:,(\\d+))? \\+(\\d+)(?:,(\\d+))? @@.*", Pattern.DOTALL);

  /** A line of it; {@code kind} is what Git writes before it. */
  record Line(char kind, int old, int now, int hunk) {}

  /** A file of it. */
  record File(String oldPath, String newPath, List<Line> lines) {
    Optional<Line> right(int number) {
      return lines.stream().filter(it -> it.kind() != '-' && it.now() == number).findFirst();
    }

    Optional<Line> left(int number) {
      return lines.stream().filter(it -> it.kind() == '-' && it.old() == number).findFirst();
    }
  }

  private ForgeDiff() {}

  static String text(Git git, String base, String head) {
    return new String(
        git.bytes(
            "diff", "--no-ext-diff", "--no-textconv", "-M", "-U3", "--full-index", base, head),
        StandardCharsets.ISO_8859_1);
  }

  static List<File> of(Git git, String base, String head) {
    var names =
        new String(
                git.bytes("diff", "--raw", "-z", "-M", "--no-abbrev", base, head),
                StandardCharsets.UTF_8)
            .split("\0", -1);
    var files = new ArrayList<File>();
    for (int i = 0; i + 1 < names.length; ) {
      var status = names[i].substring(names[i].lastIndexOf(' ') + 1);
      boolean two = status.startsWith("R") || status.startsWith("C");
      files.add(new File(names[i + 1], names[two ? i + 2 : i + 1], new ArrayList<>()));
      i += two ? 3 : 2;
    }
    int file = -1;
    int hunk = 0;
    int old = 0;
    int now = 0;
    int oldLeft = 0;
    int newLeft = 0;
    for (var line : text(git, base, head).split("\n", -1)) {
      if (oldLeft > 0 || newLeft > 0) {
        char kind = line.isEmpty() ? ' ' : line.charAt(0);
        if (kind == '\\') {
          continue;
        }
        files.get(file).lines().add(new Line(kind, old, now, hunk));
        if (kind != '+') {
          old++;
          oldLeft--;
        }
        if (kind != '-') {
          now++;
          newLeft--;
        }
        continue;
      }
      if (line.startsWith("diff --git ")) {
        file++;
      }
      var head1 = HUNK.matcher(line);
      if (head1.matches()) {
        hunk++;
        oldLeft = count(head1.group(2));
        newLeft = count(head1.group(4));
        old = Integer.parseInt(head1.group(1)) + (oldLeft == 0 ? 1 : 0);
        now = Integer.parseInt(head1.group(3)) + (newLeft == 0 ? 1 : 0);
      }
    }
    return files;
  }

  private static int count(@Nullable String said) {
    return said == null ? 1 : Integer.parseInt(said);
  }
}
