package dev.flyball.call;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The knowledge about lanes as a value: taken out of one scheduler, given to the next.
 *
 * @param lanes by lane
 */
public record LearnedLimits(Map<LaneId, OfLane> lanes) {
  /** Nothing was learned. */
  public static final LearnedLimits NONE = new LearnedLimits(Map.of());

  /**
   * The knowledge about one allowance.
   *
   * @param dimension what is counted
   * @param limit what is allowed in a period; 0 if it was never stated
   * @param perSecond what was seen to refill
   */
  public record Learned(Dimension dimension, long limit, double perSecond) {}

  /** The kinds of things that a limiter may add up. */
  public enum Kind {
    /** A level that leaks: {@code span} is the time that one call takes to leak away. */
    BUCKET,
    /** What went in the last {@code span} seconds. */
    SLIDING_WINDOW,
    /** What went since a window began, with its first call. */
    FIXED_WINDOW,
    /** The same, and a call too many shuts it for {@code extra} seconds. */
    PENALTY_WINDOW,
    /** What went since the clock struck, at {@code extra} seconds of it. */
    CLOCK_WINDOW,
    /** This window, and part of the one before. */
    FADING_WINDOW,
    /** What is in flight. */
    IN_FLIGHT
  }

  /**
   * What a limiter adds up.
   *
   * @param kind in which way
   * @param span its length in seconds
   * @param extra a second number, where its kind has one
   * @param countsRefused whether calls that it turns away count
   * @param inTokens whether it adds up tokens, in units of a usual call
   */
  public record Shape(
      Kind kind, double span, double extra, boolean countsRefused, boolean inTokens) {}

  /**
   * One explanation of a limit that nobody stated.
   *
   * @param limit 0 for the limit that was met first, 1 for a second one
   * @param shape what is added up
   * @param line how much of it was let in
   * @param say how much this explanation was believed in, from 0 to 1
   */
  public record Explanation(int limit, Shape shape, double line, double say) {}

  /**
   * A limit that was felt where none was stated.
   *
   * @param perSecond calls a second; 0 says nothing
   * @param burst how many may go at once
   * @param explanations what it may be, the likeliest of which the two numbers are
   */
  public record Felt(double perSecond, double burst, List<Explanation> explanations) {
    /** Nothing was felt. */
    public static final Felt NOTHING = new Felt(0, 0, List.of());

    /** Keeps a copy. */
    public Felt {
      explanations = List.copyOf(explanations);
    }

    /**
     * A pace of which no more is known.
     *
     * @param perSecond calls a second; 0 says nothing
     * @param burst how many may go at once
     */
    public Felt(double perSecond, double burst) {
      this(perSecond, burst, List.of());
    }
  }

  /**
   * The knowledge about one lane.
   *
   * @param allowances one for each dimension
   * @param pace what was felt where no limit was stated
   * @param outputs how long answers are, by kind of call
   * @param rampShare how far a ramp had come, that somebody asked for or that followed traffic
   *     which grew too fast; 0 if there was none
   * @param at when that was so
   */
  public record OfLane(
      List<Learned> allowances,
      Felt pace,
      Map<String, Long> outputs,
      double rampShare,
      Instant at) {
    /** Nothing was learned of it. */
    public static final OfLane NOTHING =
        new OfLane(List.of(), Felt.NOTHING, Map.of(), 0, Instant.EPOCH);

    /** Keeps copies. */
    public OfLane {
      allowances = List.copyOf(allowances);
      outputs = Map.copyOf(outputs);
    }

    /**
     * {@return the same, as of another moment}
     *
     * @param other when that was so
     */
    public OfLane at(Instant other) {
      return new OfLane(allowances, pace, outputs, rampShare, other);
    }
  }

  /** Keeps a copy. */
  public LearnedLimits {
    lanes = Map.copyOf(lanes);
  }

  /**
   * {@return what was learned about a lane}
   *
   * @param lane the lane
   */
  public Optional<OfLane> of(LaneId lane) {
    return Optional.ofNullable(lanes.get(lane));
  }
}
