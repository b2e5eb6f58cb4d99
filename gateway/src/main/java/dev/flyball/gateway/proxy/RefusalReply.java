package dev.flyball.gateway.proxy;

import dev.flyball.call.Refusal;
import dev.flyball.llm.Dialect;
import dev.flyball.scheduler.Waiter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What a client is told whose request is turned away here.
 *
 * @param after which time trying again makes sense
 * @param again whether a client should try again by itself
 */
record RefusalReply(int status, String message, Optional<Duration> after, boolean again) {
  /** SDKs wait no longer than that before they try again, whatever they are told. */
  private static final Duration LONGEST_HINT = Duration.ofSeconds(60);

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration LATER = Duration.ofSeconds(5);

  /** One after which the same request makes no sense. */
  static RefusalReply of(int status, String message) {
    return new RefusalReply(status, message, Optional.empty(), false);
  }

  private static RefusalReply after(int status, String message, Duration wait) {
    boolean again = wait.compareTo(LONGEST_HINT) <= 0;
    return new RefusalReply(status, message, Optional.of(wait), again);
  }

  static RefusalReply draining() {
    return after(503, "the gateway is shutting down: try again", SOON);
  }

  static RefusalReply tooLarge(long most) {
    return of(
        413,
        "the request is larger than the %,d bytes that this gateway takes (max-body)"
            .formatted(most));
  }

  static RefusalReply noRoom(UnaryOperator<Duration> jitter) {
    return after(
        429,
        "the requests that wait fill the gateway's memory: send fewer at once",
        jitter.apply(LATER));
  }

  static RefusalReply tooManyWait(int most, UnaryOperator<Duration> jitter) {
    return after(
        429,
        "%,d requests of this key wait already, and no more may (max-queue-per-key)"
            .formatted(most),
        jitter.apply(LATER));
  }

  static RefusalReply ownLimits(Duration maxWait, UnaryOperator<Duration> jitter) {
    return after(
        429,
        "the limits of this key allowed nothing more within " + Span.words(maxWait),
        jitter.apply(SOON));
  }

  /** It would wait longer than it may. */
  static RefusalReply wouldWait(
      Waiter.Place predicted, Duration maxWait, UnaryOperator<Duration> jitter) {
    var longer = predicted.left().minus(maxWait);
    return after(
        429,
        "the wait would be about %s, for %s, and this request allows %s (x-flyball-max-wait)"
            .formatted(Span.words(predicted.left()), predicted.constraint(), Span.words(maxWait)),
        jitter.apply(longer.compareTo(SOON) < 0 ? SOON : longer));
  }

  /** The scheduler's word, for a client; empty if the client itself went. */
  static Optional<RefusalReply> of(Refusal why, Dialect dialect, UnaryOperator<Duration> jitter) {
    return switch (why) {
      case Refusal.QueueFull full -> Optional.of(after(429, full.advice(), jitter.apply(LATER)));
      case Refusal.TooLate late -> Optional.of(after(429, late.advice(), jitter.apply(SOON)));
      case Refusal.TooLarge large -> Optional.of(of(413, large.advice()));
      case Refusal.BudgetSpent spent -> Optional.of(of(429, spent.advice()));
      case Refusal.Unpriced unpriced -> Optional.of(of(403, unpriced.advice()));
      case Refusal.Resting(var left) ->
          Optional.of(
              after(dialect == Dialect.ANTHROPIC ? 529 : 503, why.advice(), jitter.apply(left)));
      case Refusal.Parked(var left) -> Optional.of(after(429, why.advice(), jitter.apply(left)));
      case Refusal.LaneShut shut -> Optional.of(of(503, shut.advice()));
      case Refusal.ShuttingDown closing -> Optional.of(after(503, closing.advice(), SOON));
      case Refusal.Withdrawn withdrawn -> Optional.empty();
    };
  }
}
