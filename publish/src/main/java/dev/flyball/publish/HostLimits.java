package dev.flyball.publish;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.llm.reply.ReplyHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The limits of a host, out of its replies.
 *
 * <p>GitHub counts requests an hour and points of GraphQL an hour, and says what is left. Beside
 * that it has secondary limits, of which nothing is known until one is hit: then it answers with
 * 403 or 429, mostly with {@code retry-after}, and without one it wants at least a minute. So not
 * every 403 is a refusal: one that carries a wait, nothing left, or words of rate limiting is a
 * limit, and waiting helps; and GraphQL says with status 200 that its points are spent. GitLab
 * counts requests a minute, and says the same in other headers.
 */
final class HostLimits {
  static final Duration SECONDARY = Duration.ofSeconds(60);
  private static final Dimension A_HOUR = Dimension.REQUESTS.per(Duration.ofHours(1));
  private static final Set<Integer> REFUSALS = Set.of(403, 429);
  private static final Pattern WORDS =
      Pattern.compile("rate limit|abuse detection|too many requests|retry later");

  private HostLimits() {}

  /** What a reply said about them. */
  static Signals signals(HostKind kind, ReplyHead head) {
    var prefix = kind == HostKind.GITHUB ? "x-ratelimit-" : "ratelimit-";
    var limit = number(head, prefix + "limit");
    var remaining = number(head, prefix + "remaining");
    if (limit.isEmpty() || remaining.isEmpty()) {
      return Signals.NONE;
    }
    var seen =
        Sighting.of(kind == HostKind.GITHUB ? A_HOUR : Dimension.REQUESTS)
            .limit(limit)
            .remaining(remaining);
    var reset = reset(kind, head);
    return Signals.of(reset.isPresent() ? seen.resetIn(reset.get()) : seen);
  }

  /** How long to wait, if a refusal is one of a limit. */
  static Optional<Duration> wait(HostKind kind, HostReply reply, boolean graphQl) {
    var head = reply.head();
    boolean pointsSpent =
        graphQl && reply.graphError().path("type").asText().equals("RATE_LIMITED");
    if (!pointsSpent && !REFUSALS.contains(head.status())) {
      return Optional.empty();
    }
    var after = number(head, "retry-after");
    if (after.isPresent()) {
      return Optional.of(Duration.ofSeconds(Math.max(1, after.getAsLong())));
    }
    boolean spent =
        number(head, (kind == HostKind.GITHUB ? "x-" : "") + "ratelimit-remaining").orElse(1) == 0;
    if (spent || pointsSpent) {
      return Optional.of(reset(kind, head).filter(Duration::isPositive).orElse(SECONDARY));
    }
    var body = reply.body();
    var words =
        new String(body, 0, Math.min(body.length, 4_000), StandardCharsets.UTF_8)
            .toLowerCase(Locale.ROOT);
    return head.status() == 429 || WORDS.matcher(words).find()
        ? Optional.of(SECONDARY)
        : Optional.empty();
  }

  /** Until the moment that it names; held against its own clock, where it tells that. */
  private static Optional<Duration> reset(HostKind kind, ReplyHead head) {
    var moment = number(head, (kind == HostKind.GITHUB ? "x-" : "") + "ratelimit-reset");
    if (moment.isEmpty()) {
      return Optional.empty();
    }
    var wait = Duration.between(head.at(), Instant.ofEpochSecond(moment.getAsLong()));
    return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
  }

  private static OptionalLong number(ReplyHead head, String name) {
    var said = head.first(name).orElse("");
    return said.matches("[0-9]{1,12}")
        ? OptionalLong.of(Long.parseLong(said))
        : OptionalLong.empty();
  }
}
