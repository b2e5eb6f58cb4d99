package dev.flyball.batch;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.CostMeter;
import dev.flyball.run.ExitCode;
import dev.flyball.run.StopReason;
import dev.flyball.scheduler.SchedulerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A batch at one moment, or at its end.
 *
 * @param failures what went wrong for good and what to do, each with how often
 * @param figures what is known of each lane's limits, by its name
 */
public record BatchReport(
    Instant startedAt,
    boolean simulated,
    LineCounts lines,
    Usage usage,
    CostMeter.Sum costs,
    Duration wall,
    SchedulerSnapshot lanes,
    Map<String, LaneFigures> figures,
    Map<String, TokenCounter.Learned> tokens,
    Map<String, Integer> failures,
    Hindrance hindrance) {

  /** How a bound is known. */
  public enum BoundSource {
    /** Replies stated the limits that it is computed from. */
    STATED,
    /** No reply stated the limit that binds: it is what refusals told, and so a guess. */
    FELT,
    /** No limit is known, so nothing is said about what would have been possible. */
    NONE;

    /** As it is in reports. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The least time that what was asked could have taken, as far as limits are known. */
  public record Bound(Duration least, BoundSource from) {
    /** Nothing was asked, or nothing is known. */
    public static final Bound NONE = new Bound(Duration.ZERO, BoundSource.NONE);

    /** What was done is possible: nothing is claimed to take longer than it took. */
    Bound within(Duration wall) {
      return least.compareTo(wall) > 0 ? new Bound(wall, from) : this;
    }
  }

  /**
   * The knowledge about one lane's limits.
   *
   * @param learnedFrom from where
   * @param bound the least time for its calls
   */
  public record LaneFigures(String learnedFrom, Bound bound) {
    /** Of a lane of which nothing is known. */
    public static final LaneFigures NOTHING = new LaneFigures("nothing", Bound.NONE);
  }

  public BatchReport {
    var within = new LinkedHashMap<String, LaneFigures>();
    figures.forEach(
        (lane, known) ->
            within.put(lane, new LaneFigures(known.learnedFrom(), known.bound().within(wall))));
    figures = Collections.unmodifiableMap(within);
  }

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

  /**
   * The least time that what this run asked could have taken: that of the lane which needs most. It
   * is never more than the run took.
   */
  public Bound bound() {
    return figures.values().stream()
        .map(LaneFigures::bound)
        .max(Comparator.comparing(Bound::least))
        .orElse(Bound.NONE);
  }

  /** How near it came to that, from 0 to 1; empty where no limit is known to measure it by. */
  public OptionalDouble efficiency() {
    var bound = bound();
    return wall.isZero() || bound.from() == BoundSource.NONE
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) bound.least().toNanos() / wall.toNanos());
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
