package dev.flyball.review.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Remarks in the code that ask for findings not to be made. */
final class SuppressionsTest {
  private static Suppressions.Applied apply(String content, int line) {
    var text = SourceText.of("A.java", content);
    return Suppressions.in(List.of(text))
        .apply(
            List.of(
                SampleFindings.claim(
                    "java/EqualsNull", Severity.MAJOR, Place.lines(text, line, line))));
  }

  private static boolean suppresses(String content, int line) {
    return apply(content, line).left().isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x(); // flyball:ignore EqualsNull because",
        "x(); //flyball:ignore java/EqualsNull",
        "x()  # flyball:ignore equalsnull: because",
        "x(); /* flyball:ignore EqualsNull because */",
        "x()  -- flyball:ignore EqualsNull",
        "<x/> <!-- flyball:ignore EqualsNull -->"
      })
  void a_remark_in_any_comment_suppresses_on_its_line(String line) {
    assertThat(suppresses(line, 1)).isTrue();
    assertThat(suppresses(line + "\nx();", 2)).isFalse();
  }

  @Test
  void a_remark_for_the_next_line_suppresses_there_alone() {
    var content = "// flyball:ignore-next-line EqualsNull because\nx();\nx();";
    assertThat(suppresses(content, 1)).isFalse();
    assertThat(suppresses(content, 2)).isTrue();
    assertThat(suppresses(content, 3)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x(); // flyball:ignore",
        "x(); // flyball:ignore OtherRule",
        "x(); // flyball:ignored EqualsNull",
        "x(\"flyball:ignore EqualsNull\");",
        "x(); // see flyball:ignore EqualsNull"
      })
  void what_names_no_rule_or_another_one_or_is_no_remark_suppresses_nothing(String line) {
    assertThat(suppresses(line, 1)).isFalse();
  }

  @Test
  void the_reason_is_kept() {
    assertThat(apply("x(); /* flyball:ignore EqualsNull it is\ta joke */", 1).suppressions())
        .containsExactly(
            new Suppression(
                "A.java", 1, Suppression.Kind.IGNORE, "EqualsNull", "it is a joke", true));
  }

  @Test
  void an_unused_remark_is_known() {
    assertThat(apply("// flyball:ignore EqualsNull\nx();", 2).suppressions())
        .extracting(Suppression::used)
        .containsExactly(false);
  }

  @Test
  void lines_of_the_state_before_are_not_suppressed_by_remarks_of_the_state_after() {
    var text = SourceText.of("A.java", "x(); // flyball:ignore EqualsNull");
    var claim =
        SampleFindings.claim(
            "java/EqualsNull", Severity.MAJOR, Place.lines(text, 1, 1, DiffSide.LEFT));
    assertThat(Suppressions.in(List.of(text)).apply(List.of(claim)).left()).hasSize(1);
  }

  @Test
  void hostile_remarks_take_no_time_and_have_no_power() {
    var applied =
        apply(
            "// flyball:ignore EqualsNull \u001b[31m\u202e\n"
                + "//".repeat(4_000)
                + "flyball:ignore"
                + " \n"
                + "#  ".repeat(2_000_000)
                + "flyball:ignore EqualsNull",
            1);
    assertThat(applied.suppressions().getFirst().reason()).isEqualTo("␛[31m\\u{202e}");
    assertThat(applied.suppressions()).hasSize(2);
  }
}
