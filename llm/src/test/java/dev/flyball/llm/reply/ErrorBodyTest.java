package dev.flyball.llm.reply;

import static dev.flyball.llm.reply.ErrorReplies.anthropic;
import static dev.flyball.llm.reply.ErrorReplies.openai;
import static dev.flyball.llm.reply.ErrorReplies.rejected;
import static dev.flyball.llm.reply.ErrorReplies.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of errors, wherever a body has them, and what is not shown of them. */
class ErrorBodyTest {
  @Test
  void a_page_is_shown_by_its_title() {
    var page = "<html>\r\n<head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
    assertThat(reply(502, page)).isEqualTo(new Reply.Overloaded<>("502 Bad Gateway", Signals.NONE));
  }

  @Test
  void words_that_begin_like_json_are_words() {
    assertThat(rejected(400, "400 Bad Request").message()).isEqualTo("400 Bad Request");
  }

  @Test
  void json_that_was_cut_off_still_says_what_it_is() {
    var body = openai("insufficient_quota", "insufficient_quota", "You exceeded it");
    for (int end = body.length(); end > body.indexOf("insufficient_quota") + 18; end--) {
      assertThat(rejected(429, body.substring(0, end)).whole()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"error\":\"it broke\"}",
        "{\"message\":\"it broke\"}",
        "{\"detail\":\"it broke\"}",
        "{\"detail\":[{\"msg\":\"it broke\"}]}",
        "{\"errors\":[{\"message\":\"it broke\"}]}",
        "[{\"error\":{\"message\":\"it broke\"}}]",
        "\"it broke\"",
        "it broke",
        "  it\\n\tbroke ",
      })
  void the_message_is_found_wherever_it_is(String body) {
    assertThat(rejected(422, body.replace("\\n", "\n")).message()).isEqualTo("it broke");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "7", "{\"error\":null}", "[[[]]]"})
  void a_body_that_says_nothing_leaves_the_status(String body) {
    assertThat(rejected(400, body).message()).isEqualTo("HTTP 400");
  }

  @Test
  void a_long_message_is_cut() {
    var message = rejected(400, openai("x", "y", "word ".repeat(1000))).message();
    assertThat(message).hasSize(300).endsWith("…");
  }

  @Test
  void a_megabyte_is_read_in_no_time() {
    var body = "{\"a\":\"" + "please wait 1 ".repeat(75_000) + "\",\"message\":\"end\"}";
    assertThat(rejected(400, body).message()).isEqualTo("end");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sk-ant-api03-SECRETsecret",
        "Bearer SECRETsecret",
        "https://x.test/v1?key=SECRETsecret&a=b",
        "x-api-key: SECRETsecret",
        "\\\"api_key\\\": \\\"SECRETsecret\\\"",
        "gsk_SECRETsecret",
        "AIzaSECRETsecretSECRET",
        "Incorrect API key provided: SECRETsecret.",
        "SECRETsecret0123456789SECRETsecret0123456789"
      })
  void keys_are_never_shown(String text) {
    var message = rejected(400, openai("x", "y", "look: " + text)).message();
    assertThat(message).contains("[redacted]").doesNotContain("SECRET");
  }

  @Test
  void what_is_not_secret_is_left() {
    var message =
        "model: claude-sonnet-4-20250514, org: 01234567-89ab-cdef-0123-456789abcdef, max_tokens:"
            + " 4096";
    assertThat(rejected(400, anthropic("invalid_request_error", message)))
        .isEqualTo(
            new Reply.Rejected<String>(
                message,
                "correct the request; as it is, it will be refused again",
                false,
                Optional.empty()));
  }
}
