package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.llm.reply.ReplyHead;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ReplyReaderTest {
  private static final String PLAIN =
      "{\"id\":\"é€😀\",\"error\":null,\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":7,"
          + "\"prompt_tokens_details\":{\"cached_tokens\":5,\"audio\":[{\"prompt_tokens\":9}]}},"
          + "\"choices\":[{\"usage\":{\"prompt_tokens\":99}}]}";

  private static final String STREAM =
      """
      event: message_start
      data: {"type":"message_start","message":{"usage":{"input_tokens":11,"output_tokens":1}}}

      data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hé\\n\\u00e9😀\\""}  }

      : ping
      data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}

      data: {"type":"message_stop"}

      """;

  private static ReplyReader reader(String type) {
    var head = new ReplyHead(200, Map.of("content-type", List.of(type)), Instant.EPOCH);
    return ReplyReader.of(head, Signals.NONE, 3);
  }

  private static Reply<String> read(String type, String body, int seed) {
    var reader = reader(type);
    var random = new SplittableRandom(seed);
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    for (int from = 0; from < bytes.length; ) {
      int to = seed == 0 ? bytes.length : Math.min(bytes.length, from + random.nextInt(1, 9));
      reader.feed(bytes, from, to);
      from = to;
    }
    return reader.end(Optional.empty(), "whole");
  }

  @Test
  void it_reads_the_same_however_the_bytes_are_cut() {
    for (int seed = 0; seed < 200; seed++) {
      assertThat(read("application/json", PLAIN, seed))
          .isEqualTo(
              Reply.answered(
                  "whole", new Usage(15, 5, 0, 7, dev.flyball.call.Cost.NOTHING), Signals.NONE));
      assertThat(read("text/event-stream", STREAM, seed))
          .isEqualTo(Reply.answered("whole", Usage.of(11, 4), Signals.NONE));
    }
  }

  @Test
  void what_is_no_whole_json_is_cut_short() {
    for (var body : List.of("", "{\"a\":1", "[]", "{} {}", "nonsense", "{\"a\":}")) {
      assertThat(read("application/json", body, 1)).as(body).isInstanceOf(Reply.CutShort.class);
    }
    assertThat(read("text/event-stream", STREAM.substring(0, 250), 0))
        .isInstanceOf(Reply.CutShort.class);
  }

  @Test
  void an_error_in_a_reply_of_success_is_an_error() {
    assertThat(read("application/json", "{\"error\":{\"message\":\"overloaded\",\"code\":503}}", 1))
        .isInstanceOf(Reply.Overloaded.class);
    assertThat(
            read(
                "text/event-stream",
                "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n",
                1))
        .isInstanceOf(Reply.Overloaded.class);
  }

  @Test
  void the_text_of_an_event_is_counted_alike_whether_it_is_read_whole_or_not() {
    var lines =
        List.of(
            "data:"
                + " {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\\\"b\\\\\"}}",
            "data:"
                + " {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"é😀\\u00e9\"},\"finish_reason\":null}],\"usage\":null}");
    var lengths = List.of(4, 4);
    for (int i = 0; i < lines.size(); i++) {
      var bytes = lines.get(i).getBytes(StandardCharsets.UTF_8);
      assertThat(TextEvents.characters(bytes, 0, bytes.length)).isEqualTo(lengths.get(i));
    }
    for (var other :
        List.of(
            "data:"
                + " {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}],\"usage\":{\"x\":1}}",
            "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"a\"}}]}",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a",
            "data: [DONE]",
            "data: {\"error\":1,\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}")) {
      var bytes = other.getBytes(StandardCharsets.UTF_8);
      assertThat(TextEvents.characters(bytes, 0, bytes.length)).as(other).isEqualTo(-1);
    }
  }
}
