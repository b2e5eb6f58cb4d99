package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The marks in a prompt up to which it may be kept. */
final class PromptMarksTest {
  private static String body(String first, String second) {
    return """
    {"model":"claude-sonnet-4-5","max_tokens":9,"tools":[%s,%s],
    "messages":[{"role":"user","content":"Hi"}]}
    """
        .formatted(first, second);
  }

  private static String tool(String name, String text, boolean marked) {
    return "{\"name\":\"%s\",\"description\":\"%s\"%s}"
        .formatted(name, text, marked ? ",\"cache_control\":{\"type\":\"ephemeral\"}" : "");
  }

  @Test
  void a_mark_is_no_part_of_what_it_marks() throws Exception {
    String text = "lever ".repeat(1_000);
    try (Simulator simulator = Simulator.start(Settings.of("unlimited"), 0)) {
      Http http = new Http(simulator);
      http.message(body(tool("a", text, true), tool("b", "x", true)));

      JsonNode usage =
          http.message(body(tool("a", text, false), tool("b", "x", true))).json().path("usage");

      assertThat(usage.path("cache_read_input_tokens").asLong()).isGreaterThan(1_700);
      assertThat(usage.path("cache_creation_input_tokens").asLong()).isZero();
    }
  }

  @Test
  void at_most_four_marks_are_allowed() throws Exception {
    String marked = "{\"type\":\"text\",\"text\":\"x\",\"cache_control\":{\"type\":\"ephemeral\"}}";
    String body =
        "{\"model\":\"claude-sonnet-4-5\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":[%s]}]}";
    try (Simulator simulator = Simulator.start(Settings.of("unlimited"), 0)) {
      Http http = new Http(simulator);
      String four = String.join(",", List.of(marked, marked, marked, marked));

      assertThat(http.message(body.formatted(four)).status()).isEqualTo(200);
      Http.Reply five = http.message(body.formatted(four + "," + marked));
      assertThat(five.status()).isEqualTo(400);
      assertThat(five.text()).contains("A maximum of 4 blocks with cache_control");
    }
  }
}
