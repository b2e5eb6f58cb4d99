package dev.flyball.review.relation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The tests that belong to source files, by their names and places alone. A test belongs to the
 * nearest source that it is named after; of two that are equally near, to both.
 */
public final class TestsOf {
  /** As many tests of one file as are named. */
  public static final int MOST = 5;

  /** With more sources of one name, the name says nothing, and tests must be right beside. */
  private static final int NAMESAKES = 64;

  private static final int SAME_PACKAGE = 100;
  private static final int ONLY_ONE = 200;
  private static final int UNRELATED = 1000;

  /** Files that stand for the folder that they are in. */
  private static final Set<String> ENTRY_NAMES = Set.of("index", "mod", "__init__");

  /** Folders that hold projects which have nothing to do with each other. */
  private static final Set<String> PROJECTS =
      Set.of("packages", "apps", "libs", "modules", "crates", "services", "projects", "plugins");

  private record Name(String extensions, String stem) {}

  private record Match(String source, String test, int distance, int common) {}

  private static final Comparator<Match> NEAREST =
      Comparator.comparingInt(Match::distance)
          .thenComparing(Comparator.comparingInt(Match::common).reversed());

  private final Map<String, List<String>> tests;

  private TestsOf(Map<String, List<String>> tests) {
    this.tests = tests;
  }

  /** Of all paths of a repository, with slashes. */
  public static TestsOf of(Collection<String> paths) {
    Map<Name, Map<String, List<TestPath>>> sources = new HashMap<>();
    Map<Name, List<TestPath>> named = new HashMap<>();
    for (var path : new TreeSet<>(paths)) {
      var place = TestPath.of(path);
      var naming = TestNaming.of(place.extension());
      if (naming.isPresent() && isTest(place)) {
        subject(naming.get(), place)
            .ifPresent(name -> named.computeIfAbsent(name, made -> new ArrayList<>()).add(place));
      } else if (naming.isPresent()) {
        for (var as : names(place)) {
          sources
              .computeIfAbsent(name(naming.get(), as.stem()), made -> new TreeMap<>())
              .computeIfAbsent(place.extension(), made -> new ArrayList<>())
              .add(as);
        }
      }
    }
    var matches = new ArrayList<Match>();
    named.forEach(
        (name, those) ->
            sources
                .getOrDefault(name, Map.of())
                .values()
                .forEach(namesakes -> match(namesakes, those, matches)));
    return new TestsOf(best(matches));
  }

  /** The tests of a source file, those that surely belong to it first. */
  public List<String> tests(String path) {
    return tests.getOrDefault(path, List.of());
  }

  /** What a file has in common with its tests: their folder and the name that they share. */
  public static String kinship(String path) {
    var place = TestPath.of(path);
    var shared =
        isTest(place)
            ? TestNaming.of(place.extension())
                .flatMap(naming -> naming.subject(place.stem(), place.isAmongTests()))
            : Optional.<String>empty();
    return place.folderOfBoth() + shared.orElse(place.stem());
  }

  /**
   * Whether a path is that of a test, by whole words of its folders and its name. Below {@code
   * src/main} nothing is.
   */
  public static boolean isTest(String path) {
    return isTest(TestPath.of(path));
  }

  private static boolean isTest(TestPath place) {
    return switch (place.role()) {
      case TESTS -> true;
      case NO_TESTS -> false;
      case NOTHING ->
          TestNaming.of(place.extension())
              .filter(naming -> naming.isTest(place.stem()))
              .isPresent();
    };
  }

  private static Name name(TestNaming naming, String stem) {
    return new Name(naming.extensions(), stem.toLowerCase(Locale.ROOT));
  }

  private static Optional<Name> subject(TestNaming naming, TestPath test) {
    return naming.subject(test.stem(), test.isAmongTests()).map(stem -> name(naming, stem));
  }

  private static List<TestPath> names(TestPath place) {
    return ENTRY_NAMES.contains(place.stem()) && !place.folders().isEmpty()
        ? List.of(place, place.asFolder())
        : List.of(place);
  }

  private static void match(List<TestPath> sources, List<TestPath> tests, List<Match> matches) {
    boolean many = sources.size() > NAMESAKES;
    Map<List<String>, List<TestPath>> beside =
        many ? sources.stream().collect(Collectors.groupingBy(TestPath::folders)) : Map.of();
    for (var test : tests) {
      var all = many ? beside.getOrDefault(test.folders(), List.of()) : sources;
      var near = all.subList(0, Math.min(all.size(), NAMESAKES));
      var candidates =
          near.stream().map(source -> match(source, test, sources.size() == 1)).toList();
      candidates.stream()
          .min(NEAREST)
          .filter(nearest -> nearest.distance() < UNRELATED)
          .ifPresent(
              nearest ->
                  candidates.stream()
                      .filter(match -> NEAREST.compare(match, nearest) == 0)
                      .forEach(matches::add));
    }
  }

  private static Match match(TestPath source, TestPath test, boolean only) {
    return new Match(source.path(), test.path(), distance(source, test, only), source.common(test));
  }

  /** How many folders one has more than the other, where they differ in nothing else. */
  private static int distance(TestPath source, TestPath test, boolean only) {
    boolean deeper = source.folders().size() > test.folders().size();
    var one = (deeper ? source : test).folders();
    var other = (deeper ? test : source).folders();
    int start = 0;
    while (start < other.size() && one.get(start).equals(other.get(start))) {
      start++;
    }
    int end = 0;
    while (end < other.size() - start
        && one.get(one.size() - 1 - end).equals(other.get(other.size() - 1 - end))) {
      end++;
    }
    if (start + end == other.size()) {
      return one.size() - other.size();
    }
    if (!source.packageFolders().isEmpty()
        && source.packageFolders().equals(test.packageFolders())) {
      return SAME_PACKAGE;
    }
    boolean project = start > 0 && !(start == 1 && PROJECTS.contains(one.getFirst()));
    return only && project && test.isAmongTests() ? ONLY_ONE : UNRELATED;
  }

  private static Map<String, List<String>> best(List<Match> matches) {
    return matches.stream()
        .sorted(NEAREST.thenComparing(Match::test))
        .collect(
            Collectors.groupingBy(
                Match::source,
                Collectors.mapping(
                    Match::test,
                    Collectors.collectingAndThen(
                        Collectors.toList(),
                        all -> all.stream().distinct().limit(MOST).toList()))));
  }
}
