package dev.flyball.gateway.http;

import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Constraint;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A step in the story of a call. Every story ends with {@link Ended}, however it ends. */
public sealed interface CallStep {
  /**
   * It has its place in the queue.
   *
   * @param lane in which it stands first
   * @param bytes of its body
   */
  record Queued(LaneId lane, long input, long mostOutput, long bytes) implements CallStep {}

  /**
   * It waits.
   *
   * @param constraint for what
   * @param left for how long, as far as is known
   * @param ahead how many are before it
   */
  record Waits(Constraint constraint, Optional<Duration> left, int ahead) implements CallStep {}

  /**
   * An attempt goes to the provider.
   *
   * @param attempt 1 for the first
   * @param waited what it waited for since the last, and how long
   */
  record Sent(int attempt, LaneId lane, Map<Constraint, Duration> waited) implements CallStep {}

  /**
   * The provider's headers are there.
   *
   * @param after since the attempt went
   */
  record Answering(int attempt, int status, Duration after) implements CallStep {}

  /**
   * An attempt is over.
   *
   * @param status of the provider; 0 if it gave none
   * @param kind how the scheduler understood it
   * @param again whether another follows
   * @param message what the provider said, safe to show; empty if it answered
   */
  record Attempted(
      int attempt,
      LaneId lane,
      int status,
      Reply.Kind kind,
      Usage usage,
      Optional<Cost> cost,
      Duration took,
      boolean again,
      String message)
      implements CallStep {}

  /**
   * It is over.
   *
   * @param how it ended
   * @param status the client was given; 0 if it was gone before
   * @param usage of all attempts
   * @param cost of that; empty when a price is not known
   * @param waited for admission, in all
   * @param bytes of the reply that the client was given
   */
  record Ended(
      Ending how,
      int status,
      int attempts,
      Usage usage,
      Optional<Cost> cost,
      Duration waited,
      Duration took,
      long bytes)
      implements CallStep {}

  /** The ways in which a call ends. */
  enum Ending {
    /** The client has the provider's answer. */
    ANSWERED,
    /** The client has the provider's last error. */
    FAILED,
    /** We turned it away: no room, too late, too large, no budget, draining. */
    REFUSED,
    /** The client disconnected. */
    LEFT
  }
}
