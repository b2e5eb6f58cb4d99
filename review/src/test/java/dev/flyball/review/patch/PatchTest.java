package dev.flyball.review.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatchTest {
  private static final String HEAD = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n";

  @Test
  void a_header_that_says_nothing_lends_its_names_to_the_next() throws Exception {
    var patch =
        """
        diff --git a/empty.txt b/empty.txt
        diff --git a/empty.txt b/empty.txt"deleted file mode 100644
        index e69de29..0000000
        """;
    var change = Patch.read(new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)));
    assertThat(change.files()).extracting(FileChange::path).containsExactly("empty.txt");
  }

  @Test
  void a_header_that_says_nothing_but_nowhere_names_a_file_so() throws Exception {
    var patch =
        """
        diff --git a/one.txt b/two.txt
        new file mode 100644
        index 0000000..e69de29
        +++ /dev/null
        """;
    var change = Patch.read(new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)));
    assertThat(change.files()).extracting(FileChange::path).containsExactly("dev/null");
  }

  @Test
  void a_binary_patch_begins_with_its_line_and_nothing_more() throws Exception {
    var patch =
        """
        diff --git a/x b/y
        similarity index 100%
        rename from x
        rename to y
        GIT binary patch\r
        """;
    var change = Patch.read(new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)));
    assertThat(change.files()).extracting(FileChange::path).containsExactly("y");
    assertThat(change.files().getFirst().binary()).isFalse();
  }

  @Test
  void one_sign_too_many_makes_no_combined_diff() throws Exception {
    var patch = "--- a/x\n+++ b/x\n@@@ -0,0 +1 @@\n+x\n";
    var change = Patch.read(new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)));
    assertThat(change.added()).isZero();
  }

  @Test
  void a_file_that_is_nowhere_on_both_sides_is_a_new_one_of_that_name() throws Exception {
    var patch = "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+x\n";
    var change = Patch.read(new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)));
    assertThat(change.files()).extracting(FileChange::path).containsExactly("dev/null");
    assertThat(change.added()).isEqualTo(1);
  }

  @Test
  void a_header_names_a_file_that_is_nowhere_on_both_sides() throws Exception {
    var patch =
        """
        diff --git a/gone.txt b/gone.txt
        --- /dev/null
        deleted file mode 100644
        index c32a208..0000000
        +++ /dev/null
        @@ -1 +0,0 @@
        -gone
        """;
    var change = Patch.read(new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)));
    assertThat(change.files()).extracting(FileChange::path).containsExactly("gone.txt");
    assertThat(change.deleted()).isEqualTo(1);
  }

  @Test
  void a_tab_between_the_names_of_a_header_is_as_good_as_a_blank() throws Exception {
    var patch = "diff --git a/empty.txt\tb/empty.txt\nindex 0000000..e69de29\n";
    var change = Patch.read(new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)));
    assertThat(change.files()).extracting(FileChange::path).containsExactly("empty.txt");
  }

  @Test
  void an_omitted_count_is_one() throws Exception {
    var hunk = only(HEAD + "@@ -1 +1 @@\n-a\n+b\n").hunks().getFirst();
    assertThat(hunk.oldCount()).isEqualTo(1);
    assertThat(hunk.newCount()).isEqualTo(1);
    assertThat(hunk.lines())
        .containsExactly(
            new HunkLine(HunkLine.Kind.DELETED, "a", 1, 1, true),
            new HunkLine(HunkLine.Kind.ADDED, "b", 2, 1, true));
  }

  @Test
  void a_side_without_lines_starts_after_the_line_that_is_named() throws Exception {
    var file = only("--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n");
    assertThat(file.kind()).isEqualTo(FileChange.Kind.ADDED);
    assertThat(file.oldPath()).isEmpty();
    assertThat(file.hunks().getFirst().lines())
        .containsExactly(
            new HunkLine(HunkLine.Kind.ADDED, "a", 1, 1, true),
            new HunkLine(HunkLine.Kind.ADDED, "b", 1, 2, true));
    var inserted = only(HEAD + "@@ -5,0 +6,2 @@\n+a\n+b\n").hunks().getFirst().lines();
    assertThat(inserted).extracting(HunkLine::newNumber).containsExactly(6, 7);
    assertThat(inserted).extracting(HunkLine::oldNumber).containsExactly(6, 6);
  }

  @Test
  void lines_are_numbered_on_both_sides() throws Exception {
    var lines =
        only(HEAD + "@@ -10,4 +20,4 @@ void f() {\n a\n-b\n-c\n+d\n+e\n f\n")
            .hunks()
            .getFirst()
            .lines();
    assertThat(lines).extracting(HunkLine::oldNumber).containsExactly(10, 11, 12, 13, 13, 13);
    assertThat(lines).extracting(HunkLine::newNumber).containsExactly(20, 21, 21, 21, 22, 23);
  }

  @Test
  void a_heading_is_what_follows_the_counts() throws Exception {
    assertThat(only(HEAD + "@@ -1 +1 @@ void f() { // @@ x\n-a\n+b\n").hunks().getFirst().heading())
        .isEqualTo("void f() { // @@ x");
  }

  @Test
  void a_missing_newline_is_known_of_each_side() throws Exception {
    var lines =
        only(HEAD
                + "@@ -1 +1 @@\n"
                + "-a\n"
                + "\\ No newline at end of file\n"
                + "+b\n"
                + "\\ No newline at end of file\n")
            .hunks()
            .getFirst()
            .lines();
    assertThat(lines).extracting(HunkLine::newline).containsExactly(false, false);
    var one = only(HEAD + "@@ -1 +1 @@\n-a\n\\ Kein Zeilenumbruch\n+b\n").hunks().getFirst();
    assertThat(one.lines()).extracting(HunkLine::newline).containsExactly(false, true);
  }

  @Test
  void a_line_that_only_speaks_of_newlines_is_a_line() throws Exception {
    var file = only(HEAD + "@@ -1 +1,2 @@\n-a\n+// \\ No newline at end of file\n+b\n");
    assertThat(file.added()).isEqualTo(2);
    assertThat(file.hunks().getFirst().lines()).allMatch(HunkLine::newline);
  }

  @Test
  void content_that_looks_like_headers_is_content() throws Exception {
    var files =
        read(
            HEAD
                + "@@ -1,3 +1,3 @@\n--- a/old\n-@@ -1 +1 @@\n-diff --git a/q b/q\n"
                + "+++ b/new\n+@@ -9,9 +9,9 @@\n+-- \n"
                + "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n");
    assertThat(files).extracting(FileChange::path).containsExactly("x", "y");
    assertThat(files).extracting(FileChange::added).containsExactly(3L, 1L);
    assertThat(files).extracting(FileChange::deleted).containsExactly(3L, 1L);
    assertThat(files.getFirst().hunks().getFirst().lines().getFirst().text()).isEqualTo("-- a/old");
  }

  @Test
  void what_follows_the_last_line_of_a_hunk_is_not_counted() throws Exception {
    var file = only(HEAD + "@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n\n- a list\n+ more of it\n--- \n");
    assertThat(file.added()).isEqualTo(1);
    assertThat(file.deleted()).isEqualTo(1);
  }

  @Test
  void a_mail_around_a_patch_is_passed_over() throws Exception {
    var file =
        only(
            "From 1234 Mon Sep 17 00:00:00 2001\n"
                + "Subject: [PATCH] --- x\n\n"
                + "---\n"
                + " x | 2 +-\n"
                + " 1 file\n\n"
                + HEAD
                + "@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n");
    assertThat(file.path()).isEqualTo("x");
  }

  @Test
  void a_rename_without_changes_has_no_lines() throws Exception {
    var file = only("diff --git a/x y b/z\nsimilarity index 100%\nrename from x y\nrename to z\n");
    assertThat(file.kind()).isEqualTo(FileChange.Kind.RENAMED);
    assertThat(file.oldPath()).contains("x y");
    assertThat(file.newPath()).contains("z");
    assertThat(file.hunks()).isEmpty();
  }

  @Test
  void a_copy_keeps_its_original() throws Exception {
    var file =
        only(
            """
            diff --git a/x b/y
            similarity index 90%
            copy from x
            copy to y
            index 1..2 100644
            --- a/x
            +++ b/y
            @@ -1 +1 @@
            -a
            +b
            """);
    assertThat(file.kind()).isEqualTo(FileChange.Kind.COPIED);
    assertThat(file.oldPath()).contains("x");
  }

  @Test
  void a_mode_can_change_alone() throws Exception {
    var file = only("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n");
    assertThat(file.kind()).isEqualTo(FileChange.Kind.MODE_ONLY);
    assertThat(file.newMode()).contains(new FileMode(0100755));
  }

  @Test
  void empty_files_come_and_go() throws Exception {
    var files =
        read(
            """
            diff --git a/x b/x
            new file mode 100644
            index 0000000..e69de29
            diff --git a/y b/y
            deleted file mode 100644
            index e69de29..0000000
            """);
    assertThat(files)
        .extracting(FileChange::kind)
        .containsExactly(FileChange.Kind.ADDED, FileChange.Kind.DELETED);
    assertThat(files.getLast().newPath()).isEmpty();
  }

  @Test
  void binaries_have_no_lines() throws Exception {
    var files =
        read(
            "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n"
                + "diff --git a/y b/y\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmWIb4_\n\n"
                + "literal 0\nHcmV?d00001\n\n"
                + "Binary files old/z.png and new/z.png differ\n"
                + HEAD
                + "@@ -1 +1 @@\n-a\n+b\n");
    assertThat(files).extracting(FileChange::path).containsExactly("x", "y", "z.png", "x");
    assertThat(files).extracting(FileChange::binary).containsExactly(true, true, true, false);
  }

  @Test
  void a_submodule_is_known_by_its_mode() throws Exception {
    var file =
        only(
            """
            diff --git a/m b/m
            index 1..2 160000
            --- a/m
            +++ b/m
            @@ -1 +1 @@
            -Subproject commit 1
            +Subproject commit 2
            """);
    assertThat(file.submodule()).isTrue();
    assertThat(file.added()).isEqualTo(1);
  }

  @Test
  void a_file_that_becomes_a_link_is_one_change() throws Exception {
    var file =
        only(
            """
            diff --git a/x b/x
            deleted file mode 100644
            index 1..0
            --- a/x
            +++ /dev/null
            @@ -1,2 +0,0 @@
            -a
            -b
            diff --git a/x b/x
            new file mode 120000
            index 0..2
            --- /dev/null
            +++ b/x
            @@ -0,0 +1 @@
            +y
            \\ No newline at end of file
            """);
    assertThat(file.kind()).isEqualTo(FileChange.Kind.TYPE_CHANGED);
    assertThat(file.deleted()).isEqualTo(2);
    assertThat(file.added()).isEqualTo(1);
    assertThat(file.symlink()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "a/x b/y b/x b/y,x b/y",
    "a/x b/x,x",
    "src/x src/x,src/x",
    "a/x a/x,a/x",
    "x y x y,x y",
    "i/x w/x,x",
    "c/x i/x,x",
    "o/x w/x,x",
    "left/deep/x right/deep/x,deep/x",
    "a/ä b/ä,ä",
    "a/ b/ b/ b/,' b/'",
  })
  void the_header_alone_names_a_file(String header, String path) throws Exception {
    assertThat(only("diff --git " + header + "\nold mode 100644\nnew mode 100755\n").path())
        .isEqualTo(path);
  }

  @Test
  void quoted_names_are_unquoted() throws Exception {
    var header = "\"a/\\303\\244\\t\\\"\\\\\\n\\a\" \"b/\\303\\244\\t\\\"\\\\\\n\\a\"";
    assertThat(only("diff --git " + header + "\nold mode 100644\nnew mode 100755\n").path())
        .isEqualTo("ä\t\"\\\n\u0007");
    assertThat(only("diff --git a/x \"b/y\\tz\"\nrename from x\nrename to \"y\\tz\"\n").newPath())
        .contains("y\tz");
    assertThat(only("--- \"a/q\\\"\"\n+++ \"b/q\\\"\"\n@@ -1 +1 @@\n-a\n+b\n").path())
        .isEqualTo("q\"");
  }

  @ParameterizedTest
  @CsvSource({
    "a/src/x y\t,b/src/x y\t,src/x y",
    "src/x,src/x,src/x",
    "x.c\t2020-01-01 00:00:00.0 +0000,x.c\t2021-01-01 00:00:00.0 +0000,x.c",
    "x.c 2020-01-01 00:00:00.0 +0000,x.c 2021-01-01 00:00:00.0 +0000,x.c",
    "x.c.orig,x.c,x.c",
    "old/d/x.c,new/d/x.c,d/x.c",
    "i/x,w/x,x",
    "a/x,a/x,a/x",
  })
  void sides_name_a_file_with_and_without_prefixes(String old, String now, String path)
      throws Exception {
    var file = only("--- " + old + "\n+++ " + now + "\n@@ -1 +1 @@\n-a\n+b\n");
    assertThat(file.path()).isEqualTo(path);
    assertThat(file.oldPath()).contains(path);
  }

  @Test
  void a_plain_file_of_the_epoch_was_not_there() throws Exception {
    var file =
        only("--- x\t1970-01-01 00:00:00.0 +0000\n+++ x\t2020-01-01 0:0\n@@ -0,0 +1 @@\n+a\n");
    assertThat(file.kind()).isEqualTo(FileChange.Kind.ADDED);
  }

  @Test
  void without_a_prefix_a_folder_named_like_one_stays() throws Exception {
    var file =
        only(
            """
            diff --git b/x b/x
            new file mode 100644
            index 0..1
            --- /dev/null
            +++ b/x
            @@ -0,0 +1 @@
            +a
            """);
    assertThat(file.path()).isEqualTo("b/x");
  }

  @Test
  void carriage_returns_stay_in_lines_and_leave_headers() throws Exception {
    var file = only((HEAD + "@@ -1,3 +1,2 @@\n a\r\n-b\r\n-c\n+d\r\n").replace("x\n", "x\r\n"));
    assertThat(file.path()).isEqualTo("x");
    assertThat(file.hunks().getFirst().lines())
        .extracting(HunkLine::text)
        .containsExactly("a\r", "b\r", "c", "d\r");
  }

  @Test
  void only_line_feeds_part_lines() throws Exception {
    var file = only(HEAD + "@@ -1 +1 @@\n-a\fb\u2028c\u0085d\rx\u000b\n+b\n");
    assertThat(file.hunks().getFirst().lines().getFirst().text())
        .isEqualTo("a\fb\u2028c\u0085d\rx\u000b");
  }

  @Test
  void an_empty_context_line_may_have_lost_its_blank() throws Exception {
    var file = only(HEAD + "@@ -1,3 +1,3 @@\n\n-a\n+b\n\n");
    assertThat(file.hunks().getFirst().lines())
        .extracting(HunkLine::text)
        .containsExactly("", "a", "b", "");
  }

  @Test
  void bytes_that_are_no_utf8_are_still_text() throws Exception {
    var bytes = (HEAD + "@@ -1 +1 @@\n-\u00e4\n+b\n").getBytes(StandardCharsets.ISO_8859_1);
    var change = Patch.read(new ByteArrayInputStream(bytes));
    assertThat(change.files().getFirst().hunks().getFirst().lines().getFirst().text())
        .isEqualTo("\u00e4");
  }

  @Test
  void the_last_line_may_lack_its_line_feed() throws Exception {
    assertThat(only(HEAD + "@@ -1 +1 @@\n-a\n+b").added()).isEqualTo(1);
  }

  @Test
  void a_file_that_is_too_long_keeps_its_counts() throws Exception {
    var text = HEAD + "@@ -1,2 +1,2 @@\n-" + "a".repeat(5000) + "\n-a\n+b\n+c\n";
    var patch =
        Patch.open(
            in(text + HEAD.replace("/x", "/y") + "@@ -1 +1 @@\n-a\n+b\n"),
            new DiffLimits(1000, 10_000));
    var large = patch.next().orElseThrow();
    assertThat(large.whole()).isFalse();
    assertThat(large.hunks()).isEmpty();
    assertThat(large.added()).isEqualTo(2);
    assertThat(large.deleted()).isEqualTo(2);
    assertThat(patch.next().orElseThrow().whole()).isTrue();
    assertThat(patch.next()).isEmpty();
    assertThat(patch.kept()).isLessThan(1000);
  }

  @Test
  void text_is_kept_up_to_a_sum() throws Exception {
    var file = HEAD + "@@ -1 +1 @@\n-a\n+b\n";
    var change = Patch.read(in(file.repeat(20)), new DiffLimits(1000, 1000));
    assertThat(change.files()).hasSize(20);
    assertThat(change.added()).isEqualTo(20);
    assertThat(change.files().stream().filter(FileChange::whole).count()).isBetween(3L, 10L);
  }

  @ParameterizedTest
  @CsvSource({
    "'@@ -1,5 +1,5 @@\n-a\n+b\n',HUNK_COUNT,7,the patch ends 4 old and 4 new lines early",
    "'@@ -1,1 +1,2 @@\n-a\n-b\n',HUNK_COUNT,7,one more on the old side",
    "'@@ -1,2 +1,1 @@\n+a\n+b\n',HUNK_COUNT,7,one more on the new side",
    "'@@ -1,2 +1,2 @@\n-a\nx\n',HUNK_LINE,7,this is x",
    "'@@ -1,x +1,2 @@\n-a\n',HUNK_HEADER,5,'this is @@ -1,x'",
    "'@@ -1,-1 +1 @@\n-a\n',HUNK_HEADER,5,'this is'",
    "'@@ -99999999999 +1 @@\n-a\n',NUMBER,5,'this is'",
    "'@@ -1 +1 @@\n-a\n+b\n\n@@ -5 +5 @@\n-a\n+b\n',HUNK_WITHOUT_FILE,9,there is none",
    "'@@@ -1 -1 +1 @@@\n- a\n',COMBINED,5,several sides",
  })
  void a_broken_hunk_is_refused_with_its_line(
      String hunk, PatchRefused.Rule rule, long line, String found) {
    assertThatThrownBy(() -> read(HEAD + hunk))
        .isInstanceOfSatisfying(
            PatchRefused.class,
            refused -> {
              assertThat(refused.rule()).isEqualTo(rule);
              assertThat(refused.line()).isEqualTo(line);
              assertThat(refused).hasMessageContaining(rule.text()).hasMessageContaining(found);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"diff --cc x\n", "diff --combined x\n", "--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n"})
  void combined_diffs_are_refused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(PatchRefused.class)
        .hasMessageContaining("combined");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "diff --git a/x b/y\nold mode 100644\nnew mode 100755\n",
        "diff --git \"a/x b/x\nold mode 100644\n",
        "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 3\nKcmWIb4_\n",
        "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nhello\n",
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -",
      })
  void what_has_no_name_or_end_is_refused(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(PatchRefused.class);
  }

  @Test
  void no_patch_at_all_is_no_change() throws Exception {
    assertThat(read("")).isEmpty();
    assertThat(read("\n\nhello\n--- \n+++ \nbye")).isEmpty();
    assertThat(read("--- a\n+++ b\n")).isEmpty();
  }

  @Test
  void names_full_of_blanks_take_no_time() throws Exception {
    var blanks = " ".repeat(60_000);
    assertThat(read("diff --git " + blanks + "\n" + "diff --git " + " /".repeat(30_000) + "\n"))
        .isEmpty();
    assertThat(Optional.ofNullable(PatchNames.ofHeader("/ ".repeat(100_001)))).isEmpty();
  }

  private static FileChange only(String text) throws IOException, PatchRefused {
    var files = read(text);
    assertThat(files).hasSize(1);
    return files.getFirst();
  }

  private static List<FileChange> read(String text) throws IOException, PatchRefused {
    return Patch.read(in(text)).files();
  }

  private static ByteArrayInputStream in(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
