package dev.flyball.review.lens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.flyball.review.lens.Lens.SubjectKind;
import dev.flyball.review.lens.Lens.Tier;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LensesTest {
  private static final JsonNode NONE = JsonNodeFactory.instance.objectNode();

  private static JsonNode yaml(String text) throws IOException {
    return new YAMLMapper().readTree(text);
  }

  /** Seed: style had a priority and no budget, architecture a budget and no priority. */
  @Test
  void every_lens_for_changes_has_a_priority_and_a_share() {
    var lenses = Lenses.ours().of(SubjectKind.CHANGE);
    assertThat(lenses)
        .extracting(Lens::name, Lens::share, Lens::required)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("security", 25, true),
            org.assertj.core.groups.Tuple.tuple("correctness", 20, true),
            org.assertj.core.groups.Tuple.tuple("tests", 15, false),
            org.assertj.core.groups.Tuple.tuple("performance", 15, false),
            org.assertj.core.groups.Tuple.tuple("architecture", 10, false),
            org.assertj.core.groups.Tuple.tuple("style", 5, false));
  }

  @Test
  void a_repository_is_seen_through_seven_lenses_two_of_them_deep() {
    var lenses = Lenses.ours().of(SubjectKind.REPOSITORY);
    assertThat(lenses)
        .extracting(Lens::name)
        .containsExactly(
            "correctness",
            "best-practices",
            "utility",
            "duplication",
            "overengineering",
            "tests",
            "documentation");
    assertThat(lenses.stream().filter(lens -> lens.tier() == Tier.DEEP).map(Lens::name))
        .containsExactly("correctness", "best-practices");
  }

  @Test
  void users_add_lenses_in_the_configuration() throws IOException {
    var lenses =
        Lenses.ours()
            .with(
                yaml(
                    """
                    money:
                      question: Is money ever a floating point number?
                      tier: deep
                      required: true
                      priority: 1
                      share: 10
                      for: change
                      paths: ["billing/**", "**/*.sql"]
                    """),
                Map.of());
    var money = lenses.of(SubjectKind.CHANGE, List.of("money")).getFirst();
    assertThat(money.tier()).isEqualTo(Tier.DEEP);
    assertThat(money.looksAt("billing/src/Bill.java")).isTrue();
    assertThat(money.looksAt("src/Main.java")).isFalse();
    assertThat(lenses.of(SubjectKind.REPOSITORY)).noneMatch(lens -> lens.name().equals("money"));
  }

  @Test
  void users_add_lenses_as_pages() {
    var page =
        "---\npriority: 2\npaths: web/**\n---\n# Are all texts translated?\n\nLook for words.\n";
    var lens =
        Lenses.ours().with(NONE, Map.of("words.md", page)).of(SubjectKind.CHANGE, List.of("words"));
    assertThat(lens.getFirst().question()).isEqualTo("Are all texts translated?");
    assertThat(lens.getFirst().instructions()).contains("Look for words.");
    assertThat(lens.getFirst().looksAt("web/index.html")).isTrue();
  }

  @Test
  void a_lens_of_the_same_name_takes_the_place_of_ours() {
    var lenses = Lenses.ours().with(NONE, Map.of("style.md", "Is it pretty?\n"));
    assertThat(lenses.of(SubjectKind.CHANGE).stream().filter(lens -> lens.name().equals("style")))
        .singleElement()
        .extracting(Lens::question)
        .isEqualTo("Is it pretty?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: {question: x, priorty: 1}| a lens has .* not priorty",
        "a: {question: x, priority: first}| priority is a whole number, but was \"first\"",
        "a: {question: x, tier: huge}| tier is one of fast, deep, lead, but was 'huge'",
        "a: {question: x, share: 200}| share from 0 to 100",
        "a: {question: x, paths: 'a['}| patterns like",
        "a: {priority: 1}| a lens has a question",
        "A B: {question: x}| small letters",
        "a: 1| a lens has fields"
      })
  void a_lens_that_cannot_be_is_refused_with_its_place(String text, String words)
      throws IOException {
    var section = yaml(text);
    assertThatThrownBy(() -> Lenses.ours().with(section, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s)lenses\\.(a|A B): .*" + words + ".*");
  }

  @Test
  void a_page_whose_fields_do_not_end_is_refused() {
    assertThatThrownBy(() -> Lenses.ours().with(NONE, Map.of("x.md", "---\npriority: 1\n")))
        .hasMessageContaining(".flyball/lenses/x.md: fields are between two lines of ---");
  }

  @Test
  void a_lens_that_is_chosen_must_be_there() {
    assertThatThrownBy(() -> Lenses.ours().of(SubjectKind.CHANGE, List.of("secuirty")))
        .hasMessageContaining("there is no lens secuirty; the lenses are security, correctness");
  }
}
