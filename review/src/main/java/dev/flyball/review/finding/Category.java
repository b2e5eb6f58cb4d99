package dev.flyball.review.finding;

import java.util.Locale;

/**
 * The subject that a finding is about. The order is the precedence: a defect that could be filed
 * under two goes under the first.
 */
public enum Category {
  SECURITY,
  CORRECTNESS,
  PERFORMANCE,
  TESTS,
  ARCHITECTURE,
  STYLE,
  DOCUMENTATION,
  OTHER;

  /** The category that a word of any tool or model means; {@link #OTHER} where it means none. */
  public static Category of(String word) {
    return switch (word.strip().toLowerCase(Locale.ROOT)) {
      case "security", "vulnerability", "privacy", "crypto" -> SECURITY;
      case "correctness", "correction", "bug", "bugs", "logic", "error", "errorprone" ->
          CORRECTNESS;
      case "reliability", "robustness", "concurrency", "multithreading" -> CORRECTNESS;
      case "performance", "efficiency", "speed" -> PERFORMANCE;
      case "tests", "test", "testing", "coverage", "test-coverage", "test_coverage" -> TESTS;
      case "architecture", "design", "duplication", "overengineering", "utility" -> ARCHITECTURE;
      case "maintainability", "complexity", "structure" -> ARCHITECTURE;
      case "style", "codestyle", "naming", "formatting", "readability" -> STYLE;
      case "best practices", "best-practices", "best_practices", "bestpractices" -> STYLE;
      case "documentation", "docs", "doc", "comments" -> DOCUMENTATION;
      default -> OTHER;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
