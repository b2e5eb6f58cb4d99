package dev.flyball.review.ask;

import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Severity;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the words mean that lenses for repositories answer with: how grave, and what it is about.
 * The one table of it; a word that is not here says that all is well, or is none.
 */
final class Verdicts {
  /** What a word comes to. */
  record Meaning(Severity severity, Category category, String title) {}

  private static final Map<String, Meaning> MEANINGS =
      Map.ofEntries(
          entry("ERROR", Severity.CRITICAL, Category.CORRECTNESS, "does something wrong"),
          entry("NEEDS_FIX", Severity.MAJOR, Category.CORRECTNESS, "goes wrong in some cases"),
          entry("FAIL", Severity.MAJOR, Category.STYLE, "departs from good practice"),
          entry("WARN", Severity.MINOR, Category.STYLE, "may depart from good practice"),
          entry("DEAD", Severity.MAJOR, Category.ARCHITECTURE, "is used nowhere"),
          entry("LOW_VALUE", Severity.MINOR, Category.ARCHITECTURE, "is hardly worth its place"),
          entry("DUPLICATE", Severity.MAJOR, Category.ARCHITECTURE, "does what other code does"),
          entry("OVER", Severity.MINOR, Category.ARCHITECTURE, "is more complicated than needed"),
          entry("WEAK", Severity.MINOR, Category.TESTS, "has tests that would not notice"),
          entry("NONE", Severity.MINOR, Category.TESTS, "has no test"),
          entry("PARTIAL", Severity.MINOR, Category.DOCUMENTATION, "is only partly documented"),
          entry("UNDOCUMENTED", Severity.MINOR, Category.DOCUMENTATION, "is not documented"));

  private Verdicts() {}

  static Optional<Meaning> of(String word) {
    return Optional.ofNullable(MEANINGS.get(word.strip().toUpperCase(Locale.ROOT)));
  }

  private static Map.Entry<String, Meaning> entry(
      String word, Severity severity, Category category, String title) {
    return Map.entry(word, new Meaning(severity, category, title));
  }
}
