package dev.flyball.llm.reply;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The IETF's {@code RateLimit} and {@code RateLimit-Policy}, which gateways send, and the fields of
 * its older drafts: {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, or one field
 * {@code limit=100, remaining=50, reset=5}.
 */
final class RateLimitFields {
  private static final Duration LONGEST = Duration.ofDays(31);
  private static final List<String> PARTS = List.of("limit", "remaining", "reset");
  private static final Map<String, Dimension> UNITS =
      Map.of(
          "requests", Dimension.REQUESTS,
          "tokens", Dimension.TOKENS,
          "input-tokens", Dimension.INPUT_TOKENS,
          "output-tokens", Dimension.OUTPUT_TOKENS,
          "concurrent-requests", Dimension.IN_FLIGHT);

  /** The known fields of one limit; an empty text is not known. */
  private record Stated(
      String name, String unit, String limit, String window, String remaining, String reset) {
    Optional<Sighting> sighting(ServerTime time) {
      var dimension = Optional.ofNullable(UNITS.get(unit));
      var most = WireNumbers.count(limit);
      var left = WireNumbers.count(remaining);
      var full = time.reset(reset);
      boolean nothing = most.isEmpty() && left.isEmpty() && full.isEmpty();
      if (dimension.isEmpty() || nothing || most.orElse(1) == 0) {
        return Optional.empty();
      }
      if (most.isPresent() && left.isPresent()) {
        left = OptionalLong.of(Math.min(most.getAsLong(), left.getAsLong()));
      }
      var stated =
          WireDurations.parse(window)
              .filter(length -> length.isPositive() && length.compareTo(LONGEST) <= 0);
      full =
          stated.isPresent() ? LimitPeriod.sane(full, stated.get(), left) : LimitPeriod.sane(full);
      var period = stated.orElse(LimitPeriod.guess(most, left, full, false));
      var seen = new Sighting(dimension.get().per(period), most, left, full, Snapshot.UNKNOWN, 1);
      return Optional.of(stated.isPresent() ? seen : seen.guessedFrom("ratelimit-" + name));
    }
  }

  private RateLimitFields() {}

  static List<Sighting> read(ReplyHead head, ServerTime time) {
    if (head.headers().keySet().stream().noneMatch(name -> name.startsWith("ratelimit"))) {
      return List.of();
    }
    var stated = new ArrayList<Stated>();
    var policies = items(head, "ratelimit-policy");
    var levels = items(head, "ratelimit");
    older(head, policies, levels).ifPresent(stated::add);
    for (var policy : policies) {
      if (policy.parameters().containsKey("q")) {
        stated.add(
            stated(policy, levels.stream().filter(level -> level.value().equals(policy.value()))));
      }
    }
    for (var level : levels) {
      boolean alone = policies.stream().noneMatch(policy -> policy.value().equals(level.value()));
      if (alone && level.parameters().containsKey("r")) {
        stated.add(stated(new FieldItem(level.value(), Map.of()), Stream.of(level)));
      }
    }
    return stated.stream().flatMap(each -> each.sighting(time).stream()).toList();
  }

  private static Stated stated(FieldItem policy, Stream<FieldItem> levels) {
    var level = levels.findFirst().map(FieldItem::parameters).orElse(Map.of());
    var terms = policy.parameters();
    return new Stated(
        policy.value(),
        terms.getOrDefault("qu", "requests"),
        terms.getOrDefault("q", ""),
        terms.getOrDefault("w", ""),
        level.getOrDefault("r", ""),
        level.getOrDefault("t", ""));
  }

  private static Optional<Stated> older(
      ReplyHead head, List<FieldItem> policies, List<FieldItem> levels) {
    var values = new HashMap<String, String>();
    for (var level : levels) {
      level.parameters().forEach(values::putIfAbsent);
    }
    for (var name : PARTS) {
      head.first("ratelimit-" + name).ifPresent(value -> values.put(name, value));
    }
    if (PARTS.stream().noneMatch(values::containsKey)) {
      return Optional.empty();
    }
    var limit = values.getOrDefault("limit", "");
    var most = WireNumbers.first(limit);
    var window =
        Stream.concat(FieldItem.list(limit).stream(), policies.stream())
            .filter(item -> item.value().equals(most))
            .flatMap(item -> Optional.ofNullable(item.parameters().get("w")).stream())
            .findFirst();
    return Optional.of(
        new Stated(
            "requests",
            "requests",
            most,
            window.orElse(""),
            values.getOrDefault("remaining", ""),
            values.getOrDefault("reset", "")));
  }

  private static List<FieldItem> items(ReplyHead head, String name) {
    return FieldItem.list(String.join(",", head.headers().getOrDefault(name, List.of())));
  }
}
