package dev.flyball.review.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QuoteLocatorTest {
  private static final String PATH = "src/Main.java";
  private static final String TEXT =
      """
      class Main {
        int total(int[] all) {
          int sum = 0;

          for (int one : all) {
            sum += one;
          }
          return sum;
        }
      }
      """;

  /** Shows three lines that were deleted and two that were added. */
  private static final String CHANGE =
      """
      @@ lines 10 to 14 @@
       check(total);
      -int second = two();
      -int third = three();
      +int second = twice(two());
       int fourth = four();
       return first + second;
      @@ lines 40 to 42 @@
       begin(fourth);
      -finish(fourth);
      +check(total);
       return fourth;
      """;

  private static final String PATCH =
      """
      diff --git a/src/Main.java b/src/Main.java
      --- a/src/Main.java
      +++ b/src/Main.java
      @@ -3,5 +10,4 @@
       check(total);
      -int second = two();
      -int third = three();
      +int second = twice(two());
       int fourth = four();
       return first + second;
      @@ -34,3 +40,3 @@
       begin(fourth);
      -finish(fourth);
      +check(total);
       return fourth;
      """;

  @TempDir private Path folder;

  private QuoteLocator file(String text) throws Exception {
    int lines = Math.max(1, (int) text.lines().count());
    try (var subject = SampleUnits.folder(folder, PATH, text)) {
      return QuoteLocator.of(PATH, List.of(SampleUnits.lines(PATH, 1, lines)), subject);
    }
  }

  private QuoteLocator change(String text) throws Exception {
    try (var subject = SampleUnits.patch(folder, PATCH.replace("Main", "Other"))) {
      return QuoteLocator.of(PATH, List.of(SampleUnits.change(PATH, text)), subject);
    }
  }

  private static Place.Lines at(int line, int column, int endLine, int endColumn) {
    return new Place.Lines(PATH, line, column, endLine, endColumn, DiffSide.RIGHT);
  }

  @Test
  void a_line_is_found_where_it_is() throws Exception {
    assertThat(file(TEXT).find("    int sum = 0;")).contains(at(3, 5, 3, 17));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"int sum=0;", "\tint  sum =\u2003 0 ;", "int sum = 0;\r", "\n\nint sum = 0;\n"})
  void blanks_do_not_count(String quote) throws Exception {
    assertThat(file(TEXT).find(quote)).contains(at(3, 5, 3, 17));
  }

  @Test
  void a_part_of_a_line_is_enough_and_stands_for_all_of_it() throws Exception {
    assertThat(file(TEXT).find("(int[] all)")).contains(at(2, 3, 2, 25));
  }

  @Test
  void several_lines_are_found_from_the_first_to_the_last() throws Exception {
    assertThat(file(TEXT).find("for (int one : all) {\n  sum += one;\n}")).contains(at(5, 5, 7, 6));
  }

  @Test
  void of_several_lines_the_first_and_the_last_may_be_parts() throws Exception {
    assertThat(file(TEXT).find(": all) {\nsum += one;\n}\nreturn")).contains(at(5, 5, 8, 16));
  }

  @Test
  void of_several_lines_the_inner_ones_are_whole() throws Exception {
    assertThat(file(TEXT).find("for (int one : all) {\n  sum +=\n}")).isEmpty();
  }

  @Test
  void only_what_was_shown_is_found() throws Exception {
    try (var subject = SampleUnits.folder(folder, PATH, TEXT)) {
      var shown =
          QuoteLocator.of(
              PATH,
              List.of(SampleUnits.lines(PATH, 1, 3), SampleUnits.lines(PATH, 8, 999)),
              subject);
      assertThat(shown.find("int sum = 0;")).contains(at(3, 5, 3, 17));
      assertThat(shown.find("sum += one;")).isEmpty();
      assertThat(shown.find("return sum;")).contains(at(8, 5, 8, 16));
    }
  }

  @Test
  void a_file_that_is_gone_has_nothing_to_find() throws Exception {
    try (var subject = SampleUnits.folder(folder, PATH, TEXT)) {
      var shown =
          QuoteLocator.of(
              "src/Gone.java", List.of(SampleUnits.lines("src/Gone.java", 1, 9)), subject);
      assertThat(shown.find("int sum = 0;")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n", "\t\n \r\n", "}", "sum", "0 ; \n }", "i n t s u"})
  void a_quote_that_could_be_anywhere_is_found_nowhere(String quote) throws Exception {
    assertThat(file(TEXT).find(quote)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"int sum = 1;", "int sum = 0;\nreturn sum;", "INT SUM = 0;"})
  void a_quote_that_is_nowhere_is_not_found(String quote) throws Exception {
    assertThat(file(TEXT).find(quote)).isEmpty();
  }

  @Test
  void a_quote_longer_than_the_file_is_not_found() throws Exception {
    assertThat(file("int sum = 0;\n").find("int sum = 0;\nint sum = 0;\n")).isEmpty();
    assertThat(file("").find("int sum = 0;")).isEmpty();
  }

  @Test
  void an_added_line_is_found_with_its_sign_and_without() throws Exception {
    var place = at(11, 1, 11, 27);
    assertThat(change(CHANGE).find("int second = twice(two());")).contains(place);
    assertThat(change(CHANGE).find("+int second = twice(two());")).contains(place);
    assertThat(change(CHANGE).find("+ int second = twice")).contains(place);
  }

  @Test
  void a_deleted_line_is_found_on_the_side_before_the_change() throws Exception {
    assertThat(change(CHANGE).find("-int third = three();"))
        .hasValueSatisfying(place -> assertThat(place.side()).isEqualTo(DiffSide.LEFT));
    assertThat(change(CHANGE).find("int third = three();"))
        .hasValueSatisfying(
            place -> {
              assertThat(place.side()).isEqualTo(DiffSide.LEFT);
              assertThat(place.outside()).isFalse();
            });
  }

  @Test
  void deleted_lines_do_not_move_the_numbers_after_them() throws Exception {
    assertThat(change(CHANGE).find("int fourth = four();"))
        .hasValueSatisfying(place -> assertThat(place.line()).isEqualTo(12));
    assertThat(change(CHANGE).find("return fourth;"))
        .hasValueSatisfying(place -> assertThat(place.line()).isEqualTo(42));
  }

  @Test
  void an_unchanged_line_is_outside_the_change() throws Exception {
    assertThat(change(CHANGE).find("int fourth = four();"))
        .contains(new Place.Lines(PATH, 12, 1, 12, 21, DiffSide.RIGHT, true));
  }

  @Test
  void lines_of_which_one_changed_are_inside() throws Exception {
    assertThat(change(CHANGE).find("int second = twice(two());\nint fourth = four();"))
        .contains(at(11, 1, 12, 21));
  }

  @Test
  void what_stands_outside_and_inside_the_change_is_found_inside() throws Exception {
    assertThat(change(CHANGE).find("check(total);")).contains(at(41, 1, 41, 14));
  }

  @Test
  void every_line_of_a_repository_is_inside() throws Exception {
    assertThat(file(TEXT).find("return sum;"))
        .hasValueSatisfying(place -> assertThat(place.outside()).isFalse());
  }

  @Test
  void what_is_said_between_the_lines_is_no_line() throws Exception {
    assertThat(
            change("@@ lines 1 to 1 @@\n-gone();\n(12 more deleted lines)\n").find("deleted lines"))
        .isEmpty();
    assertThat(change(CHANGE).find("@@ lines 40 to 42 @@")).isEmpty();
  }

  @Test
  void lines_with_a_blank_one_between_them_are_found() throws Exception {
    assertThat(file(TEXT).find("int sum = 0;\n\n    for (int one : all) {"))
        .contains(at(3, 5, 5, 26));
    assertThat(file(TEXT).find("int sum = 0;\nfor (int one : all) {\nsum += one;"))
        .contains(at(3, 5, 6, 18));
  }

  @Test
  void several_lines_are_found_with_their_signs() throws Exception {
    var text =
        """
        @@ lines 5 to 8 @@
        +int a = one();
        +int b = two();
        +int c = three();
         return a;
        """;
    assertThat(change(text).find("+int a = one();\n+int b = two();\n+int c = three();\n return a;"))
        .contains(at(5, 1, 8, 10));
  }

  @Test
  void a_whole_line_is_found_before_a_part_of_another() throws Exception {
    assertThat(file("int count = 1;\n\ncount = 1;\n").find("count = 1;")).contains(at(3, 1, 3, 11));
  }

  @Test
  void a_run_of_lines_is_found_at_its_place_or_at_an_equal_earlier_one() throws Exception {
    var words =
        List.of(
            "", "  ", "}", "  }", "go();", "  go();", "return x;", "if (a) return x;", "x = 1;");
    for (long seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      var lines = new ArrayList<String>();
      for (int i = random.nextInt(1, 40); i > 0; i--) {
        lines.add(words.get(random.nextInt(words.size())));
      }
      var shown = file(String.join("\n", lines) + "\n");
      for (int i = 0; i < 20; i++) {
        int first = random.nextInt(lines.size());
        int last = random.nextInt(first, Math.min(lines.size(), first + 6));
        var run = lines.subList(first, last + 1);
        if (run.getFirst().isBlank() || run.getLast().isBlank() || plain(run).size() < 2) {
          continue;
        }
        if (String.join("", plain(run)).length() < 6) {
          continue;
        }
        var quote = String.join(random.nextBoolean() ? "\n" : " \r\n\t", run);
        var found = shown.find(quote);
        assertThat(found).as("seed %d, '%s' of %s", seed, quote, lines).isPresent();
        var place = found.orElseThrow();
        assertThat(place.line()).as("seed %d", seed).isLessThanOrEqualTo(first + 1);
        assertThat(plain(lines.subList(place.line() - 1, place.endLine())))
            .as("seed %d, '%s' of %s", seed, quote, lines)
            .isEqualTo(plain(run));
      }
    }
  }

  private static List<String> plain(List<String> lines) {
    return lines.stream()
        .map(line -> line.replace(" ", ""))
        .filter(line -> !line.isEmpty())
        .toList();
  }

  @Test
  void a_deleted_line_has_the_number_that_it_had() throws Exception {
    try (var subject = SampleUnits.patch(folder, PATCH)) {
      var shown = QuoteLocator.of(PATH, List.of(SampleUnits.change(PATH, CHANGE)), subject);
      assertThat(shown.find("int third = three();"))
          .contains(new Place.Lines(PATH, 5, 1, 5, 21, DiffSide.LEFT));
      assertThat(shown.find("-int second = two();\n-int third = three();"))
          .contains(new Place.Lines(PATH, 4, 1, 5, 21, DiffSide.LEFT));
      assertThat(shown.find("finish(fourth);"))
          .contains(new Place.Lines(PATH, 35, 1, 35, 16, DiffSide.LEFT));
    }
  }

  @Test
  void a_place_counts_its_lines_on_one_side() throws Exception {
    try (var subject = SampleUnits.patch(folder, PATCH)) {
      var shown = QuoteLocator.of(PATH, List.of(SampleUnits.change(PATH, CHANGE)), subject);
      assertThat(shown.find("-int third = three();\n+int second = twice(two());"))
          .contains(new Place.Lines(PATH, 5, 1, 5, 21, DiffSide.LEFT));
      assertThat(shown.find("check(total);\n-int second = two();"))
          .contains(new Place.Lines(PATH, 10, 1, 10, 14, DiffSide.RIGHT));
    }
  }

  /** Code that was only moved to the right is deleted and added, and what is there now counts. */
  @Test
  void what_was_deleted_and_added_is_found_where_it_is_now() throws Exception {
    var text =
        """
        @@ lines 5 to 7 @@
        -send(letter);
        +if (ready) {
        +  send(letter);
        +}
        """;
    assertThat(change(text).find("send(letter);")).contains(at(6, 3, 6, 16));
    assertThat(change(text).find("+  send(letter);")).contains(at(6, 3, 6, 16));
    assertThat(change(text).find("-send(letter);"))
        .contains(new Place.Lines(PATH, 5, 1, 5, 14, DiffSide.LEFT));
  }

  /** What a model was shown of such a line is the note, and so that is what it quotes. */
  @Test
  void a_line_is_found_by_what_was_shown_instead_of_its_secret() throws Exception {
    var word = "c0rrect" + "h0rse" + "b4ttery";
    var shown = file("int sum = 0;\nString password = \"" + word + "\";\n");
    assertThat(shown.find("password = \"" + "[secret: 19 characters]\";"))
        .hasValueSatisfying(place -> assertThat(place.line()).isEqualTo(2));
    assertThat(shown.find("user = \"" + "[secret: 19 characters]\";")).isEmpty();
  }

  /** Lines that occur more than once, in generated changes: the line that is said decides. */
  @Test
  void of_quotes_that_occur_more_than_once_the_line_decides() throws Exception {
    var random = new Random(17);
    int right = 0;
    int all = 0;
    var phrases =
        List.of(
            "    return err", "  }", "  log.info(value);", "    continue;", "  const list = [];");
    for (int change = 0; change < 400; change++) {
      var patch = new StringBuilder();
      var lines = new ArrayList<String>();
      int count = 20 + random.nextInt(80);
      for (int i = 0; i < count; i++) {
        lines.add(
            random.nextInt(3) == 0
                ? "  step%d(%d);".formatted(random.nextInt(500), i)
                : phrases.get(random.nextInt(phrases.size())));
      }
      int first = 1 + random.nextInt(300);
      patch.append("@@ lines %d to %d @@\n".formatted(first, first + count - 1));
      for (var line : lines) {
        if (random.nextInt(6) == 0) {
          patch.append('-').append(phrases.get(random.nextInt(phrases.size()))).append('\n');
        }
        patch.append(random.nextBoolean() ? '+' : ' ').append(line).append('\n');
      }
      var excerpt = SampleUnits.change("a.js", patch.toString());
      try (var subject = SampleUnits.patch(folder, PATCH)) {
        var locator = QuoteLocator.of("a.js", List.of(excerpt), subject);
        for (int tries = 0; tries < 5; tries++) {
          int at = random.nextInt(count);
          var quote = lines.get(at);
          if (quote.strip().length() < 6 || lines.indexOf(quote) == lines.lastIndexOf(quote)) {
            continue;
          }
          all++;
          var place = locator.find(quote, OptionalInt.of(first + at)).orElseThrow();
          right += place.line() == first + at ? 1 : 0;
        }
      }
    }
    System.out.printf("%d of %d repeated quotes on the right line%n", right, all);
    assertThat(all).isGreaterThan(500);
    assertThat((double) right / all).isGreaterThanOrEqualTo(0.98);
  }
}
