package dev.flyball.llm.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of requests, as far as their size matters. */
class PromptSizeTest {
  private static final String CACHED = "\"cache_control\":{\"type\":\"ephemeral\"}";

  private static PromptSize prompt(String json) throws IOException {
    var bytes = json.getBytes(StandardCharsets.UTF_8);
    return PromptSize.read(bytes, 0, bytes.length);
  }

  private static String system(String text) {
    return "\"system\":[{\"type\":\"text\",\"text\":\"" + text + "\"," + CACHED + "}]";
  }

  private static String messages(String text) {
    return "\"messages\":[{\"role\":\"user\",\"content\":\"" + text + "\"}]";
  }

  @Test
  void what_becomes_tokens_is_text_and_the_rest_is_not() throws IOException {
    var prompt =
        prompt(
            """
            {"model":"m","max_tokens":99,"temperature":0.5,"stream":true,"metadata":{"user_id":"nobody"},
             "system":"Be brief.",
             "tools":[{"name":"look","description":"Looks.","input_schema":{"type":"object"}}],
             "messages":[{"role":"user","content":"Grüße 🎈"},
                         {"role":"assistant","content":[{"type":"text","text":"Yes?"}]}]}
            """);

    assertThat(prompt.model()).isEqualTo("m");
    assertThat(prompt.maxOutput()).hasValue(99);
    assertThat(prompt.stream()).isTrue();
    assertThat(prompt.images()).isZero();
    assertThat(prompt.text()).isEqualTo("Be brief.\nlook\nLooks.\nGrüße 🎈\nYes?\n");
    assertThat(prompt.prefix()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"input\":\"a\",\"instructions\":\"b\"}|a,b",
        "{\"input\":[\"a\",\"b\"]}|a,b",
        "{\"prompt\":[\"a\"]}|a",
        "{\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"a\"}]}]}|a"
      })
  void every_kind_of_request_has_its_text(String json, String text) throws IOException {
    assertThat(prompt(json).text().strip().replace('\n', ',')).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"max_tokens\":5}|5",
        "{\"max_completion_tokens\":5}|5",
        "{\"max_output_tokens\":5}|5",
        "{\"max_tokens\":-5}|0",
        "{\"max_tokens\":9000000000000000000}|1099511627776"
      })
  void the_longest_answer_has_many_names(String json, long most) throws IOException {
    assertThat(prompt(json).maxOutput()).hasValue(most);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{\"max_tokens\":null}", "{\"max_tokens\":\"5\"}", "{\"max_tokens\":1e3}"})
  void what_says_no_longest_answer_has_none(String json) throws IOException {
    assertThat(prompt(json).maxOutput()).isEmpty();
  }

  @Test
  void pictures_and_files_are_counted_and_not_read() throws IOException {
    var prompt =
        prompt(
            """
            {"messages":[{"role":"user","content":[
              {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},
              {"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},
              {"type":"file","file":{"file_data":"data:application/pdf;base64,AAAA"}},
              {"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}]}]}
            """);

    assertThat(prompt.images()).isEqualTo(4);
    assertThat(prompt.text()).doesNotContain("AAAA");
  }

  @Test
  void a_document_of_plain_text_is_text() throws IOException {
    var prompt =
        prompt(
            "{\"messages\":[{\"content\":[{\"type\":\"document\",\"source\":{\"type\":\"text\",\"media_type\":\"text/plain\",\"data\":\"a"
                + " long story\"}}]}]}");

    assertThat(prompt.text()).contains("a long story");
    assertThat(prompt.images()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "7",
        "{",
        "{\"model\":\"m\"",
        "{\"messages\":[{\"role\"",
        "{} {}",
        "{}x",
        "{\"max_tokens\":99999999999999999999999}"
      })
  void what_is_not_one_whole_object_is_refused(String json) {
    assertThatThrownBy(() -> prompt(json)).isInstanceOf(IOException.class);
  }

  @Test
  void bodies_share_a_prefix_up_to_their_last_cache_control() throws IOException {
    var one = prompt("{\"model\":\"m\"," + system("Long") + "," + messages("first") + "}");
    var two = prompt("{\"model\":\"m\"," + system("Long") + "," + messages("second") + "}");
    var other = prompt("{\"model\":\"m\"," + system("Lang") + "," + messages("first") + "}");
    var elsewhere = prompt("{\"model\":\"n\"," + system("Long") + "," + messages("first") + "}");

    assertThat(one.prefix()).isPresent().isEqualTo(two.prefix());
    assertThat(one.prefix()).isNotEqualTo(other.prefix());
    assertThat(one.prefix()).isNotEqualTo(elsewhere.prefix());
  }

  /** Anthropic's own clients write the messages before the system. */
  @Test
  void the_order_of_the_fields_does_not_matter_and_nor_do_other_fields() throws IOException {
    var one =
        prompt(
            "{\"max_tokens\":1," + messages("first") + ",\"model\":\"m\"," + system("Long") + "}");
    var two =
        prompt(
            "{\"max_tokens\":2," + messages("second") + ",\"model\":\"m\"," + system("Long") + "}");
    var three =
        prompt(
            "{\"model\":\"m\",\"stream\":true," + system("Long") + "," + messages("third") + "}");

    assertThat(one.prefix()).isPresent().isEqualTo(two.prefix()).isEqualTo(three.prefix());
  }

  @Test
  void tools_come_before_the_system_in_a_prefix() throws IOException {
    var tools = "\"tools\":[{\"name\":\"%s\"}]";
    var one = prompt("{" + system("Long") + "," + tools.formatted("a") + "}");
    var two = prompt("{" + system("Long") + "," + tools.formatted("b") + "}");
    var onlyTools = "{\"tools\":[{\"name\":\"a\"," + CACHED + "}],\"system\":\"%s\"}";

    assertThat(one.prefix()).isPresent().isNotEqualTo(two.prefix());
    assertThat(prompt(onlyTools.formatted("x")).prefix())
        .isPresent()
        .isEqualTo(prompt(onlyTools.formatted("y")).prefix());
  }

  @Test
  void the_last_of_several_marks_counts_however_deep_it_is() throws IOException {
    var body =
        "{%s,\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"content\":"
            + "[{\"type\":\"text\",\"text\":\"%s\",%s}]},{\"type\":\"text\",\"text\":\"%s\"}]}]}";
    var one = prompt(body.formatted(system("Grüße 🎈"), "deep", CACHED, "first"));
    var two = prompt(body.formatted(system("Grüße 🎈"), "deep", CACHED, "second"));
    var other = prompt(body.formatted(system("Grüße 🎈"), "dEEp", CACHED, "first"));

    assertThat(one.prefix()).isPresent().isEqualTo(two.prefix());
    assertThat(one.prefix()).isNotEqualTo(other.prefix());
    assertThat(one.text()).doesNotContain("ephemeral");
  }

  @Test
  void a_body_inside_of_others_bytes_has_the_same_prefix() throws IOException {
    var body = "{\"model\":\"m\"," + system("Größe 🎈") + "," + messages("x") + "}";
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    var inside = ("{\"é\":" + body + "}").getBytes(StandardCharsets.UTF_8);

    assertThat(PromptSize.read(inside, 6, bytes.length).prefix())
        .isPresent()
        .isEqualTo(PromptSize.read(bytes, 0, bytes.length).prefix());
  }

  @Test
  void a_mark_that_is_none_marks_nothing() throws IOException {
    assertThat(prompt("{\"system\":[{\"text\":\"x\",\"cache_control\":null}]}").prefix()).isEmpty();
  }

  @Test
  void a_very_deep_body_is_refused_and_breaks_nothing() {
    var deep = "{\"messages\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";

    assertThatThrownBy(() -> prompt(deep)).isInstanceOf(IOException.class);
  }

  @Test
  void how_much_of_the_text_is_shared_is_known() throws IOException {
    var prompt =
        prompt(
            """
            {"model":"m","messages":[{"role":"user","content":"twelve chars"}],
             "tools":[{"name":"look"}],
             "system":[{"type":"text","text":"eight ch","cache_control":{"type":"ephemeral"}},
                       {"type":"text","text":"not shared"}]}
            """);
    // Each piece of text ends its line; tools come first, wherever they stand.
    assertThat(prompt.prefixLength()).isEqualTo("look\neight ch\n".length());
    assertThat(prompt("{\"system\":\"none\"}").prefixLength()).isZero();
  }

  @Test
  void several_answers_may_each_be_as_long_as_one() throws IOException {
    assertThat(prompt("{\"model\":\"m\",\"n\":3,\"max_tokens\":50}").maxOutput()).hasValue(150);
    assertThat(prompt("{\"model\":\"m\",\"max_tokens\":50,\"n\":-3}").maxOutput()).hasValue(50);
    assertThat(prompt("{\"model\":\"m\",\"n\":3}").maxOutput()).isEmpty();
  }
}
