package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What replies say about limits: the laws, and each way to break them. */
final class HeadersTest {
  private static final String CHAT = "/v1/chat/completions";
  private static final String HELLO = Http.prompt("gpt-4o", 100, "Hello there");
  private static final String CLAUDE = Http.prompt("claude-sonnet-4-5", 100, "Hello there");

  private static Settings tier1() {
    return Settings.of("openai-tier1").latency(Latency.NONE);
  }

  private static Settings claude() {
    return Settings.of("anthropic-tier1").latency(Latency.NONE);
  }

  private static double seconds(String go) {
    Matcher parts =
        Pattern.compile("(?:(\\d+)h)?(?:(\\d+)m(?!s))?(?:([\\d.]+)s)?(?:(\\d+)ms)?").matcher(go);
    assertThat(parts.matches()).as(go).isTrue();
    double[] unit = {3_600, 60, 1, 1e-3};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      sum += parts.group(i + 1) == null ? 0 : Double.parseDouble(parts.group(i + 1)) * unit[i];
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"1, 500", "1, 11999", "1, 29000", "20, 12345"})
  void at_openai_the_reset_is_what_is_missing_over_the_rate(int speed, String tokens)
      throws Exception {
    try (Simulator simulator = Simulator.start(tier1().speed(speed), 0)) {
      Http.Reply reply = new Http(simulator).openai(CHAT, HELLO, "x-sim-input-tokens", tokens);

      for (String family : List.of("requests", "tokens")) {
        double limit = Double.parseDouble(reply.header("x-ratelimit-limit-" + family));
        double remaining = Double.parseDouble(reply.header("x-ratelimit-remaining-" + family));
        double reset = seconds(reply.header("x-ratelimit-reset-" + family)) * speed;
        // A part of a unit is not remaining yet, and a millisecond is rounded up.
        double unit = 60 / limit;
        assertThat(reset)
            .isBetween(
                (limit - remaining - 1) * unit - 1e-9,
                (limit - remaining) * unit + 0.001 * speed + 1e-9);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000", "14600", "29000"})
  void at_anthropic_the_reset_is_that_in_whole_seconds_and_remaining_in_thousands(String tokens)
      throws Exception {
    try (Simulator simulator = Simulator.start(claude(), 0)) {
      Http http = new Http(simulator);
      Instant before = Instant.now();

      Http.Reply reply =
          http.message(CLAUDE, "x-sim-input-tokens", tokens, "x-sim-output-tokens", "90");

      Instant after = Instant.now();
      for (String family : List.of("requests", "input-tokens", "output-tokens")) {
        String name = "anthropic-ratelimit-" + family;
        long limit = Long.parseLong(reply.header(name + "-limit"));
        long remaining = Long.parseLong(reply.header(name + "-remaining"));
        Instant reset = Instant.parse(reply.header(name + "-reset"));
        boolean rounded = !family.equals("requests");
        assertThat(remaining % (rounded ? 1_000 : 1)).isZero();
        double missing = limit - remaining;
        double off = rounded ? 500 : 0;
        assertThat(reset).isEqualTo(reset.truncatedTo(ChronoUnit.SECONDS));
        assertThat(seconds(before, reset)).isLessThan((missing + off + 1) * 60 / limit + 1.5);
        assertThat(seconds(after, reset))
            .isGreaterThan(Math.max(0, missing - off - 1) * 60 / limit - 1.5);
      }
    }
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1e3;
  }

  @Test
  void a_stream_says_what_was_left_before_its_output() throws Exception {
    String body = Http.prompt("claude-sonnet-4-5", 6_000, "Hi");
    try (Simulator simulator = Simulator.start(claude(), 0)) {
      Http http = new Http(simulator);

      Http.Reply stream = http.message(Http.stream(body), "x-sim-output-tokens", "5000");
      assertThat(stream.header("anthropic-ratelimit-output-tokens-remaining")).isEqualTo("8000");
      Http.Reply whole = http.message(body, "x-sim-output-tokens", "2000");
      assertThat(whole.header("anthropic-ratelimit-output-tokens-remaining")).isEqualTo("1000");
    }
  }

  @Test
  void remaining_is_not_more_than_the_limit() throws Exception {
    try (Simulator simulator = Simulator.start(claude().limit("input=600/min"), 0)) {
      Http.Reply reply = new Http(simulator).message(CLAUDE);

      assertThat(reply.header("anthropic-ratelimit-input-tokens-remaining")).isEqualTo("600");
    }
  }

  @Test
  void a_wait_is_rounded_up_to_whole_seconds_and_is_enough() throws Exception {
    Settings settings = claude().limit("requests=60/min").burst("requests=1");
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      http.message(CLAUDE);

      assertThat(http.message(CLAUDE).header("retry-after")).isEqualTo("1");
    }
  }

  @Test
  void numbers_are_written_the_same_everywhere() throws Exception {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try (Simulator simulator = Simulator.start(claude(), 0)) {
      Http http = new Http(simulator);

      assertThat(http.message(CLAUDE, "x-sim-input-tokens", "40000").text()).contains("30,000");
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "full, true, true, true",
    "limits, true, false, false",
    "retry-after, false, true, false",
    "none, false, false, false"
  })
  void headers_say_as_much_as_was_asked_for(
      String mode, boolean limits, boolean wait, boolean words) throws Exception {
    Settings settings =
        tier1().limit("requests=10/day").burst("requests=1").headers(Headers.parse(mode));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      http.openai(CHAT, HELLO);

      Http.Reply reply = http.openai(CHAT, HELLO);

      assertThat(reply.status()).isEqualTo(429);
      assertThat(!reply.header("x-ratelimit-limit-requests").isEmpty()).isEqualTo(limits);
      assertThat(!reply.header("retry-after").isEmpty()).isEqualTo(wait);
      assertThat(reply.text().contains("try again in")).isEqualTo(words);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http-date, retry-after, '\\w{3}, \\d\\d \\w{3} \\d{4} .* GMT'",
    "day, retry-after, 86400",
    "zero, retry-after, 0",
    "fraction, retry-after, '\\d+\\.\\d{3}'",
    "negative, x-ratelimit-remaining-requests, -1",
    "past-reset, x-ratelimit-reset-requests, 0s",
    "wrong-burst, x-ratelimit-remaining-requests, 499"
  })
  void headers_are_wrong_as_asked(String bug, String header, String value) throws Exception {
    Settings settings =
        tier1().limit("requests=500/day").burst("requests=1").headers(Headers.parse("full," + bug));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      http.openai(CHAT, HELLO);

      assertThat(http.openai(CHAT, HELLO).header(header)).matches(value);
    }
  }

  @Test
  void a_date_to_wait_for_is_the_wait_after_the_date_of_the_reply() throws Exception {
    Settings settings = claude().limit("requests=1/min").headers(Headers.parse("full,http-date"));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      http.message(CLAUDE);

      Http.Reply reply = http.message(CLAUDE);

      assertThat(Duration.between(date(reply, "date"), date(reply, "retry-after")))
          .isBetween(Duration.ofSeconds(59), Duration.ofSeconds(61));
    }
  }

  private static Instant date(Http.Reply reply, String header) {
    DateTimeFormatter format = DateTimeFormatter.RFC_1123_DATE_TIME;
    return ZonedDateTime.parse(reply.header(header), format).toInstant();
  }

  private static List<String> remaining(String bug, int replies) throws Exception {
    Settings settings =
        Settings.of("anthropic-start")
            .latency(Latency.NONE)
            .limit("requests=100/day")
            .headers(Headers.parse("full," + bug));
    List<String> remaining = new ArrayList<>();
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      for (int i = 0; i < replies; i++) {
        remaining.add(http.message(CLAUDE).header("anthropic-ratelimit-requests-remaining"));
      }
      // Other models have their own.
      String fable = http.message(CLAUDE.replace("sonnet-4-5", "fable-5")).header(FABLE);
      assertThat(fable).isEqualTo("500000");
    }
    return remaining;
  }

  private static final String FABLE = "anthropic-ratelimit-input-tokens-limit";

  @Test
  void headers_are_missing_stale_or_out_of_order_as_asked() throws Exception {
    assertThat(remaining("missing", 4)).containsExactly("99", "", "97", "");
    assertThat(remaining("stale", 4)).containsExactly("99", "99", "98", "97");
    assertThat(remaining("out-of-order", 6)).containsExactly("99", "99", "97", "98", "95", "96");
  }

  @Test
  void a_past_reset_is_past() throws Exception {
    try (Simulator simulator =
        Simulator.start(claude().headers(Headers.parse("full,past-reset")), 0)) {
      Http.Reply reply = new Http(simulator).message(CLAUDE, "x-sim-input-tokens", "20000");

      assertThat(Instant.parse(reply.header("anthropic-ratelimit-input-tokens-reset")))
          .isBefore(Instant.now().minusSeconds(1));
    }
  }

  @Test
  void headers_are_doubled_or_in_mixed_case_as_asked() throws Exception {
    Settings settings = claude().headers(Headers.parse("full,duplicate,mixed-case"));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      String head = Http.raw(simulator, CLAUDE);

      assertThat(head.split("Anthropic-Ratelimit-Requests-Limit: 50\r\n", -1)).hasSize(3);
    }
  }

  @Test
  void at_another_speed_waits_are_in_the_caller_s_time() throws Exception {
    Settings settings = claude().limit("requests=1/min").speed(20);
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      Instant sent = Instant.now();
      Http.Reply first = http.message(CLAUDE);
      Http.Reply second = http.message(CLAUDE);

      assertThat(second.header("retry-after")).isEqualTo("3");
      assertThat(Long.parseLong(second.header("retry-after-ms"))).isBetween(2_000L, 3_000L);
      Instant reset = Instant.parse(first.header("anthropic-ratelimit-requests-reset"));
      assertThat(Duration.between(sent, reset))
          .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }
  }
}
