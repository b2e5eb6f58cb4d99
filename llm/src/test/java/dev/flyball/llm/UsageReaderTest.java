package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tokens that whole replies say they used. */
class UsageReaderTest {
  private static UsageReader.Top top(String json) throws IOException {
    return UsageReader.plain(json.getBytes(StandardCharsets.UTF_8));
  }

  private static Usage usage(long input, long cacheRead, long cacheWrite, long output) {
    return new Usage(input, cacheRead, cacheWrite, output, Cost.NOTHING);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"input_tokens\":5,\"output_tokens\":7}|5|0|0|7",
        "{\"input_tokens\":5,\"cache_read_input_tokens\":90,\"cache_creation_input_tokens\":30,\"cache_creation\":{\"ephemeral_5m_input_tokens\":30},\"output_tokens\":7,\"service_tier\":\"standard\"}|5|90|30|7",
        "{\"prompt_tokens\":100,\"completion_tokens\":7,\"total_tokens\":107}|100|0|0|7",
        "{\"prompt_tokens\":100,\"prompt_tokens_details\":{\"cached_tokens\":64},\"completion_tokens\":7,\"completion_tokens_details\":{\"reasoning_tokens\":3}}|36|64|0|7",
        "{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":64},\"output_tokens\":7}|36|64|0|7",
        "{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":0,\"cache_write_tokens\":64},\"output_tokens\":7}|36|0|64|7",
        "{\"prompt_tokens\":100,\"prompt_cache_hit_tokens\":64,\"prompt_cache_miss_tokens\":36,\"completion_tokens\":7}|36|64|0|7",
        "{\"prompt_tokens\":100,\"cached_tokens\":64,\"completion_tokens\":7}|36|64|0|7",
        "{\"prompt_tokens\":10,\"prompt_tokens_details\":{\"cached_tokens\":64},\"completion_tokens\":7}|0|64|0|7",
        "{\"prompt_tokens\":8,\"total_tokens\":8}|8|0|0|0",
        "{\"prompt_tokens\":-8,\"completion_tokens\":99999999999999999999999}|0|0|0|0",
        "{\"prompt_tokens\":\"8\",\"completion_tokens\":7.5,\"prompt_tokens_details\":null}|0|0|0|0",
        "{}|0|0|0|0"
      })
  void every_provider_is_understood(String json, long input, long read, long write, long output)
      throws IOException {
    var top = top("{\"id\":\"x\",\"usage\":" + json + ",\"choices\":[{\"usage\":1}]}");

    assertThat(top.usage()).contains(usage(input, read, write, output));
    assertThat(top.failed()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"cache_creation_input_tokens\":30,\"cache_creation\":{\"ephemeral_5m_input_tokens\":10,\"ephemeral_1h_input_tokens\":20}|30|20",
        "\"cache_creation\":{\"ephemeral_1h_input_tokens\":20,\"ephemeral_5m_input_tokens\":10}|30|20",
        "\"cache_creation_input_tokens\":5,\"cache_creation\":{\"ephemeral_1h_input_tokens\":20}|20|20",
        "\"cache_creation_input_tokens\":30,\"cache_creation\":null|30|0",
      })
  void what_is_cached_for_an_hour_is_told_apart(String json, long write, long hour)
      throws IOException {
    var usage = top("{\"usage\":{\"input_tokens\":5," + json + "}}").usage();

    assertThat(usage).contains(new Usage(5, 0, write, hour, 0, Cost.NOTHING));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "[]",
        "\"x\"",
        "{",
        "{\"a\":1",
        "{\"a\":1}}",
        "{\"a\":1}{\"b\":2}",
        "{\"a\":1} x",
        "<html></html>",
        "{\"usage\":{\"input_tokens\":1}"
      })
  void what_is_not_one_whole_object_is_no_answer(String body) {
    assertThatThrownBy(() -> top(body)).isInstanceOf(IOException.class);
  }

  @Test
  void blank_lines_around_an_object_do_no_harm() throws IOException {
    assertThat(top("\n\n {\"usage\":null} \r\n").usage()).isEmpty();
    assertThat(top("\uFEFF{\"usage\":{\"input_tokens\":3}}").usage()).contains(Usage.of(3, 0));
  }

  @Test
  void usage_that_is_not_at_the_top_is_not_the_reply_s() throws IOException {
    assertThat(top("{\"message\":{\"usage\":{\"input_tokens\":3}}}").usage()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"error\":{\"message\":\"no\"}}|true",
        "{\"type\":\"error\",\"error\":{\"type\":\"x\"}}|true",
        "{\"error\":null}|false",
        "{\"error\":{},\"usage\":{\"input_tokens\":1}}|false",
        "{\"status\":\"failed\",\"error\":{\"code\":\"x\"},\"usage\":{\"input_tokens\":1}}|true",
        "{\"status\":\"completed\",\"error\":null,\"usage\":{\"input_tokens\":1}}|false",
        "{\"status\":{\"error\":1}}|false"
      })
  void an_error_that_calls_itself_a_success_is_one(String json, boolean failed) throws IOException {
    assertThat(top(json).failed()).isEqualTo(failed);
  }

  @Test
  void of_the_parts_of_a_stream_the_largest_counts() {
    var start = usage(11, 5, 3, 1);
    var end = usage(0, 0, 0, 70);

    assertThat(UsageReader.latest(start, end)).isEqualTo(usage(11, 5, 3, 70));
  }
}
