package dev.flyball.history.record;

/**
 * The call that an attempt is a try at: on which lane, of which model, by which lens, and what was
 * expected of it. A call without a lens or a kind has an empty one.
 *
 * @param tenant who asked for it through a gateway; empty where nobody did
 * @param estimatedInput tokens on a scale that no run changes, so that runs can be compared
 */
public record CallKey(
    String lane,
    String model,
    String lens,
    String kind,
    String name,
    long estimatedInput,
    long maxOutput,
    String tenant) {
  public CallKey {
    if (estimatedInput < 0 || maxOutput < 0) {
      throw new IllegalArgumentException(
          "tokens are at least 0, but " + estimatedInput + " and " + maxOutput + " were asked for");
    }
  }

  public static CallKey of(String lane, String model, String name) {
    return new CallKey(lane, model, "", "", name, 0, 0, "");
  }

  public CallKey lens(String otherLens) {
    return new CallKey(lane, model, otherLens, kind, name, estimatedInput, maxOutput, tenant);
  }

  public CallKey expecting(long input, long mostOutput) {
    return new CallKey(lane, model, lens, kind, name, input, mostOutput, tenant);
  }

  public CallKey on(String behalf) {
    return new CallKey(lane, model, lens, kind, name, estimatedInput, maxOutput, behalf);
  }
}
