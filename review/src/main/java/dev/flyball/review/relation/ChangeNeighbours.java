package dev.flyball.review.relation;

import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.Symbol;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The code around a change that a reader would look up: where what it calls is defined, and who
 * calls what it changes. Names are all that it goes by, so a name that is in many files, or
 * declared in many, is left out: it would say little.
 */
public final class ChangeNeighbours {
  private static final int MOST_WORDS = 30;
  private static final int MOST_FILES_OF_A_NAME = 40;
  private static final int MOST_DECLARATIONS = 3;
  private static final int CALLERS_SHOWN = 3;
  private static final int CALLERS_NAMED = 8;
  private static final int LINES_BEFORE = 2;
  private static final int LINES_AFTER = 4;
  private static final int LINES_OF_A_DEFINITION = 15;
  private static final int SHORTEST = 3;
  private static final Pattern CALLED = Pattern.compile("\\b([A-Za-z_$][\\w$]{2,})\\s*\\(");
  private static final Pattern TYPED = Pattern.compile("\\b([A-Z][a-z][\\w$]*)\\b");
  private static final Set<String> EVERYWHERE =
      Set.of(
          "main",
          "get",
          "set",
          "run",
          "init",
          "__init__",
          "new",
          "test",
          "equals",
          "hashCode",
          "toString",
          "close",
          "name",
          "value",
          "if",
          "for",
          "while",
          "switch",
          "catch",
          "return",
          "function",
          "super",
          "assert",
          "require",
          "import",
          "String",
          "List",
          "Map",
          "Optional",
          "Object",
          "Error",
          "Promise",
          "print",
          "println",
          "len",
          "append",
          "describe",
          "expect");

  /** A changed file: what it declares, and its lines that changed, with what they say now. */
  public record ChangedFile(Outline outline, Map<Integer, String> lines) {}

  /** A line of a file that has a word. */
  public record Mention(String path, int line, String text) {}

  /** Some lines of another file that are worth showing. */
  public record Spot(String path, int line, int endLine) {}

  /**
   * The surroundings of one changed file.
   *
   * @param callers who calls what changed, a line for each symbol
   */
  public record Surroundings(List<Spot> definitions, List<Spot> uses, String callers) {}

  /** The finder of all lines of the repository, as it is after the change, that have some words. */
  @FunctionalInterface
  public interface MentionSearch {
    List<Mention> of(List<String> words);
  }

  private final Map<String, ChangedFile> changed;
  private final Function<String, Optional<Outline>> outlines;
  private final Map<String, Set<String>> changedNames = new TreeMap<>();
  private final Map<String, Set<String>> calledNames = new TreeMap<>();
  private final Map<String, List<Mention>> mentions = new HashMap<>();

  private ChangeNeighbours(
      Map<String, ChangedFile> changed, Function<String, Optional<Outline>> outlines) {
    this.changed = changed;
    this.outlines = outlines;
  }

  /**
   * Of the files of a change, by path.
   *
   * @param outlines of other files; empty for those that cannot be shown
   */
  public static Map<String, Surroundings> of(
      Map<String, ChangedFile> changed,
      MentionSearch search,
      Function<String, Optional<Outline>> outlines) {
    var neighbours = new ChangeNeighbours(changed, outlines);
    neighbours.search(search);
    var all = new TreeMap<String, Surroundings>();
    changed.keySet().forEach(path -> all.put(path, neighbours.around(path)));
    return all;
  }

  private void search(MentionSearch search) {
    var words = new LinkedHashSet<String>();
    changed.forEach((path, file) -> changedNames.put(path, changedNames(file)));
    changed.forEach((path, file) -> calledNames.put(path, calledNames(file)));
    changedNames.values().forEach(names -> names.stream().limit(MOST_WORDS).forEach(words::add));
    calledNames.values().forEach(names -> names.stream().limit(MOST_WORDS).forEach(words::add));
    var some = words.stream().limit(8L * MOST_WORDS).toList();
    if (some.isEmpty()) {
      return;
    }
    var patterns = new LinkedHashMap<String, Pattern>();
    some.forEach(
        word ->
            patterns.put(
                word, Pattern.compile("(?<![\\w$])" + Pattern.quote(word) + "(?![\\w$])")));
    for (var mention : search.of(some)) {
      patterns.forEach(
          (word, pattern) -> {
            if (mention.text().contains(word) && pattern.matcher(mention.text()).find()) {
              mentions.computeIfAbsent(word, it -> new ArrayList<>()).add(mention);
            }
          });
    }
  }

  /** The names of the functions and types that have changed lines. */
  private static Set<String> changedNames(ChangedFile file) {
    var names = new LinkedHashSet<String>();
    for (int line : file.lines().keySet()) {
      file.outline()
          .enclosing(line)
          .map(Symbol::name)
          .filter(ChangeNeighbours::isTelling)
          .ifPresent(names::add);
    }
    return names;
  }

  /** The names that changed lines call or speak of, and that the file does not declare. */
  private static Set<String> calledNames(ChangedFile file) {
    var own = new HashSet<String>();
    file.outline().symbols().forEach(symbol -> own.add(symbol.name()));
    var names = new LinkedHashSet<String>();
    for (var text : file.lines().values()) {
      for (var pattern : List.of(CALLED, TYPED)) {
        pattern
            .matcher(text)
            .results()
            .map(found -> found.group(1))
            .filter(name -> isTelling(name) && !own.contains(name))
            .forEach(names::add);
      }
    }
    return names;
  }

  private static boolean isTelling(String name) {
    return name.length() >= SHORTEST
        && !EVERYWHERE.contains(name)
        && !name.startsWith("test")
        && name.chars().allMatch(it -> it == '_' || it == '$' || Character.isLetterOrDigit(it));
  }

  private Surroundings around(String path) {
    var definitions = new ArrayList<Spot>();
    for (var name : calledNames.getOrDefault(path, Set.of())) {
      definitions.addAll(definitions(name, path));
    }
    var uses = new ArrayList<Spot>();
    var callers = new StringBuilder();
    for (var name : changedNames.getOrDefault(path, Set.of())) {
      var found = callers(name, path);
      found.stream()
          .limit(CALLERS_SHOWN)
          .forEach(
              use ->
                  uses.add(
                      new Spot(
                          use.path(),
                          Math.max(1, use.line() - LINES_BEFORE),
                          use.line() + LINES_AFTER)));
      if (!found.isEmpty()) {
        callers.append(name).append(" is used in ");
        callers.append(
            String.join(
                ", ",
                found.stream()
                    .limit(CALLERS_NAMED)
                    .map(use -> use.path() + ":" + use.line())
                    .toList()));
        callers.append(found.size() > CALLERS_NAMED ? " and elsewhere\n" : "\n");
      }
    }
    return new Surroundings(definitions, uses, callers.toString());
  }

  private List<Spot> definitions(String name, String from) {
    var paths =
        mentions.getOrDefault(name, List.of()).stream().map(Mention::path).distinct().toList();
    if (paths.isEmpty() || paths.size() > MOST_FILES_OF_A_NAME) {
      return List.of();
    }
    var found = new ArrayList<Spot>();
    for (var path : paths) {
      if (path.equals(from)) {
        continue;
      }
      outlines.apply(path).stream()
          .flatMap(outline -> outline.symbols().stream())
          .filter(symbol -> symbol.name().equals(name))
          .filter(symbol -> symbol.kind().runs() || symbol.kind().holds())
          .forEach(
              symbol ->
                  found.add(
                      new Spot(
                          path,
                          symbol.line(),
                          Math.min(symbol.endLine(), symbol.line() + LINES_OF_A_DEFINITION - 1))));
    }
    return found.size() > MOST_DECLARATIONS ? List.of() : found;
  }

  /** The nearest by their folders first. */
  private List<Mention> callers(String name, String from) {
    var all = mentions.getOrDefault(name, List.of());
    if (all.stream().map(Mention::path).distinct().count() > MOST_FILES_OF_A_NAME) {
      return List.of();
    }
    return all.stream()
        .filter(use -> !use.path().equals(from))
        .filter(use -> !isChanged(use))
        .filter(use -> outlines.apply(use.path()).isPresent())
        .sorted(
            Comparator.comparing((Mention use) -> TestsOf.isTest(use.path()))
                .thenComparingInt(use -> -common(use.path(), from))
                .thenComparing(Mention::path)
                .thenComparingInt(Mention::line))
        .toList();
  }

  private boolean isChanged(Mention use) {
    var file = changed.get(use.path());
    return file != null && file.lines().containsKey(use.line());
  }

  private static int common(String one, String other) {
    int at = 0;
    int folders = 0;
    while (at < Math.min(one.length(), other.length()) && one.charAt(at) == other.charAt(at)) {
      folders += one.charAt(at) == '/' ? 1 : 0;
      at++;
    }
    return folders;
  }
}
