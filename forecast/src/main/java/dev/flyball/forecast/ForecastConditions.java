package dev.flyball.forecast;

import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The conditions that a plan meets: how providers and models are assumed to be, and what the
 * scheduler knows of them.
 *
 * @param mostInFlight the most attempts at one time, of all lanes together
 * @param learned what earlier runs have learned
 * @param profiles what the scheduler is told of lanes before their first reply
 */
public record ForecastConditions(
    Map<LaneId, AssumedLimits> lanes,
    Map<String, ModelBehaviour> models,
    int mostInFlight,
    LearnedLimits learned,
    Function<LaneId, LaneProfile> profiles) {
  public ForecastConditions {
    lanes = Map.copyOf(lanes);
    models = Map.copyOf(models);
    if (mostInFlight < 1) {
      throw new IllegalArgumentException("at least 1 may be in flight, but was " + mostInFlight);
    }
  }

  /** Where the scheduler starts without knowing anything. */
  static ForecastConditions of(
      Map<LaneId, AssumedLimits> lanes, Map<String, ModelBehaviour> models) {
    return new ForecastConditions(
        lanes, models, 512, LearnedLimits.NONE, lane -> LaneProfile.UNKNOWN);
  }

  ForecastConditions mostInFlight(int most) {
    return new ForecastConditions(lanes, models, most, learned, profiles);
  }

  AssumedLimits of(LaneId lane) {
    var known = lanes.get(lane);
    if (known == null) {
      throw new IllegalArgumentException("nothing is assumed of lane " + lane);
    }
    return known;
  }

  ModelBehaviour of(String model) {
    return models.getOrDefault(model, ModelBehaviour.USUAL);
  }

  /** If they are worse than thought by so many sigmas, as far as they are only thought. */
  ForecastConditions doubted(double sigmas) {
    var other = new HashMap<>(lanes);
    other.replaceAll((lane, limits) -> limits.doubted(sigmas));
    return new ForecastConditions(other, models, mostInFlight, learned, profiles);
  }

  ForecastConditions changing(LaneId lane, UnaryOperator<AssumedLimits> change) {
    var other = new HashMap<>(lanes);
    other.put(lane, change.apply(of(lane)));
    return new ForecastConditions(other, models, mostInFlight, learned, profiles);
  }
}
