package dev.flyball.scheduler;

import dev.flyball.call.LaneId;
import dev.flyball.limit.Allowance;
import dev.flyball.limit.Pace;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was learned about lanes, as a value: taken out of one {@link Flyball}, given to the next.
 */
public record Memory(Map<LaneId, OfLane> lanes) {
  public static final Memory NONE = new Memory(Map.of());

  /**
   * What was learned about one lane.
   *
   * @param rampShare how far a ramp that somebody asked for had come
   */
  public record OfLane(
      List<Allowance.Learned> allowances,
      Pace.Felt pace,
      Map<String, Long> outputs,
      double rampShare,
      Instant at) {
    public OfLane {
      allowances = List.copyOf(allowances);
      outputs = Map.copyOf(outputs);
    }
  }

  public Memory {
    lanes = Map.copyOf(lanes);
  }

  Optional<OfLane> of(LaneId lane) {
    return Optional.ofNullable(lanes.get(lane));
  }
}
