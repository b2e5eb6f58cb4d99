package dev.flyball.review.finding;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The gravity of a finding, the least first. */
public enum Severity {
  MINOR,
  MAJOR,
  CRITICAL;

  /** The severity that a word of any tool or model means; nothing where it means none. */
  public static Optional<Severity> of(String word) {
    return switch (word.strip().toLowerCase(Locale.ROOT)) {
      case "critical", "blocker", "fatal", "severe", "p0" -> Optional.of(CRITICAL);
      case "major", "high", "error", "serious", "important", "p1" -> Optional.of(MAJOR);
      case "medium", "moderate", "warning", "warn", "p2" -> Optional.of(MAJOR);
      case "minor", "low", "info", "informational", "note", "notice" -> Optional.of(MINOR);
      case "trivial", "nit", "nitpick", "suggestion", "hint", "style", "p3" -> Optional.of(MINOR);
      default -> Optional.empty();
    };
  }

  public static Optional<Severity> gravest(Collection<Severity> severities) {
    return severities.stream().max(Severity::compareTo);
  }

  public boolean atLeast(Severity other) {
    return compareTo(other) >= 0;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
