package dev.flyball.limit;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import java.util.HashMap;
import java.util.Map;

/** The length of the answers to each kind of call, and how fast they come, as running means. */
public final class ExpectedOutput {
  private static final int MOST_KINDS = 1_000;
  private static final double WEIGHT_OF_THE_NEW = 0.1;
  private static final int PLAIN_MEAN = 10;

  private record Mean(double value, int count) {
    Mean with(long next) {
      double weight = count < PLAIN_MEAN ? 1.0 / (count + 1) : WEIGHT_OF_THE_NEW;
      return new Mean(value + weight * (next - value), Math.min(PLAIN_MEAN, count + 1));
    }
  }

  private final Map<String, Mean> means = new HashMap<>();

  /** Tokens a nanosecond; 0 before the first answer. */
  private double speed;

  public long of(Call call) {
    return of(call.kind(), call.estimate());
  }

  public long of(String kind, Estimate estimate) {
    if (estimate.output().isPresent()) {
      return estimate.output().getAsLong();
    }
    var mean = means.get(kind);
    long most = estimate.maxOutput();
    return mean == null
        ? most
        : Math.min((long) Math.ceil(mean.value()), most == 0 ? Long.MAX_VALUE : most);
  }

  public void learn(String kind, long output) {
    if (means.size() < MOST_KINDS || means.containsKey(kind)) {
      means.put(kind, means.getOrDefault(kind, new Mean(0, 0)).with(output));
    }
  }

  /** An answer of so many tokens took so long. */
  public void took(long output, long nanos) {
    if (output > 0 && nanos > 0) {
      double seen = output / (double) nanos;
      speed = speed == 0 ? seen : speed + WEIGHT_OF_THE_NEW * (seen - speed);
    }
  }

  /** How fast answers are produced, in tokens a nanosecond; 0 if that is not known. */
  public double speed() {
    return speed;
  }

  public Map<String, Long> remember() {
    var all = new HashMap<String, Long>();
    means.forEach((kind, mean) -> all.put(kind, Math.round(mean.value())));
    return Map.copyOf(all);
  }
}
