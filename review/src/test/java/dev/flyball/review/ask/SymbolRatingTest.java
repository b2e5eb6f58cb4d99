package dev.flyball.review.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.SubjectKind;
import dev.flyball.review.lens.Lenses;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The words of the lenses for repositories, and what they mean. */
final class SymbolRatingTest {
  private static final Pattern CAPITALS = Pattern.compile("\\b[A-Z][A-Z_]+\\b");

  private static List<Lens> lenses() {
    return Lenses.ours().of(SubjectKind.REPOSITORY).stream()
        .filter(lens -> lens.reply() == Lens.Reply.SYMBOLS)
        .toList();
  }

  private static List<String> named(Lens lens) {
    return CAPITALS
        .matcher(lens.instructions())
        .results()
        .map(MatchResult::group)
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("lenses")
  void every_word_that_a_lens_names_is_known(Lens lens) {
    assertThat(named(lens))
        .hasSizeGreaterThan(1)
        .allSatisfy(word -> assertThat(SymbolRating.of(word)).contains(SymbolRating.valueOf(word)));
  }

  @Test
  void every_known_word_is_named_by_a_lens() {
    assertThat(lenses().stream().flatMap(lens -> named(lens).stream()).distinct())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(SymbolRating.values()).map(SymbolRating::name).toList());
  }

  @ParameterizedTest
  @MethodSource("lenses")
  void the_first_word_of_a_lens_says_that_all_is_well_and_others_do_not(Lens lens) {
    var words = named(lens).stream().map(SymbolRating::valueOf).toList();
    assertThat(words.getFirst().meaning()).isEmpty();
    assertThat(words).anySatisfy(word -> assertThat(word.meaning()).isPresent());
  }

  @Test
  void what_is_wrong_has_a_title() {
    assertThat(Arrays.stream(SymbolRating.values()).flatMap(word -> word.meaning().stream()))
        .isNotEmpty()
        .allSatisfy(meaning -> assertThat(meaning.title()).isNotBlank());
  }

  @ParameterizedTest
  @ValueSource(strings = {"NEEDS_FIX", "needs_fix", " Needs Fix\n", "needs-fix"})
  void a_word_may_be_written_otherwise(String said) {
    assertThat(SymbolRating.of(said)).contains(SymbolRating.NEEDS_FIX);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "FINE", "OK!", "NOT OK", "OKAY", "null", "ERROR or OK"})
  void other_words_are_none(String said) {
    assertThat(SymbolRating.of(said)).isEmpty();
  }
}
