package dev.flyball.review.finding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Places, and the texts that they are in. */
final class PlaceTest {
  @Test
  void whole_lines_begin_where_the_code_does() {
    assertThat(Place.lines(SampleFindings.TEXT, 3, 3))
        .isEqualTo(new Place.Lines("src/Main.java", 3, 5, 3, 30, DiffSide.RIGHT));
    assertThat(Place.lines(SampleFindings.TEXT, 2, 4))
        .isEqualTo(new Place.Lines("src/Main.java", 2, 3, 4, 4, DiffSide.RIGHT));
  }

  @Test
  void a_blank_line_is_a_place_too() {
    assertThat(Place.lines(SampleFindings.TEXT, 5, 5))
        .isEqualTo(new Place.Lines("src/Main.java", 5, 1, 5, 1, DiffSide.RIGHT));
  }

  @Test
  void a_line_that_is_not_there_is_no_place() {
    assertThatThrownBy(() -> Place.lines(SampleFindings.TEXT, 9, 10))
        .hasMessage("src/Main.java has 9 lines, but a place ended at line 10");
    assertThatThrownBy(() -> Place.lines(SampleFindings.TEXT, 0, 1))
        .hasMessage("src/Main.java has lines 1 to 9, but line 0 was asked for");
  }

  @Test
  void a_place_ends_after_it_begins() {
    assertThatThrownBy(() -> new Place.Lines("a", 3, 7, 3, 6, DiffSide.RIGHT))
        .hasMessage("a place ends after it begins, but went from 3:7 to 3:6");
    assertThatThrownBy(() -> new Place.Lines("a", 0, 1, 3, 6, DiffSide.RIGHT))
        .hasMessage("lines and columns count from 1, but a place began at 0:1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/etc/passwd", "../secret", "a/../../b", "a//b", "./a", "a/", "a\0b", "."})
  void a_path_that_leads_out_of_the_repository_is_refused(String path) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Place.File(path))
        .withMessageStartingWith("a file is named by its path inside the repository");
  }

  @Test
  void a_place_says_how_much_it_is_about() {
    assertThat(
            List.of(Place.lines(SampleFindings.TEXT, 1, 1), new Place.File("a"), new Place.Whole()))
        .map(Place::scope)
        .containsExactly(FindingScope.LINE, FindingScope.FILE, FindingScope.WHOLE);
    assertThat(new Place.Whole().file()).isEmpty();
  }

  @Test
  void a_line_ends_at_a_line_feed_and_nowhere_else() {
    var text = SourceText.of("a", "one\r\ntwo\u2028still\ftwo\n\nfour");
    assertThat(text.lines()).isEqualTo(4);
    assertThat(List.of(1, 2, 3, 4))
        .map(text::line)
        .containsExactly("one", "two\u2028still\ftwo", "", "four");
    assertThat(SourceText.of("a", "").lines()).isZero();
    assertThat(SourceText.of("a", "\n").lines()).isEqualTo(1);
    assertThat(SourceText.of("a", "x\r\n").line(1)).isEqualTo("x");
  }

  @Test
  void a_claim_says_something_with_a_confidence_from_0_to_1() {
    assertThatThrownBy(() -> claim("r", "title", Double.NaN))
        .hasMessage("confidence is from 0 to 1, but was NaN");
    assertThatThrownBy(() -> claim("r", "title", 1.1))
        .hasMessage("confidence is from 0 to 1, but was 1.1");
    assertThatThrownBy(() -> claim(" ", "title", 1))
        .hasMessage("a claim names its rule, but the name was blank");
    assertThatThrownBy(() -> claim("r", " ", 1)).hasMessageStartingWith("a claim has a title");
  }

  private static Claim claim(String rule, String title, double confidence) {
    return new Claim(
        rule,
        new Place.Whole(),
        Severity.MINOR,
        Category.OTHER,
        List.of(),
        title,
        "message",
        Optional.empty(),
        Optional.empty(),
        List.of(),
        confidence);
  }
}
