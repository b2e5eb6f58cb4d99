package dev.flyball.batch;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunCost;
import dev.flyball.run.StopReason;
import dev.flyball.scheduler.SchedulerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A batch at one moment, or at its end.
 *
 * @param failures what went wrong for good and what to do, each with how often
 * @param bound the least time that what this run asked could have taken
 * @param learnedFrom where the limits of each lane are known from
 */
public record BatchReport(
    Instant startedAt,
    boolean simulated,
    LineCounts lines,
    Usage usage,
    RunCost costs,
    Duration wall,
    Duration bound,
    SchedulerSnapshot lanes,
    Map<String, String> learnedFrom,
    Map<String, TokenCounter.Learned> tokens,
    Map<String, Integer> failures,
    Hindrance hindrance) {

  /**
   * The lines of the input, by what became of them.
   *
   * @param completed lines that have an answer, those of earlier runs among them
   * @param earlier lines that had one before this run
   */
  public record LineCounts(long total, long completed, long earlier, long errored, long invalid) {}

  /**
   * What keeps the run from its end.
   *
   * @param stop why it ends before everything is asked
   * @param refusedKeys the lanes of keys that the provider refuses while others go on, and what it
   *     said
   * @param trouble why answers cannot be written
   * @param unwritten the ids of those that are only in memory
   */
  public record Hindrance(
      Optional<StopReason> stop,
      Map<String, String> refusedKeys,
      Optional<String> trouble,
      List<String> unwritten) {}

  public long total() {
    return lines.total();
  }

  public long completed() {
    return lines.completed();
  }

  public long earlier() {
    return lines.earlier();
  }

  public long errored() {
    return lines.errored();
  }

  public Optional<StopReason> stop() {
    return hindrance.stop();
  }

  public Map<String, String> refusedKeys() {
    return hindrance.refusedKeys();
  }

  public Optional<String> trouble() {
    return hindrance.trouble();
  }

  public long invalid() {
    return lines.invalid();
  }

  public List<String> unwritten() {
    return hindrance.unwritten();
  }

  /** Lines that were not asked to their end. */
  public long skipped() {
    return total() - completed() - errored();
  }

  /** How near it came to the least possible time, from 0 to 1. */
  public double efficiency() {
    return wall.isZero() ? 1 : Math.min(1, (double) bound.toNanos() / wall.toNanos());
  }

  /** Answers a second, of this run. */
  public double rate() {
    return wall.isZero() ? 0 : (completed() - earlier()) / (wall.toNanos() / 1e9);
  }

  /** What it cost; simulated answers cost nothing. Empty when a price is not known. */
  public Optional<Cost> cost() {
    return simulated ? Optional.of(Cost.NOTHING) : costs.known();
  }

  /** How it ended, if it has. */
  public ExitCode exit() {
    var kind = stop().map(StopReason::kind).orElse(null);
    boolean never = kind == StopReason.Kind.KEY_REFUSED || kind == StopReason.Kind.UNREACHABLE;
    if (never && completed() == 0) {
      return ExitCode.UNREACHABLE;
    }
    if (skipped() > 0 || kind == StopReason.Kind.SHUT || !unwritten().isEmpty()) {
      return ExitCode.INCOMPLETE;
    }
    return errored() > 0 ? ExitCode.FAILED : ExitCode.DONE;
  }
}
