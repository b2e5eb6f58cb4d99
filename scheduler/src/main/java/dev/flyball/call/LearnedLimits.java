package dev.flyball.call;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was learned about lanes, as a value: taken out of one scheduler, given to the next. */
public record LearnedLimits(Map<LaneId, OfLane> lanes) {
  public static final LearnedLimits NONE = new LearnedLimits(Map.of());

  /** What was learned about one allowance; a limit of 0 was never stated. */
  public record Learned(Dimension dimension, long limit, double perSecond) {}

  /** A pace that was felt where no limit was stated; a rate of 0 says nothing. */
  public record Felt(double perSecond, double burst) {
    public static final Felt NOTHING = new Felt(0, 0);
  }

  /**
   * What was learned about one lane.
   *
   * @param rampShare how far a ramp had come, that somebody asked for or that followed traffic
   *     which grew too fast; 0 if there was none
   */
  public record OfLane(
      List<Learned> allowances,
      Felt pace,
      Map<String, Long> outputs,
      double rampShare,
      Instant at) {
    public OfLane {
      allowances = List.copyOf(allowances);
      outputs = Map.copyOf(outputs);
    }
  }

  public LearnedLimits {
    lanes = Map.copyOf(lanes);
  }

  public Optional<OfLane> of(LaneId lane) {
    return Optional.ofNullable(lanes.get(lane));
  }
}
