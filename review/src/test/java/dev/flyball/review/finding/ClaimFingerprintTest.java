package dev.flyball.review.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a finding is known again. */
final class ClaimFingerprintTest {
  private static String id(String content, int line) {
    return id("A.java", content, line, line);
  }

  private static String id(String path, String content, int line, int endLine) {
    var text = SourceText.of(path, content);
    return ids(text, Place.lines(text, line, endLine)).getFirst();
  }

  private static List<String> ids(SourceText text, Place... places) {
    var claims =
        List.of(places).stream()
            .map(place -> SampleFindings.claim("java/EqualsNull", Severity.MAJOR, place))
            .toList();
    return Finding.identify(claims, SampleFindings.texts(text)).stream().map(Finding::id).toList();
  }

  @Test
  void a_finding_keeps_its_id_when_lines_above_it_come_and_go() {
    assertThat(id("first\nreturn name.equals(null);\n", 2))
        .isEqualTo(id("return name.equals(null);\n", 1))
        .isEqualTo(id("a\nb\n\n\nreturn name.equals(null);", 5));
  }

  @Test
  void a_finding_keeps_its_id_when_its_neighbours_change() {
    assertThat(id("before\nreturn name.equals(null);\nafter", 2))
        .isEqualTo(id("BEFORE\nreturn name.equals(null);\nAFTER", 2));
  }

  @Test
  void a_finding_keeps_its_id_when_it_is_formatted() {
    assertThat(id("  return name.equals( null );\r\n", 1))
        .isEqualTo(id("\t\treturn name.equals(null);\n", 1));
  }

  @Test
  void a_finding_about_a_long_place_keeps_its_id_when_its_end_changes() {
    assertThat(id("A.java", "void method() {\n  one();\n}\n", 1, 3))
        .isEqualTo(id("A.java", "void method() {\n  two();\n  three();\n}\n", 1, 4));
  }

  @Test
  void a_beginning_that_says_nothing_is_read_on() {
    assertThat(id("A.java", "{\n  one();\n}\n", 1, 3))
        .isNotEqualTo(id("A.java", "{\n  two();\n}\n", 1, 3));
  }

  @Test
  void a_finding_has_another_id_when_its_line_says_something_else() {
    assertThat(id("return name.equals(null);", 1))
        .isNotEqualTo(id("return other.equals(null);", 1));
  }

  @Test
  void a_finding_has_another_id_in_another_file_and_of_another_rule() {
    var text = SourceText.of("A.java", "return name.equals(null);");
    var place = Place.lines(text, 1, 1);
    var findings =
        Finding.identify(
            List.of(
                SampleFindings.claim("java/EqualsNull", Severity.MAJOR, place),
                SampleFindings.claim("java/Other", Severity.MAJOR, place)),
            SampleFindings.texts(text));
    assertThat(findings).map(Finding::id).doesNotHaveDuplicates();
    assertThat(findings.getFirst().id())
        .isNotEqualTo(id("B.java", "return name.equals(null);", 1, 1));
  }

  @Test
  void two_equal_hits_in_one_file_differ() {
    var text = SourceText.of("A.java", "x.equals(null);\ny();\nx.equals(null);\n");
    assertThat(ids(text, Place.lines(text, 1, 1), Place.lines(text, 3, 3))).doesNotHaveDuplicates();
  }

  @Test
  void two_hits_in_one_place_differ() {
    var text = SourceText.of("A.java", "x.equals(null);\n");
    assertThat(ids(text, Place.lines(text, 1, 1), Place.lines(text, 1, 1))).doesNotHaveDuplicates();
  }

  @Test
  void severity_and_words_are_no_part_of_an_id() {
    var text = SourceText.of("A.java", "x.equals(null);\n");
    var place = Place.lines(text, 1, 1);
    assertThat(
            Finding.identify(
                    List.of(SampleFindings.claim("java/EqualsNull", Severity.MINOR, place)),
                    SampleFindings.texts(text))
                .getFirst()
                .id())
        .isEqualTo(ids(text, place).getFirst());
  }

  @Test
  void findings_without_lines_have_ids_too() {
    var text = SourceText.of("A.java", "");
    assertThat(ids(text, new Place.File("A.java"), new Place.File("A.java"), new Place.Whole()))
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("[0-9a-f]{16}"));
  }

  @Test
  void a_line_of_a_megabyte_has_an_id() {
    assertThat(id("x".repeat(1 << 20), 1)).hasSize(16);
  }

  static IntStream seeds() {
    return IntStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void ids_do_not_depend_on_the_order_of_the_claims_nor_on_shifts(int seed) {
    var random = new Random(seed);
    var lines = new ArrayList<String>();
    for (int i = 0; i < 30; i++) {
      lines.add("line " + random.nextInt(6));
    }
    var text = SourceText.of("A.java", String.join("\n", lines));
    var places = new ArrayList<Place>();
    for (int i = 0; i < 20; i++) {
      int line = 1 + random.nextInt(30);
      places.add(Place.lines(text, line, line));
    }
    var ids = ids(text, places.toArray(Place[]::new));
    assertThat(ids).as("seed %d", seed).doesNotHaveDuplicates();

    int shift = random.nextInt(5);
    var moved = SourceText.of("A.java", "new\n".repeat(shift) + text.content());
    var order = new ArrayList<>(IntStream.range(0, 20).boxed().toList());
    Collections.shuffle(order, random);
    var shuffled =
        order.stream()
            .map(i -> (Place.Lines) places.get(i))
            .<Place>map(p -> Place.lines(moved, p.line() + shift, p.line() + shift))
            .toArray(Place[]::new);
    assertThat(ids(moved, shuffled)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(ids);
  }
}
