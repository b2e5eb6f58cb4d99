package dev.flyball.review.plan;

import dev.flyball.review.relation.TestsOf;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The care that a change needs, from 0 to 100, by what it touches. Whole parts of paths count, so
 * that {@code capital} is no {@code api} and {@code latest} no {@code test}.
 */
final class Complexity {
  private static final Set<String> CRITICAL = Set.of("auth", "security", "crypto", "session");
  private static final Set<String> SHARED = Set.of("schema", "migration", "config", "api");
  private static final Pattern BREAKING = Pattern.compile("(?i)\\bbreaking\\b");
  private static final Pattern WORDS = Pattern.compile("[/\\\\._\\-\\s]+|(?<=[a-z0-9])(?=[A-Z])");
  private static final Pattern SOURCE =
      Pattern.compile(
          "(?i).*\\.(java|kt|py|js|jsx|mjs|cjs|ts|tsx|go|rs|c|h|cc|cpp|hpp|cs|rb|php|scala|swift)");
  private static final int OF_CRITICAL = 30;
  private static final int OF_SHARED = 30;
  private static final int OF_BREAKING = 40;
  private static final int OF_UNTESTED = 20;
  private static final int MOST = 100;

  private Complexity() {}

  /**
   * Of a change.
   *
   * @param paths the files that it changes
   * @param words its title and description, or its commit messages
   */
  static int of(Collection<String> paths, String words) {
    int sum = 0;
    sum += paths.stream().anyMatch(path -> has(path, CRITICAL)) ? OF_CRITICAL : 0;
    sum += paths.stream().anyMatch(path -> has(path, SHARED)) ? OF_SHARED : 0;
    sum += BREAKING.matcher(words).find() ? OF_BREAKING : 0;
    boolean source = paths.stream().anyMatch(path -> isSource(path) && !TestsOf.isTest(path));
    boolean tested = paths.stream().anyMatch(TestsOf::isTest);
    sum += source && !tested ? OF_UNTESTED : 0;
    return Math.min(MOST, sum);
  }

  /** Whether a file is of a kind that is looked at whole, and never only where it changed. */
  static boolean isCritical(String path) {
    return has(path, CRITICAL);
  }

  private static boolean isSource(String path) {
    return SOURCE.matcher(path).matches();
  }

  /** One of many counts as one. */
  private static boolean has(String path, Set<String> names) {
    return WORDS
        .splitAsStream(path)
        .map(word -> word.toLowerCase(Locale.ROOT))
        .anyMatch(
            word ->
                names.contains(word)
                    || (word.endsWith("s")
                        && names.contains(word.substring(0, word.length() - 1))));
  }
}
