package dev.flyball.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Most files are short. One idea may need a long one, and then a comment above its type, or at its
 * start, says <i>Long because</i> and the reason.
 */
final class LongFilesTest {
  private static final int MOST_LINES = 400;

  /** How far into a type its reason may stand. */
  private static final int START = 10;

  private static final Pattern TYPE =
      Pattern.compile(
          "((public|final|abstract|sealed|non-sealed) )*(class|interface|enum|record|@interface)"
              + " .*");
  private static final Pattern COMMENT = Pattern.compile("\\s*(/\\*\\*?|\\*/?|//)\\s?(.*)");

  @TempDir private Path root;

  @Test
  void a_long_file_has_its_reason() {
    assertThat(unexplained(SourceTree.ours()))
        .as(
            "files of more than %d lines whose type has no comment \"Long because ...\"; better,"
                + " find the second idea and give it a file",
            MOST_LINES)
        .isEmpty();
  }

  @Test
  void the_files_of_all_modules_are_seen() {
    assertThat(SourceTree.ours().files())
        .extracting(file -> file.getFileName().toString())
        .contains("Flyball.java", "Main.java", "BenchMain.java")
        .doesNotContain("LongFilesTest.java");
  }

  @Test
  void a_long_file_without_a_reason_is_seen() throws IOException {
    plant("Short.java", MOST_LINES, "/** A type. */");
    plant("Explained.java", MOST_LINES + 1, "/** A type. Long because it is one idea. */");
    plant("Wrapped.java", MOST_LINES + 1, "/**\n * A type. Long\n * because it is one idea.\n */");
    plant("Remarked.java", MOST_LINES + 1, "// Long because it is one idea.");
    plant("Long.java", MOST_LINES + 1, "/** A type. */");
    plant("Quoting.java", MOST_LINES + 1, "@Reason(\"Long because it says so\")");

    assertThat(unexplained(new SourceTree(root)))
        .containsExactly(
            "part/src/main/java/Long.java has 401 lines",
            "part/src/main/java/Quoting.java has 401 lines");
  }

  private void plant(String name, int lines, String comment) throws IOException {
    Files.writeString(root.resolve("pom.xml"), "<module>part</module>");
    Path folder = Files.createDirectories(root.resolve("part/src/main/java"));
    String text = comment + "\nfinal class A {\n";
    String rest =
        IntStream.range(0, lines - (int) text.lines().count() - 1)
            .mapToObj(line -> "  int field" + line + ";\n")
            .collect(Collectors.joining());
    Files.writeString(folder.resolve(name), text + rest + "}\n");
  }

  private static List<String> unexplained(SourceTree tree) {
    return tree.files().stream()
        .filter(file -> SourceTree.read(file).lines().count() > MOST_LINES)
        .filter(file -> !isExplained(SourceTree.read(file).lines().toList()))
        .map(
            file ->
                tree.root().relativize(file)
                    + " has "
                    + SourceTree.read(file).lines().count()
                    + " lines")
        .toList();
  }

  private static boolean isExplained(List<String> lines) {
    int type =
        IntStream.range(0, lines.size())
            .filter(line -> TYPE.matcher(lines.get(line)).matches())
            .findFirst()
            .orElse(0);
    return lines.stream()
        .limit(type + START)
        .map(COMMENT::matcher)
        .filter(line -> line.matches())
        .map(line -> line.group(2))
        .collect(Collectors.joining(" "))
        .contains("Long because ");
  }
}
