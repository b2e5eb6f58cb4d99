package dev.flyball.simulator.setting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Answers with blanks. */
final class AnswerTemplateTest {
  @Test
  void blanks_in_an_answer_are_filled_in_from_the_prompt() {
    String prompt = "file a.c\nsymbols: one, two\nfile b.c\nsymbols: three\n";
    assertThat(AnswerTemplate.filled("{\"files\":\"{{all:file (\\\\S+)}}\"}", prompt))
        .isEqualTo("{\"files\":[\"a.c\",\"b.c\"]}");
    assertThat(
            AnswerTemplate.filled(
                """
                {"of": ["{{each:file (\\\\S+)\\nsymbols: (.+)=>{\\"f\\":\\"$1\\",\\"s\\":\\"$2\\"}}}", "last"]}
                """,
                prompt))
        .isEqualTo(
            "{\"of\":[{\"f\":\"a.c\",\"s\":\"one\"},{\"f\":\"a.c\",\"s\":\"two\"},"
                + "{\"f\":\"b.c\",\"s\":\"three\"},\"last\"]}");
    assertThat(AnswerTemplate.filled("{{all:(.)}} is no JSON", prompt))
        .isEqualTo("{{all:(.)}} is no JSON");
  }
}
