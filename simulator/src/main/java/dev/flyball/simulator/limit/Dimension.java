package dev.flyball.simulator.limit;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;

/** A quantity that a limit counts. */
public enum Dimension {
  REQUESTS("requests", "requests"),
  INPUT("input", "input tokens"),
  OUTPUT("output", "output tokens"),
  TOKENS("tokens", "tokens"),
  IN_FLIGHT("in-flight", "concurrent requests");

  private final String word;
  private final String noun;

  Dimension(String word, String noun) {
    this.word = word;
    this.noun = noun;
  }

  /** As it is written in options, profiles and the ledger. */
  public String word() {
    return word;
  }

  /** As providers write it in sentences. */
  public String noun() {
    return noun;
  }

  public static Dimension of(String word) {
    return Arrays.stream(values())
        .filter(dimension -> dimension.word.equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a limit is on one of "
                        + Arrays.stream(values()).map(Dimension::word).collect(joining(", "))
                        + ", not on "
                        + word));
  }
}
