package dev.flyball.review.relation;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The custom by which the tests of some languages are named after what they test; a name is without
 * its extension.
 *
 * @param whole names that are a test's and tell not of what
 * @param before what the name of a test begins with
 * @param after what it ends with
 * @param afterAmongTests what it ends with only where everything is a test: elsewhere such a name
 *     means something else
 */
record TestNaming(
    String extensions,
    List<String> whole,
    List<String> before,
    List<String> after,
    List<String> afterAmongTests) {
  private static final List<String> NONE = List.of();
  private static final List<String> ITSELF = List.of("");

  private static final Map<String, TestNaming> BY_EXTENSION =
      byExtension(
          new TestNaming(
              "java kt kts groovy scala",
              NONE,
              List.of("Test"),
              List.of("Test", "Tests", "TestCase", "IT", "ITCase"),
              List.of("Spec")),
          new TestNaming(
              "py pyi",
              List.of("test", "tests", "conftest"),
              List.of("test_"),
              List.of("_test", "_tests"),
              NONE),
          new TestNaming(
              "js jsx mjs cjs ts tsx mts cts vue svelte",
              List.of("test", "tests"),
              NONE,
              List.of(".test", ".tests", ".spec", ".e2e", "-test", "-spec", "_test", "_spec"),
              ITSELF),
          new TestNaming("go", NONE, NONE, List.of("_test"), NONE),
          new TestNaming("rs", List.of("test", "tests"), NONE, List.of("_test", "_tests"), ITSELF),
          new TestNaming(
              "c h cc hh cpp hpp cxx hxx m mm",
              NONE,
              List.of("test_", "test-", "Test"),
              List.of("_test", "_tests", "_unittest", "-test", "-tests", "Test", "Tests"),
              ITSELF),
          new TestNaming("cs fs vb", NONE, NONE, List.of("Test", "Tests"), NONE),
          new TestNaming("rb", NONE, List.of("test_"), List.of("_test", "_spec"), NONE),
          new TestNaming("php", NONE, NONE, List.of("Test"), NONE),
          new TestNaming("swift", NONE, NONE, List.of("Test", "Tests"), NONE),
          new TestNaming("dart", NONE, NONE, List.of("_test"), NONE),
          new TestNaming("ex exs", NONE, NONE, List.of("_test"), NONE));

  static Optional<TestNaming> of(String extension) {
    return Optional.ofNullable(BY_EXTENSION.get(extension.toLowerCase(Locale.ROOT)));
  }

  /** Whether a name is a test's, wherever it is. */
  boolean isTest(String stem) {
    return whole.contains(stem) || subject(stem, false).isPresent();
  }

  /** What a file of this name tests, if it is a test. */
  Optional<String> subject(String stem, boolean amongTests) {
    for (var ending : after) {
      if (endsWith(stem, ending)) {
        return Optional.of(stem.substring(0, stem.length() - ending.length()));
      }
    }
    for (var beginning : before) {
      if (beginsWith(stem, beginning)) {
        return Optional.of(stem.substring(beginning.length()));
      }
    }
    return amongTests
        ? afterAmongTests.stream()
            .filter(ending -> endsWith(stem, ending))
            .findFirst()
            .map(ending -> stem.substring(0, stem.length() - ending.length()))
        : Optional.empty();
  }

  private static boolean endsWith(String stem, String ending) {
    int at = stem.length() - ending.length();
    return at > 0
        && stem.endsWith(ending)
        && !(ending.startsWith("IT") && Character.isUpperCase(stem.charAt(at - 1)));
  }

  private static boolean beginsWith(String stem, String beginning) {
    int end = beginning.length();
    return stem.length() > end
        && stem.startsWith(beginning)
        && (!beginning.equals("Test") || !Character.isLowerCase(stem.charAt(end)));
  }

  private static Map<String, TestNaming> byExtension(TestNaming... conventions) {
    Map<String, TestNaming> known = new HashMap<>();
    for (var convention : conventions) {
      for (var extension : convention.extensions.split(" ", -1)) {
        known.put(extension, convention);
      }
    }
    return Map.copyOf(known);
  }
}
