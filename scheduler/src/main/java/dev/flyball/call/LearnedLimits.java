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

  /**
   * A pace that was felt where no limit was stated.
   *
   * @param perSecond calls a second; 0 says nothing
   * @param burst how many may go at once
   */
  public record Felt(double perSecond, double burst) {
    /** No pace was felt. */
    public static final Felt NOTHING = new Felt(0, 0);
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
