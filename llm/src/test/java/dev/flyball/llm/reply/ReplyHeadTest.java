package dev.flyball.llm.reply;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Headers as they come off the wire. */
class ReplyHeadTest {
  @Test
  void names_have_no_case_and_the_first_value_counts() {
    var head =
        new ReplyHead(
            200,
            Map.of("Retry-After", List.of(" 2 ", "9"), "x-empty", List.of(" ")),
            Instant.EPOCH);

    assertThat(head.first("retry-AFTER")).contains("2");
    assertThat(head.first("x-empty")).isEmpty();
    assertThat(head.first("x-none")).isEmpty();
  }
}
