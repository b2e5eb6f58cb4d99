package dev.flyball.review.plan;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What files that belong together have in common: their folder, and a test what it tests. */
final class Related {
  private static final Set<String> ASIDE =
      Set.of("main", "test", "tests", "__tests__", "spec", "specs", "it");
  private static final Pattern TEST =
      Pattern.compile("^(test_|Test(?=[A-Z]))|(_test|_spec|\\.test|\\.spec|Tests?|IT|Spec)$");

  private Related() {}

  /** A path without what only says whether it is a test. */
  static String key(String path) {
    var key = new StringBuilder();
    var parts = path.split("/", -1);
    for (int i = 0; i < parts.length - 1; i++) {
      if (!ASIDE.contains(parts[i].toLowerCase(Locale.ROOT))) {
        key.append(parts[i]).append('/');
      }
    }
    var name = parts[parts.length - 1];
    int dot = name.lastIndexOf('.');
    var stem = dot > 0 ? name.substring(0, dot) : name;
    var plain = TEST.matcher(stem).replaceAll("");
    return key.append(plain.isEmpty() ? stem : plain).toString();
  }
}
