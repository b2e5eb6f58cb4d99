package dev.flyball.bench.limiters;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A limiter, and calls for it.
 *
 * @param says the limiter in words
 * @param rule what it counts by
 * @param charges what calls are charged, one after the other and then again from the first
 * @param latency of the provider behind it
 */
public record LimiterRow(
    String name,
    String says,
    LimiterServer server,
    TrueRule rule,
    int calls,
    List<Integer> charges,
    Duration latency) {

  /** What no client can beat, not even one that knows the rule. */
  public Duration least() {
    long units = LongStream.range(0, calls).map(this::charge).sum();
    return rule.least(units, latency);
  }

  private long charge(long call) {
    return charges.isEmpty() ? 1 : charges.get((int) (call % charges.size()));
  }

  /** The calls as lines of a batch file. */
  List<String> lines() {
    return IntStream.range(0, calls).mapToObj(this::line).toList();
  }

  private String line(int call) {
    var line = JsonNodeFactory.instance.objectNode();
    line.put("custom_id", "call-" + call).put("method", "POST").put("url", "/v1/chat/completions");
    line.putObject("body")
        .put("model", "gpt-4o-mini")
        .put("max_completion_tokens", charges.isEmpty() ? 100 : charge(call))
        .putArray("messages")
        .addObject()
        .put("role", "user")
        .put("content", "Question %06d: what is that squared?".formatted(call));
    return line.toString();
  }
}
