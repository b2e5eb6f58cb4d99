package dev.flyball.simulator.setting;

import dev.flyball.simulator.limit.InputSplit;
import dev.flyball.simulator.limit.Limit;
import java.util.List;
import java.util.Optional;

/**
 * An account at a provider: which models it may use, and the limits of each class of them.
 *
 * @param models how the names of known models begin; empty if any name will do
 * @param countsFailed whether a request that was turned away counts as a request
 */
public record Profile(
    String name,
    ProviderStyle style,
    List<String> models,
    boolean countsFailed,
    Latency latency,
    Optional<Spend> spend,
    List<ModelClass> classes) {

  /**
   * Models that share their limits.
   *
   * @param name empty if each model is a class of its own
   * @param models how their names begin; empty for all that no other class names
   * @param cacheReads whether input from the prompt cache counts
   */
  public record ModelClass(
      String name, List<String> models, boolean cacheReads, long countTokens, List<Limit> limits) {
    public String of(String model) {
      return name.isEmpty() ? model : name;
    }
  }

  /** A budget and the prices of tokens, in billionths of a dollar. */
  public record Spend(long cap, long perInput, long perOutput) {
    /** To keep input in the cache costs a quarter more, for an hour double; to read it a tenth. */
    public long cost(InputSplit split, long output) {
      return split.fresh() * perInput
          + split.writtenShort() * perInput * 5 / 4
          + split.writtenLong() * perInput * 2
          + split.read() * perInput / 10
          + output * perOutput;
    }
  }

  public boolean knows(String model) {
    return models.isEmpty() || models.stream().anyMatch(model::startsWith);
  }

  /** The class with the longest name that fits. */
  public ModelClass classOf(String model) {
    ModelClass best = null;
    int length = -1;
    for (ModelClass each : classes) {
      int fits = each.models().isEmpty() ? 0 : -1;
      for (String prefix : each.models()) {
        fits = model.startsWith(prefix) ? Math.max(fits, prefix.length()) : fits;
      }
      if (fits > length) {
        best = each;
        length = fits;
      }
    }
    return best == null ? new ModelClass("", List.of(), false, 0, List.of()) : best;
  }
}
