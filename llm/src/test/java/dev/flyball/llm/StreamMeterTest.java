package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Usage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams, read while they go by. */
class StreamMeterTest {
  private static final String MESSAGES =
      """
      event: message_start
      data: {"type":"message_start","message":{"usage":{"input_tokens":25,"cache_read_input_tokens":100,"output_tokens":1}}}

      event: ping
      data: {"type": "ping"}

      : a comment

      event: content_block_delta
      data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Grüße 🎈"}}

      event: message_delta
      data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}

      event: message_stop
      data: {"type":"message_stop"}

      """;
  private static final String CHAT =
      """
      data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

      data: {"choices":[{"index":0,"delta":{"content":"12345678"},"finish_reason":null}],"usage":null}

      data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

      data: {"choices":[],"usage":{"prompt_tokens":30,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":10}}}

      data: [DONE]

      """;
  private static final String RESPONSES =
      """
      event: response.output_text.delta
      data: {"type":"response.output_text.delta","delta":"Hello"}

      event: response.completed
      data: {"type":"response.completed","response":{"error":null,"usage":{"input_tokens":9,"output_tokens":2}}}

      """;

  private static StreamMeter meter(String text) {
    var meter = new StreamMeter();
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    meter.read(bytes, bytes.length);
    return meter;
  }

  @Test
  void every_dialect_is_understood() {
    assertThat(meter(MESSAGES).usage())
        .isEqualTo(new Usage(25, 100, 0, 15, dev.flyball.call.Cost.NOTHING));
    assertThat(meter(CHAT).usage())
        .isEqualTo(new Usage(20, 10, 0, 4, dev.flyball.call.Cost.NOTHING));
    assertThat(meter(RESPONSES).usage()).isEqualTo(Usage.of(9, 2));
    for (var stream : List.of(MESSAGES, CHAT, RESPONSES)) {
      assertThat(meter(stream).ended()).isTrue();
      assertThat(meter(stream).error()).isEmpty();
    }
  }

  @Test
  void it_does_not_matter_where_a_stream_is_split() {
    for (var stream : List.of(MESSAGES, CHAT, RESPONSES)) {
      var whole = meter(stream).usage();
      var bytes = stream.getBytes(StandardCharsets.UTF_8);
      for (int at = 0; at <= bytes.length; at++) {
        var meter = new StreamMeter();
        meter.read(bytes, at);
        var rest = Arrays.copyOfRange(bytes, at, bytes.length);
        meter.read(rest, rest.length);

        assertThat(meter.usage()).as("split at %d", at).isEqualTo(whole);
        assertThat(meter.ended()).isTrue();
      }
      var single = new StreamMeter();
      for (byte each : bytes) {
        single.read(new byte[] {each}, 1);
      }
      assertThat(single.usage()).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void lines_end_in_every_way_that_there_is(String end) {
    var meter = meter(MESSAGES.replace("\n", end));

    assertThat(meter.ended()).isTrue();
    assertThat(meter.usage().output()).isEqualTo(15);
  }

  @Test
  void a_stream_that_is_cut_anywhere_has_not_ended_and_never_fails() {
    for (var stream : List.of(MESSAGES, CHAT)) {
      var bytes = stream.strip().getBytes(StandardCharsets.UTF_8);
      long before = 0;
      for (int length = 0; length < bytes.length; length++) {
        var meter = new StreamMeter();
        meter.read(bytes, length);

        assertThat(meter.ended()).isFalse();
        assertThat(meter.usage().output()).isGreaterThanOrEqualTo(before);
        before = meter.usage().output();
      }
    }
  }

  @Test
  void a_last_line_without_an_end_counts_once_nothing_more_comes() {
    var meter = meter(CHAT.strip());
    assertThat(meter.ended()).isFalse();

    meter.end();

    assertThat(meter.ended()).isTrue();
  }

  @Test
  void output_that_nobody_counted_is_four_characters_a_token() {
    var delta =
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"%s\",\"%s\":\"%s\"}}\n";
    var meter =
        meter(
            delta.formatted("thinking_delta", "thinking", "x".repeat(40))
                + delta.formatted("text_delta", "text", "x".repeat(40))
                + delta.formatted("input_json_delta", "partial_json", "x".repeat(40))
                + delta.formatted("signature_delta", "signature", "x".repeat(4_000)));

    assertThat(meter.usage()).isEqualTo(Usage.of(0, 30));
  }

  @Test
  void tools_that_a_chat_calls_are_output_too() {
    var meter =
        meter(
            "data:"
                + " {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"call_123\",\"type\":\"function\",\"function\":{\"arguments\":\"12345678\"}}]}}]}\n");

    assertThat(meter.usage().output()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}",
        "{\"error\":{\"message\":\"no\"}}",
        "{\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"server_error\"}}}"
      })
  void an_error_in_a_stream_is_kept_as_it_came(String event) {
    var meter = meter("event: error\ndata: " + event + "\n\n");

    assertThat(meter.error()).contains(event);
    assertThat(meter.ended()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data: {\n",
        "data: {\"type\":\n",
        "data:\n",
        "data: \"message_stop\"\n",
        "data: 7\n",
        "data: null\n",
        "data: [1]\n",
        "message_stop\n",
        "event: message_stop\n",
        "data: {\"usage\":7}\n",
        "data: {\"choices\":{}}\n",
        "data: {\"choices\":[7]}\n",
        "data: {\"error\":null}\n",
        "\u0000\n"
      })
  void a_line_that_cannot_be_read_takes_nothing_from_the_others(String line) {
    var meter = meter(line + MESSAGES);

    assertThat(meter.ended()).isTrue();
    assertThat(meter.error()).isEmpty();
    assertThat(meter.usage().output()).isEqualTo(15);
  }

  @Test
  void letters_that_are_no_utf8_do_no_harm() {
    var bytes = MESSAGES.getBytes(StandardCharsets.ISO_8859_1);
    var meter = new StreamMeter();
    meter.read(bytes, bytes.length);

    assertThat(meter.ended()).isTrue();
  }

  @Test
  void a_chat_has_finished_when_each_of_its_choices_has() {
    var piece = "data: {\"choices\":[{\"index\":%d,\"delta\":{},\"finish_reason\":%s}]}\n";
    var one =
        piece.formatted(0, "null") + piece.formatted(1, "null") + piece.formatted(0, "\"stop\"");

    assertThat(meter("").finished()).isFalse();
    assertThat(meter(one).finished()).isFalse();
    assertThat(meter(one + piece.formatted(1, "\"length\"")).finished()).isTrue();
    assertThat(meter(one + piece.formatted(1, "\"length\"")).ended()).isFalse();
  }
}
