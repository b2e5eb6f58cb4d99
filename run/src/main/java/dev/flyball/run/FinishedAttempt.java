package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Constraint;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One attempt at a call, after it is over.
 *
 * @param number 1 for the first
 * @param usage what it used, or may have used
 * @param cost of that, empty when the price is not known
 * @param waited what it waited for before it went, and how long
 */
public record FinishedAttempt(
    Of of,
    int number,
    Reply<?> reply,
    Usage usage,
    Optional<Cost> cost,
    Duration took,
    Map<Constraint, Duration> waited,
    Instant at) {

  /**
   * The call that it was an attempt at.
   *
   * @param name the id of a line, or the name of a unit
   * @param lens who asked; empty where nobody did
   * @param plain what the characters of its prompt alone suggest, in tokens
   * @param mostOutput the longest answer that was allowed
   * @param tenant who asked through a gateway; empty where nobody did
   */
  public record Of(
      LaneId lane,
      String model,
      String name,
      String lens,
      long plain,
      long mostOutput,
      String tenant) {
    /** A call of our own. */
    public Of(LaneId lane, String model, String name, String lens, long plain, long mostOutput) {
      this(lane, model, name, lens, plain, mostOutput, "");
    }
  }

  /** A listener that is told of each attempt, and may take a while to write it down. */
  @FunctionalInterface
  public interface Listener {
    /** An attempt is over. */
    void record(FinishedAttempt attempt) throws InterruptedException;

    /** For runs that nobody remembers. */
    Listener NOBODY = attempt -> {};
  }
}
