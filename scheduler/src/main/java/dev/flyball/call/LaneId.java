package dev.flyball.call;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The name of one rate-limit scope: a model class as one provider serves it to one key of one
 * organisation. The key itself never appears, only a fingerprint of it.
 *
 * @param provider not blank; with its address where it may be at several
 * @param modelClass the models that share limits; may be empty
 * @param keyFingerprint may be empty, where there is one key only
 * @param organisation may be empty
 */
public record LaneId(
    String provider, String modelClass, String keyFingerprint, String organisation) {
  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the provider is blank
   */
  public LaneId {
    if (provider.isBlank()) {
      throw new IllegalArgumentException("a lane names its provider, but it was blank");
    }
  }

  /**
   * {@return the lane of a provider that is reached under one key only}
   *
   * @param provider not blank
   * @param modelClass the models that share limits
   */
  public static LaneId of(String provider, String modelClass) {
    return new LaneId(provider, modelClass, "", "");
  }

  @Override
  public String toString() {
    return Stream.of(provider, modelClass, keyFingerprint, organisation)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("/"));
  }
}
