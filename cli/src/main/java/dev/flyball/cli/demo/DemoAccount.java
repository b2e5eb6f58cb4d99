package dev.flyball.cli.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.flyball.call.Dimension;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.ProviderRequest;
import dev.flyball.llm.token.PromptSize;
import dev.flyball.scheduler.LeastTime;
import dev.flyball.scheduler.LeastTime.Demand;
import dev.flyball.scheduler.LeastTime.Supply;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The small account of a demo, and the calls that are made to it. Both are the same each time, so
 * that the least possible time is known before anything is sent.
 *
 * @param speed how many times faster everything is than it should be, for tests
 */
public record DemoAccount(int speed) {
  public static final int CALLS = 120;
  static final long MOST_OUTPUT = 256;
  static final String MODEL = "claude-sonnet-4-5";

  private static final long REQUESTS = 300;
  private static final long REQUESTS_AT_ONCE = 10;
  private static final long INPUT = 40_000;
  private static final long INPUT_AT_ONCE = 8_000;
  private static final long OUTPUT = 24_000;
  private static final long OUTPUT_AT_ONCE = 5_000;
  private static final Duration FIRST_TOKEN = Duration.ofMillis(400);
  private static final Duration PER_TOKEN = Duration.ofMillis(5);
  private static final int TOKENS_AROUND = 3;
  private static final double BYTES_A_TOKEN = 3.5;
  private static final double A_MINUTE = 60;

  /** For people. */
  @Override
  public String toString() {
    return "%,d requests, %,d input and %,d output tokens per minute"
        .formatted(REQUESTS * speed, INPUT * speed, OUTPUT * speed);
  }

  /** Of a simulator; each has its own. */
  Settings settings() {
    Map<String, String> answers = new HashMap<>();
    IntStream.range(0, CALLS).forEach(call -> answers.put(id(call), text(outputTokens(call))));
    return Settings.of("anthropic-tier1")
        .limit("requests=%d/min".formatted(REQUESTS * speed))
        .limit("input=%d/min".formatted(INPUT * speed))
        .limit("output=%d/min".formatted(OUTPUT * speed))
        .burst("requests=" + REQUESTS_AT_ONCE)
        .burst("input=" + INPUT_AT_ONCE)
        .burst("output=" + OUTPUT_AT_ONCE)
        .latency(new Latency(faster(FIRST_TOKEN), faster(PER_TOKEN), 0))
        .answers(new Answers.Scripted(answers, List.of()));
  }

  /** A time as it is at this speed. */
  Duration faster(Duration usual) {
    return usual.dividedBy(speed);
  }

  static String id(int call) {
    return "call-" + call;
  }

  /** From 40 to 280, in no order. */
  private static long promptTokens(int call) {
    return 40 + 67L * call % 241;
  }

  /** From 30 to 190, in no order. */
  private static long outputTokens(int call) {
    return 30 + 53L * call % 161;
  }

  private static String text(long tokens) {
    int bytes = (int) (tokens * BYTES_A_TOKEN);
    return "steam rises, the balls fly out, the valve closes a little. "
        .repeat(1 + bytes / 50)
        .substring(0, bytes);
  }

  /** A call as it goes over the wire. */
  static ProviderRequest ask(int call) {
    var body =
        JsonNodeFactory.instance.objectNode().put("model", MODEL).put("max_tokens", MOST_OUTPUT);
    body.putArray("messages")
        .addObject()
        .put("role", "user")
        .put("content", text(promptTokens(call)));
    return new ProviderRequest(
        Dialect.ANTHROPIC,
        "/v1/messages",
        body.toString().getBytes(StandardCharsets.UTF_8),
        Map.of("x-client-request-id", id(call)),
        promptTokens(call));
  }

  /** Its size, as whoever asks sees it. */
  static PromptSize prompt(int call) {
    var body = ask(call).body();
    try {
      return PromptSize.read(body, 0, body.length);
    } catch (IOException garbled) {
      throw new UncheckedIOException(garbled);
    }
  }

  /** What the first so many calls take at least; no schedule is faster. */
  public Duration least(int calls) {
    return LeastTime.of(
        IntStream.range(0, calls).mapToObj(this::demand).toList(),
        List.of(
            Supply.steady(
                Dimension.REQUESTS, REQUESTS * speed / A_MINUTE, (double) REQUESTS_AT_ONCE),
            Supply.steady(Dimension.INPUT_TOKENS, INPUT * speed / A_MINUTE, (double) INPUT_AT_ONCE),
            new Supply(
                Dimension.OUTPUT_TOKENS,
                OUTPUT * speed / A_MINUTE,
                OUTPUT_AT_ONCE,
                true,
                Duration.ZERO)),
        calls);
  }

  public Demand demand(int call) {
    long output = outputTokens(call);
    return new Demand(
        faster(FIRST_TOKEN.plus(PER_TOKEN.multipliedBy(output - 1))),
        Map.of(
            Dimension.REQUESTS,
            1L,
            Dimension.INPUT_TOKENS,
            promptTokens(call) + TOKENS_AROUND,
            Dimension.OUTPUT_TOKENS,
            output));
  }
}
