package dev.flyball.run.config;

import java.util.Arrays;
import java.util.Optional;

/** The word that somebody probably meant. */
public final class NearestWord {
  private NearestWord() {}

  /** The nearest of those that are known, if one is near enough for so short a word. */
  public static Optional<String> of(String word, Iterable<String> known) {
    String nearest = "";
    int best = Math.min(4, 2 + word.length() / 3);
    for (var each : known) {
      int distance = distance(word, each);
      if (distance < best) {
        nearest = each;
        best = distance;
      }
    }
    return nearest.isEmpty() ? Optional.empty() : Optional.of(nearest);
  }

  /** The same as a question behind a sentence; empty where there is none. */
  public static String question(String word, Iterable<String> known) {
    return of(word, known).map(each -> "; did you mean " + each + "?").orElse("");
  }

  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= one.length(); i++) {
      int corner = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int change = corner + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        corner = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }
}
