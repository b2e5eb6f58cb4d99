package dev.flyball.review.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.finding.SourceText;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Patch;
import dev.flyball.review.symbol.Outline;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ChangeWindowsTest {
  private static FileChange change(String patch) throws Exception {
    return Patch.read(new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)))
        .files()
        .getFirst();
  }

  private static SourceText numbered(int lines) {
    return SourceText.of(
        "a.txt",
        IntStream.rangeClosed(1, lines)
            .mapToObj(i -> "line " + i + "\n")
            .collect(Collectors.joining()));
  }

  /** Seed: a window of five lines was four before and six after. */
  @Test
  void five_lines_are_shown_before_and_five_after() throws Exception {
    var change = change("--- a/a.txt\n+++ b/a.txt\n@@ -20 +20 @@\n-old\n+line 20\n");
    var windows = ChangeWindows.of(change, Optional.of(numbered(40)), Optional.empty(), false);
    assertThat(windows).hasSize(1);
    assertThat(windows.getFirst().line()).isEqualTo(15);
    assertThat(windows.getFirst().endLine()).isEqualTo(25);
    assertThat(windows.getFirst().text().lines())
        .containsExactly(
            " line 15",
            " line 16",
            " line 17",
            " line 18",
            " line 19",
            "-old",
            "+line 20",
            " line 21",
            " line 22",
            " line 23",
            " line 24",
            " line 25");
  }

  /** Seed: overlapping windows were analysed twice. */
  @Test
  void windows_that_meet_are_one() throws Exception {
    var change =
        change(
            "--- a/a.txt\n+++ b/a.txt\n@@ -10 +10 @@\n-a\n+line 10\n@@ -22 +22 @@\n-b\n+line 22\n");
    var windows = ChangeWindows.of(change, Optional.of(numbered(60)), Optional.empty(), false);
    assertThat(windows).hasSize(1);
    assertThat(windows.getFirst().line()).isEqualTo(5);
    assertThat(windows.getFirst().endLine()).isEqualTo(27);
    var far =
        change(
            "--- a/a.txt\n+++ b/a.txt\n@@ -10 +10 @@\n-a\n+line 10\n@@ -42 +42 @@\n-b\n+line 42\n");
    assertThat(ChangeWindows.of(far, Optional.of(numbered(60)), Optional.empty(), false))
        .hasSize(2);
  }

  /** Seed: deleted lines were invisible. */
  @Test
  void deleted_lines_are_shown_where_they_were_also_at_the_end() throws Exception {
    var change = change("--- a/a.txt\n+++ b/a.txt\n@@ -2,2 +2 @@\n line 2\n-gone\n");
    var windows = ChangeWindows.of(change, Optional.of(numbered(2)), Optional.empty(), false);
    assertThat(windows.getFirst().text()).isEqualTo(" line 1\n line 2\n-gone\n");
  }

  @Test
  void a_window_is_widened_to_the_function_it_is_in() throws Exception {
    var source =
        """
        class A {
          int one() {
            return 1;
          }

          int two(int x) {
            int a = x;
            int b = a;
            int c = b;
            int d = c;
            int e = d;
            int f = e;
            int g = f;
            int h = g;
            return h;
          }
        }
        """;
    var change =
        change("--- a/A.java\n+++ b/A.java\n@@ -15 +15 @@\n-    return g;\n+    return h;\n");
    var windows =
        ChangeWindows.of(
            change,
            Optional.of(SourceText.of("A.java", source)),
            Optional.of(Outline.of("A.java", source)),
            false);
    assertThat(windows.getFirst().line()).isEqualTo(6);
    assertThat(windows.getFirst().text())
        .startsWith("   int two(int x) {")
        .contains("-    return g;");
  }

  @Test
  void a_critical_file_and_a_new_one_are_shown_whole() throws Exception {
    var change = change("--- a/a.txt\n+++ b/a.txt\n@@ -20 +20 @@\n-old\n+line 20\n");
    var whole = ChangeWindows.of(change, Optional.of(numbered(40)), Optional.empty(), true);
    assertThat(whole.getFirst().endLine()).isEqualTo(40);
    var added = change("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+line 1\n+line 2\n");
    assertThat(ChangeWindows.of(added, Optional.of(numbered(2)), Optional.empty(), false))
        .containsExactly(new ChangeWindows.Window(1, 2, "+line 1\n+line 2\n"));
  }

  /** Seed: a deleted file had no content, which was an exception. */
  @Test
  void a_deleted_file_is_shown_as_what_it_was() throws Exception {
    var change = change("--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n");
    assertThat(ChangeWindows.of(change, Optional.empty(), Optional.empty(), false))
        .extracting(ChangeWindows.Window::text)
        .isEqualTo(List.of("-one\n-two\n"));
  }

  @Test
  void a_file_of_which_only_the_patch_is_known_is_shown_by_its_hunks() throws Exception {
    var change = change("--- a/a.txt\n+++ b/a.txt\n@@ -7,3 +7,3 @@\n a\n-b\n+B\n c\n");
    assertThat(ChangeWindows.of(change, Optional.empty(), Optional.empty(), false))
        .containsExactly(new ChangeWindows.Window(7, 9, " a\n-b\n+B\n c\n"));
  }
}
