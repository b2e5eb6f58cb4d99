package dev.flyball.history;

/**
 * The call that an attempt is a try at: on which lane, of which model, by which lens, and what was
 * expected of it. A call without a lens or a kind has an empty one.
 *
 * @param estimatedInput tokens on a scale that no run changes, so that runs can be compared
 */
public record Asked(
    String lane,
    String model,
    String lens,
    String kind,
    String name,
    long estimatedInput,
    long maxOutput) {
  public Asked {
    if (estimatedInput < 0 || maxOutput < 0) {
      throw new IllegalArgumentException(
          "tokens are at least 0, but " + estimatedInput + " and " + maxOutput + " were asked for");
    }
  }

  public static Asked of(String lane, String model, String name) {
    return new Asked(lane, model, "", "", name, 0, 0);
  }

  public Asked by(String otherLens) {
    return new Asked(lane, model, otherLens, kind, name, estimatedInput, maxOutput);
  }

  public Asked expecting(long input, long mostOutput) {
    return new Asked(lane, model, lens, kind, name, input, mostOutput);
  }
}
