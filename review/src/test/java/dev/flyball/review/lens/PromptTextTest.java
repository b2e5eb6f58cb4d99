package dev.flyball.review.lens;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PromptTextTest {
  @Test
  void a_plain_name_stays_what_it_is_and_any_other_is_a_json_string() {
    assertThat(PromptText.name("src/a-b_c.1/x+y@z.py")).isEqualTo("src/a-b_c.1/x+y@z.py");
    assertThat(PromptText.name("a b.py")).isEqualTo("\"a b.py\"");
    assertThat(PromptText.name("a\n\"\\.py")).isEqualTo("\"a\\u000a\\\"\\\\.py\"");
    assertThat(PromptText.name("gr\u00f6\u00dfe.py")).isEqualTo("\"gr\\u00f6\\u00dfe.py\"");
    assertThat(PromptText.name("")).isEqualTo("\"\"");
    assertThat(PromptText.symbol("Foo<T>.bar(int, String)")).isEqualTo("Foo<T>.bar(int, String)");
    assertThat(PromptText.symbol("a\nb")).isEqualTo("\"a\\u000ab\"");
  }

  @Test
  void a_model_may_write_a_name_as_it_was_shown() {
    var names = List.of("gr\u00f6\u00dfe.py", "a b.py");
    assertThat(PromptText.meant("gr\u00f6\u00dfe.py", names)).isEqualTo("gr\u00f6\u00dfe.py");
    assertThat(PromptText.meant("\"a b.py\"", names)).isEqualTo("a b.py");
    assertThat(PromptText.meant("gr\\u00f6\\u00dfe.py", names)).isEqualTo("gr\u00f6\u00dfe.py");
    assertThat(PromptText.meant("other.py", names)).isEqualTo("other.py");
  }

  @Test
  void what_is_written_as_another_name_is_shown_is_that_file_and_not_the_other() {
    var names = List.of("\u00e9.py", "\\u00e9.py");
    assertThat(PromptText.meant("\\u00e9.py", names)).isEqualTo("\\u00e9.py");
    assertThat(PromptText.name("\\u00e9.py")).isNotEqualTo(PromptText.name("\u00e9.py"));
  }

  @Test
  void what_a_compiler_sees_is_what_a_model_sees() {
    assertThat(PromptText.content("a\tb\r\nc\rd\u001b\u202e\u200b\u2028\u0000\u007f\n"))
        .isEqualTo("a\tb\nc\u240dd\u241b\\u202e\\u200b\\u2028\u2400\u2421\n");
    assertThat(PromptText.content("gr\u00f6\u00dfe \ud83d\ude80"))
        .isEqualTo("gr\u00f6\u00dfe \ud83d\ude80");
  }

  @Test
  void a_mark_is_in_none_of_the_texts_and_the_same_for_the_same() {
    var mark = PromptText.mark("seed", List.of("text =====seed end"));
    assertThat(mark).startsWith("=====").isNotEqualTo("=====seed");
    assertThat(PromptText.mark("seed", List.of("text =====seed end"))).isEqualTo(mark);
    assertThat(PromptText.mark("seed", List.of("=====seed", mark))).isNotIn("=====seed", mark);
  }
}
