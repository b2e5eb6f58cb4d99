package dev.flyball.review.finding;

import java.util.Arrays;
import java.util.Locale;

/** The severity from which on a finding fails a review: the value of {@code --fail-on}. */
public enum Gate {
  CRITICAL,
  MAJOR,
  MINOR,
  NONE;

  public static Gate of(String word) {
    return Arrays.stream(values())
        .filter(gate -> gate.toString().equals(word.strip().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--fail-on must be critical, major, minor or none, not '" + word + "'"));
  }

  /** Whether something that the baseline does not know is at or above this gate. */
  public boolean stops(Review review) {
    return review.findings().stream().anyMatch(this::stops);
  }

  public boolean stops(Finding finding) {
    return finding.counts()
        && switch (this) {
          case CRITICAL -> finding.severity().atLeast(Severity.CRITICAL);
          case MAJOR -> finding.severity().atLeast(Severity.MAJOR);
          case MINOR -> true;
          case NONE -> false;
        };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
