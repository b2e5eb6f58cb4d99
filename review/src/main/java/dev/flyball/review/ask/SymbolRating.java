package dev.flyball.review.ask;

import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Severity;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * One of the words that lenses for repositories answer with, and what it means: that all is well,
 * or how grave something is and what it is about. The one table of it.
 */
enum SymbolRating {
  OK,
  GOOD,
  USED,
  UNIQUE,
  LEAN,
  ACCEPTABLE,
  DOCUMENTED,
  ERROR(Severity.CRITICAL, Category.CORRECTNESS, "does something wrong"),
  NEEDS_FIX(Severity.MAJOR, Category.CORRECTNESS, "goes wrong in some cases"),
  FAIL(Severity.MAJOR, Category.STYLE, "departs from good practice"),
  WARN(Severity.MINOR, Category.STYLE, "may depart from good practice"),
  DEAD(Severity.MAJOR, Category.ARCHITECTURE, "is used nowhere"),
  LOW_VALUE(Severity.MINOR, Category.ARCHITECTURE, "is hardly worth its place"),
  DUPLICATE(Severity.MAJOR, Category.ARCHITECTURE, "does what other code does"),
  OVER(Severity.MINOR, Category.ARCHITECTURE, "is more complicated than needed"),
  WEAK(Severity.MINOR, Category.TESTS, "has tests that would not notice"),
  NONE(Severity.MINOR, Category.TESTS, "has no test"),
  PARTIAL(Severity.MINOR, Category.DOCUMENTATION, "is only partly documented"),
  UNDOCUMENTED(Severity.MINOR, Category.DOCUMENTATION, "is not documented");

  /** What is wrong, where something is. */
  record Meaning(Severity severity, Category category, String title) {}

  private final Optional<Severity> severity;
  private final Category category;
  private final String title;

  SymbolRating() {
    severity = Optional.empty();
    category = Category.OTHER;
    title = "";
  }

  SymbolRating(Severity severity, Category category, String title) {
    this.severity = Optional.of(severity);
    this.category = category;
    this.title = title;
  }

  /** The word that was said, if it is one of these. */
  static Optional<SymbolRating> of(String said) {
    var plain = said.strip().toUpperCase(Locale.ROOT).replaceAll("[ -]", "_");
    return Arrays.stream(values()).filter(word -> word.name().equals(plain)).findFirst();
  }

  /** What is wrong; empty if all is well. */
  Optional<Meaning> meaning() {
    return severity.map(grave -> new Meaning(grave, category, title));
  }
}
