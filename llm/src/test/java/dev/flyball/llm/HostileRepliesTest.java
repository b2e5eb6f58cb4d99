package dev.flyball.llm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.llm.reply.ErrorClassifier;
import dev.flyball.llm.reply.ReplyHead;
import dev.flyball.llm.reply.ReplyHeads;
import dev.flyball.llm.reply.SignalReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Hostile replies, of which none breaks anything and nothing absurd is believed. */
class HostileRepliesTest {
  private static final int CASES = 100_000;
  private static final String SIGNS = "0123456789-.,;:\"\\{}[]eE µ";

  private static final List<String> NAMES =
      List.of(
          "retry-after",
          "retry-after-ms",
          "date",
          "x-should-retry",
          "anthropic-ratelimit-requests-limit",
          "anthropic-ratelimit-requests-remaining",
          "anthropic-ratelimit-requests-reset",
          "anthropic-ratelimit-input-tokens-limit",
          "anthropic-ratelimit-input-tokens-remaining",
          "anthropic-ratelimit-tokens-reset",
          "anthropic-fast-input-tokens-limit",
          "x-ratelimit-limit-requests",
          "x-ratelimit-remaining-requests",
          "x-ratelimit-reset-requests",
          "x-ratelimit-limit-tokens",
          "x-ratelimit-remaining-tokens",
          "x-ratelimit-reset-tokens",
          "x-ratelimit-reset-requests-day",
          "x-ratelimit-limit",
          "x-ratelimit-remaining",
          "x-ratelimit-reset",
          "x-tokenlimit-limit",
          "x-ratelimit-limit-tokens-generated",
          "ratelimit",
          "ratelimit-policy",
          "ratelimit-limit",
          "ratelimit-remaining",
          "ratelimit-reset");

  private static final List<String> VALUES =
      List.of(
          "50",
          "49",
          "0",
          "-1",
          "NaN",
          "30,000",
          "4000, 4000",
          "59.7",
          "1e308",
          "18446744073709551616",
          "120ms",
          "6m0s",
          "1m26.4s",
          "999999999999999h",
          "2026-11-15T08:19:44Z",
          "-999999999-01-01T00:00:00+18:00",
          "+999999999-12-31T23:59:59-18:00",
          "9999-12-31T23:59:59.999999999-18:00",
          "Sun, 15 Nov 2026 08:20:14 GMT",
          "Thu, 01 Jan 1970 00:00:00 GMT",
          "1794730814",
          "1794730814000",
          "999999999999999",
          "\"burst\";q=100;w=60,\"daily\";q=1000;w=86400;qu=\"requests\"",
          "\"default\";r=50;t=30",
          "limit=100, remaining=50, reset=5",
          "100, 100;w=60",
          "true",
          "false");

  private static final List<String> BODIES =
      List.of(
          """
          {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 30,000 input tokens per minute (org: 0, model: m)."}}
          """,
          """
          {"type":"error","error":{"type":"rate_limit_error","details":{"error_code":"enforced_spend_limit_reached"},"message":"You will regain access on 2026-12-01 at 00:00 UTC."}}
          """,
          """
          {"error":{"message":"Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 14567, Requested 24754. Please try again in 18.642s.","type":"tokens","code":"rate_limit_exceeded"}}
          """,
          """
          [{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"* Quota exceeded for metric: g/x, limit: 20\\nPlease retry in 23.4s.","details":[{"violations":[{"quotaId":"GenerateRequestsPerDay"}]},{"retryDelay":"23s"}]}}]
          """,
          """
          {"error":{"code":"RateLimitReached","message":"Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 52220 seconds before retrying."}}
          """,
          """
          {"error":{"code":402,"message":"m","metadata":{"reason":"in_flight_budget_exhausted","raw":"r","headers":{"X-RateLimit-Reset":"1794787200000","X-RateLimit-Limit":"5"}}}}
          """,
          "<html><head><title>502 Bad Gateway</title></head></html>",
          "{\"error\":{\"message\":\"Incorrect API key provided: sk-proj-SECRETSECRET\"}}",
          "[[[[[[[[{{{{\"\\u0000",
          "");

  private static final List<Integer> STATUSES =
      List.of(
          0, 200, 302, 400, 401, 402, 403, 404, 413, 422, 429, 429, 429, 498, 500, 503, 529, 999);

  @Test
  void a_hundred_thousand_mutated_replies_break_nothing() {
    var broken =
        LongStream.range(0, CASES)
            .parallel()
            .mapToObj(HostileRepliesTest::failure)
            .flatMap(Optional::stream)
            .findFirst();
    if (broken.isPresent()) {
      throw broken.get();
    }
  }

  private static Optional<AssertionError> failure(long seed) {
    try {
      one(new Random(seed));
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      return Optional.of(new AssertionError("seed " + seed + ": " + e, e));
    }
  }

  @Test
  void repetition_costs_no_more_than_reading_it() {
    for (var piece :
        List.of(
            "wait 1",
            "key=",
            "\"code\":\"",
            "on tokens per ",
            "[",
            "{\"error\":",
            "a-",
            "Limit ",
            "<title")) {
      var body = piece.repeat(1_000_000 / piece.length()).getBytes(UTF_8);
      assertThat(ErrorClassifier.<String>classify(ReplyHeads.of(429), body)).isNotNull();
    }
  }

  private static void one(Random random) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (int i = random.nextInt(8); i > 0; i--) {
      headers
          .computeIfAbsent(pick(NAMES, random), name -> new ArrayList<>())
          .add(mutated(pick(VALUES, random), random));
    }
    var head = new ReplyHead(pick(STATUSES, random), headers, ReplyHeads.AT);
    var text = mutated(pick(BODIES, random), random);
    var body = text.getBytes(UTF_8);

    sane(SignalReader.read(head));
    switch (random.nextInt(3)) {
      case 0 -> sane(SignalReader.read(head, body));
      case 1 -> sane(ErrorClassifier.<String>classify(head, body));
      default -> sane(ErrorClassifier.<String>inStream(text, head, Usage.of(1, random.nextInt(2))));
    }
  }

  private static void sane(Reply<String> reply) {
    sane(reply.signals());
    switch (reply) {
      case Reply.Throttled<String> throttled -> shown(throttled.message());
      case Reply.Overloaded<String> overloaded -> shown(overloaded.message());
      case Reply.CutShort<String> cut -> shown(cut.message());
      case Reply.Rejected<String>(var message, var advice, var whole, var until, var used) -> {
        shown(message);
        check(!advice.isBlank(), "no advice", advice);
        check(
            until.filter(wait -> !wait.isPositive() || wait.toDays() > 366).isEmpty(),
            "until",
            until);
      }
      case Reply.Answered<String> answered -> check(false, "an error is no answer", answered);
      case Reply.Broken<String> broken -> check(false, "it did reply", broken);
    }
  }

  private static void sane(Signals signals) {
    check(
        signals
            .retryAfter()
            .filter(wait -> !wait.isPositive() || wait.compareTo(Sighting.LONGEST) > 0)
            .isEmpty(),
        "wait",
        signals.retryAfter());
    for (var seen : signals.sightings()) {
      check(seen.limit().orElse(1) > 0, "limit of", seen);
      check(seen.remaining().orElse(0) >= 0, "remaining of", seen);
      check(seen.remaining().orElse(0) <= seen.limit().orElse(Long.MAX_VALUE), "more than", seen);
      check(!seen.reset().orElse(Duration.ZERO).isNegative(), "reset of", seen);
      check(seen.dimension().period().compareTo(Duration.ofDays(31)) <= 0, "period of", seen);
    }
    long distinct = signals.sightings().stream().map(Sighting::dimension).distinct().count();
    check(distinct == signals.sightings().size(), "twice", signals.sightings());
  }

  private static void shown(String message) {
    check(!message.isBlank() && message.length() <= 300, "length of", message);
    check(message.chars().noneMatch(Character::isISOControl), "control character in", message);
    check(!message.contains("sk-proj-SECRETSECRET"), "a key in", message);
  }

  private static void check(boolean holds, String what, Object about) {
    if (!holds) {
      throw new AssertionError(what + ": " + about);
    }
  }

  private static <T> T pick(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  /** Some characters changed, lost, doubled, or the end cut off; often left as it is. */
  private static String mutated(String text, Random random) {
    var result = new StringBuilder(text);
    for (int i = random.nextInt(4); i > 0 && !result.isEmpty(); i--) {
      int at = random.nextInt(result.length());
      switch (random.nextInt(6)) {
        case 0 -> result.setCharAt(at, (char) random.nextInt(0x250));
        case 1 -> result.deleteCharAt(at);
        case 2 -> result.insert(at, SIGNS.charAt(random.nextInt(SIGNS.length())));
        case 3 -> result.setLength(at);
        case 4 -> result.insert(at, result.substring(at, Math.min(result.length(), at + 20)));
        default -> result.insert(at, pick(VALUES, random));
      }
    }
    return result.toString();
  }
}
