package dev.flyball.call;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names one rate-limit scope: a model class as one provider serves it to one key of one
 * organisation. The key itself never appears, only a fingerprint of it.
 */
public record LaneId(
    String provider, String modelClass, String keyFingerprint, String organisation) {
  public LaneId {
    if (provider.isBlank()) {
      throw new IllegalArgumentException("a lane names its provider, but it was blank");
    }
  }

  /** The lane of a provider that is reached under one key only. */
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
