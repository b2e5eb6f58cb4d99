package dev.flyball.llm.reply;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The limit that an error body says was exceeded, with its numbers where it gives them: {@code on
 * tokens per min (TPM): Limit 30000, Used 14567, Requested 24754}.
 */
record ExceededLimit(
    Dimension dimension, OptionalLong limit, OptionalLong used, OptionalLong requested) {

  private record Phrase(Pattern pattern, Function<MatchResult, Dimension> meaning) {}

  private static final Dimension IMAGES = new Dimension("images", Dimension.MINUTE);
  private static final Pattern LIMIT = Pattern.compile("\\bLimit:? ([\\d,]{1,20}+)");
  private static final Pattern USED = Pattern.compile("\\bUsed:? ([\\d,]{1,20}+)");
  private static final Pattern REQUESTED = Pattern.compile("\\bRequested:? ([\\d,]{1,20}+)");
  private static final String PERIODS = "(second|sec|minute|min|hour|day)";

  /** How each provider puts it; the first that fits is meant. */
  private static final List<Phrase> PHRASES =
      List.of(
          // Anthropic, OpenAI, Groq, Cohere
          phrase(
              "\\b((?:input |output |prompt )?tokens?|requests?|images?) per " + PERIODS + "\\b",
              found -> of(counted(found.group(1)), found.group(2))),
          // GitHub Models
          phrase(
              "rate limit of [\\d,]{1,20}+ per (\\d{1,7}+)s exceeded",
              found -> Dimension.REQUESTS.per(seconds(found.group(1)))),
          // Azure
          phrase("exceeded (token|call|request) rate limit", found -> counted(found.group(1))),
          // Cohere: "the per minute request limit"
          phrase(
              "per " + PERIODS + " (request|token) limit",
              found -> of(counted(found.group(2)), found.group(1))),
          // OpenRouter: "free-models-per-day"
          phrase("-per-" + PERIODS + "\\b", found -> of(Dimension.REQUESTS, found.group(1))),
          phrase(
              "(?-i)\\b(R|T|I|IT|OT)P([SMHD])\\b",
              found -> of(abbreviated(found.group(1)), found.group(2))),
          // Bedrock
          phrase("too many tokens", found -> Dimension.TOKENS),
          phrase("\\bconcurren(?:t|cy)\\b", found -> Dimension.IN_FLIGHT));

  static Optional<ExceededLimit> in(ErrorBody error) {
    var dimension = error.quotas().isEmpty() ? byPhrase(error.message()) : byQuota(error.quotas());
    return dimension
        .or(() -> byType(error))
        .map(
            named ->
                new ExceededLimit(
                    named, number(LIMIT, error), number(USED, error), number(REQUESTED, error)));
  }

  /** Whether the limit could never hold what was asked for. */
  boolean tooLarge() {
    return limit.isPresent() && requested.orElse(0) > limit.getAsLong();
  }

  /** The level that its numbers show. */
  Optional<Sighting> sighting() {
    if (limit.isEmpty() || used.isEmpty() || dimension.name().equals(IMAGES.name())) {
      return Optional.empty();
    }
    long remaining = Math.max(0, limit.getAsLong() - used.getAsLong());
    return Optional.of(Sighting.of(dimension, limit.getAsLong(), remaining));
  }

  private static Optional<Dimension> byPhrase(String message) {
    for (var phrase : PHRASES) {
      var found = phrase.pattern.matcher(message);
      if (found.find()) {
        return Optional.of(phrase.meaning.apply(found));
      }
    }
    return Optional.empty();
  }

  /** {@code GenerateContentInputTokensPerModelPerMinute}; of several, the one over longest. */
  private static Optional<Dimension> byQuota(List<String> quotas) {
    return quotas.stream()
        .map(
            id -> {
              var counted =
                  id.contains("InputToken")
                      ? Dimension.INPUT_TOKENS
                      : id.contains("Token") ? Dimension.TOKENS : Dimension.REQUESTS;
              return counted.per(
                  id.contains("PerDay")
                      ? LimitPeriod.DAY
                      : id.contains("PerHour") ? LimitPeriod.HOUR : Dimension.MINUTE);
            })
        .max(Comparator.comparing(Dimension::period));
  }

  private static Optional<Dimension> byType(ErrorBody error) {
    return error.says("requests")
        ? Optional.of(Dimension.REQUESTS)
        : error.says("tokens") ? Optional.of(Dimension.TOKENS) : Optional.empty();
  }

  private static OptionalLong number(Pattern pattern, ErrorBody error) {
    var found = pattern.matcher(error.message());
    return found.find() ? WireNumbers.count(found.group(1)) : OptionalLong.empty();
  }

  private static Phrase phrase(String regex, Function<MatchResult, Dimension> meaning) {
    return new Phrase(Pattern.compile(regex, Pattern.CASE_INSENSITIVE), meaning);
  }

  private static Dimension of(Dimension counted, String period) {
    return counted.per(LimitPeriod.of(period.toLowerCase(Locale.ROOT)));
  }

  private static Duration seconds(String text) {
    return Duration.ofSeconds(Math.max(1, WireNumbers.count(text).orElse(60)));
  }

  private static Dimension counted(String word) {
    var lower = word.toLowerCase(Locale.ROOT);
    return lower.startsWith("input") || lower.startsWith("prompt")
        ? Dimension.INPUT_TOKENS
        : lower.startsWith("output")
            ? Dimension.OUTPUT_TOKENS
            : lower.startsWith("token")
                ? Dimension.TOKENS
                : lower.startsWith("image") ? IMAGES : Dimension.REQUESTS;
  }

  private static Dimension abbreviated(String letters) {
    return switch (letters) {
      case "IT" -> Dimension.INPUT_TOKENS;
      case "OT" -> Dimension.OUTPUT_TOKENS;
      case "T" -> Dimension.TOKENS;
      case "I" -> IMAGES;
      default -> Dimension.REQUESTS;
    };
  }
}
