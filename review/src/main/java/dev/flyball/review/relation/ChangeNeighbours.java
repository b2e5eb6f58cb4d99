package dev.flyball.review.relation;

import dev.flyball.review.relation.NameUses.NameUse;
import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.Symbol;
import dev.flyball.review.symbol.SymbolKind;
import java.util.ArrayList;
import java.util.Collections;
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
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The code around a change that a reader would look up: where what it calls is defined, and who
 * uses what it changes or takes away.
 *
 * <p>Names are all that it goes by, so it is careful with them. Only code counts, not comments,
 * strings or prose. A name that could be anybody's, such as {@code read} or {@code body}, is
 * believed after a point only where the file that has it also takes something from the other file,
 * or names the type that it belongs to. Where a name is declared in many places, or used in very
 * many, nothing is said: a wrong caller misleads more than a missing one.
 *
 * <p>Long because definitions and callers are believed by the same rules about names.
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
  private static final int MOST_FILES = 150;
  private static final Pattern WORDS = Pattern.compile("[^\\p{L}\\p{N}_$]+");
  private static final Set<String> ITSELF = Set.of("this", "self", "super", "cls", "base");

  /**
   * A changed file.
   *
   * @param outline what it declares now
   * @param lines those that changed, with what they say now; nothing where lines are gone
   * @param gone what lines said that are gone
   */
  public record ChangedFile(Outline outline, Map<Integer, String> lines, List<String> gone) {
    public ChangedFile {
      gone = List.copyOf(gone);
    }
  }

  /** A file as it is after the change, as far as it may be shown. */
  public record ReadFile(Outline outline, String text) {}

  /** Some lines of another file that are worth showing. */
  public record Spot(String path, int line, int endLine) {}

  /**
   * The surroundings of one changed file.
   *
   * @param callers who uses what changed, a line for each symbol
   */
  public record Surroundings(List<Spot> definitions, List<Spot> uses, String callers) {}

  /** A line of a file that has a word. */
  public record Mention(String path, String text) {}

  /** The finder of all lines of the repository, as it is after the change, that have some words. */
  @FunctionalInterface
  public interface MentionSearch {
    List<Mention> of(List<String> words);
  }

  /** A use in another file. */
  private record Use(String path, NameUse at) {}

  private final Map<String, ChangedFile> changed;
  private final Function<String, Optional<ReadFile>> files;
  private final Map<String, List<ChangedNames.Subject>> subjects = new TreeMap<>();
  private final Map<String, Map<String, Set<String>>> called = new TreeMap<>();
  private final Map<String, List<Use>> uses = new HashMap<>();
  private final Map<String, Outline> read = new TreeMap<>();

  private ChangeNeighbours(
      Map<String, ChangedFile> changed, Function<String, Optional<ReadFile>> files) {
    this.changed = changed;
    this.files = files;
  }

  /**
   * Of the files of a change, by path.
   *
   * @param files those that are not, or not only, changed; empty for those that cannot be shown
   */
  public static Map<String, Surroundings> of(
      Map<String, ChangedFile> changed,
      MentionSearch search,
      Function<String, Optional<ReadFile>> files) {
    var neighbours = new ChangeNeighbours(changed, files);
    neighbours.search(search);
    var all = new TreeMap<String, Surroundings>();
    changed.keySet().forEach(path -> all.put(path, neighbours.around(path)));
    return all;
  }

  /** The names of functions and types that a change declares otherwise, or takes away; no tests. */
  public static Set<String> signatures(Map<String, ChangedFile> changed) {
    var names = new TreeSet<String>();
    changed.forEach(
        (path, file) -> {
          if (Language.of(path).isPresent() && !TestsOf.isTest(path)) {
            names.addAll(ChangedNames.signatures(file));
          }
        });
    return names;
  }

  /** Whether a name is made so that hardly two things have it by chance. */
  public static boolean isDistinct(String name) {
    return ChangedNames.isDistinct(name);
  }

  private void search(MentionSearch search) {
    var words = new LinkedHashSet<String>();
    changed.forEach(
        (path, file) -> {
          if (isSpeakable(path) && Language.of(path).isPresent()) {
            subjects.put(path, ChangedNames.subjects(file));
            called.put(path, ChangedNames.called(file));
          }
        });
    subjects
        .values()
        .forEach(it -> it.stream().limit(MOST_WORDS).forEach(s -> words.add(s.name())));
    called.values().forEach(it -> it.keySet().stream().limit(MOST_WORDS).forEach(words::add));
    var some = new LinkedHashSet<>(words.stream().limit(8L * MOST_WORDS).toList());
    if (some.isEmpty()) {
      return;
    }
    for (var path : telling(some, search.of(List.copyOf(some)))) {
      var file = files.apply(path);
      if (file.isPresent()) {
        read.put(path, file.get().outline());
        NameUses.of(file.get().outline(), file.get().text(), some)
            .forEach(
                it ->
                    uses.computeIfAbsent(it.name(), name -> new ArrayList<>())
                        .add(new Use(path, it)));
      }
    }
  }

  /** Whether a name can be said in a line without making another of it. */
  private static boolean isSpeakable(String path) {
    return path.chars().noneMatch(it -> Character.isISOControl(it) || it == 0x2028 || it == 0x2029);
  }

  /** The source files that have a word which is not all over the place. */
  private static List<String> telling(Set<String> words, List<Mention> mentions) {
    Map<String, Set<String>> having = new LinkedHashMap<>();
    for (var mention : mentions) {
      if (isSpeakable(mention.path()) && Language.of(mention.path()).isPresent()) {
        for (var word : WORDS.split(mention.text(), -1)) {
          if (words.contains(word)) {
            having.computeIfAbsent(word, it -> new LinkedHashSet<>()).add(mention.path());
          }
        }
      }
    }
    return having.values().stream()
        .filter(paths -> paths.size() <= 2 * MOST_FILES_OF_A_NAME)
        .sorted(Comparator.comparingInt(Set::size))
        .flatMap(Set::stream)
        .distinct()
        .limit(MOST_FILES)
        .toList();
  }

  private Surroundings around(String path) {
    var definitions = new ArrayList<Spot>();
    called
        .getOrDefault(path, Map.of())
        .forEach((name, before) -> definitions.addAll(definitions(name, before, path)));
    var spots = new ArrayList<Spot>();
    var callers = new StringBuilder();
    for (var subject : subjects.getOrDefault(path, List.of())) {
      var found = users(subject, path);
      found.stream()
          .filter(use -> use.at.called() || !use.at.taken())
          .limit(CALLERS_SHOWN)
          .forEach(
              use ->
                  spots.add(
                      new Spot(
                          use.path,
                          Math.max(1, use.at.line() - LINES_BEFORE),
                          use.at.line() + LINES_AFTER)));
      if (!found.isEmpty()) {
        callers.append(subject.name());
        callers.append(subject.symbol().isPresent() ? "" : ", which is gone from " + path + ",");
        callers.append(" is used in ");
        callers.append(
            String.join(
                ", ",
                found.stream()
                    .map(use -> use.path + ":" + use.at.line())
                    .distinct()
                    .limit(CALLERS_NAMED)
                    .toList()));
        callers.append(found.size() > CALLERS_NAMED ? " and elsewhere\n" : "\n");
      }
    }
    return new Surroundings(definitions, spots, callers.toString());
  }

  private List<Spot> definitions(String name, Set<String> before, String from) {
    var found = new ArrayList<Spot>();
    read.forEach(
        (path, outline) -> {
          if (!path.equals(from)) {
            outline.symbols().stream()
                .filter(symbol -> symbol.name().equals(name))
                .filter(symbol -> symbol.kind().holds() || isWorthShowing(symbol, path, from))
                .filter(symbol -> before.stream().anyMatch(it -> means(it, symbol, path, from)))
                .forEach(
                    symbol ->
                        found.add(
                            new Spot(
                                path,
                                symbol.line(),
                                Math.min(
                                    symbol.endLine(), symbol.line() + LINES_OF_A_DEFINITION - 1))));
          }
        });
    return found.size() > MOST_DECLARATIONS ? List.of() : found;
  }

  /** A function of one line says nothing, and what tests make up is for tests. */
  private static boolean isWorthShowing(Symbol symbol, String path, String from) {
    return symbol.kind().runs()
        && symbol.endLine() > symbol.line()
        && (TestsOf.isTest(from) || !TestsOf.isTest(path));
  }

  /** Whether a call in one file, with something before the point, may be of what another has. */
  private boolean means(String before, Symbol symbol, String path, String from) {
    var owner = NameUses.last(symbol.owner());
    boolean near = isNear(from, path, owner);
    if (before.isEmpty()) {
      if (symbol.kind().holds()) {
        return near || !takesElsewhere(from, symbol.name(), path);
      }
      boolean plain = symbol.kind() == SymbolKind.FUNCTION && owner.isEmpty();
      return plain ? near || !takes(from, symbol.name()) : near && isTogether(from, path);
    }
    if (before.equalsIgnoreCase(owner) || before.equals(stem(path))) {
      return true;
    }
    boolean another = Character.isUpperCase(before.charAt(0));
    return !another
        && (near || (ChangedNames.isDistinct(symbol.name()) && !ITSELF.contains(before)));
  }

  /** Those that are no wild guess, code before tests, calls before the rest, the nearest first. */
  private List<Use> users(ChangedNames.Subject subject, String from) {
    var all = uses.getOrDefault(subject.name(), List.of());
    if (all.stream().map(use -> use.path).distinct().count() > MOST_FILES_OF_A_NAME) {
      return List.of();
    }
    long others =
        read.entrySet().stream()
            .filter(file -> !file.getKey().equals(from))
            .flatMap(file -> file.getValue().symbols().stream())
            .filter(symbol -> symbol.name().equals(subject.name()))
            .filter(symbol -> symbol.kind().runs() || symbol.kind().holds())
            .count();
    return all.stream()
        .filter(use -> !use.path.equals(from) && !isChanged(use))
        .filter(use -> isOf(subject, use, from, others > 0))
        .sorted(
            Comparator.comparing((Use use) -> TestsOf.isTest(use.path))
                .thenComparing(use -> !use.at.called())
                .thenComparingInt(use -> -common(use.path, from))
                .thenComparing(use -> use.path)
                .thenComparingInt(use -> use.at.line()))
        .toList();
  }

  private boolean isOf(ChangedNames.Subject subject, Use use, String from, boolean ambiguous) {
    var before = use.at.qualifier();
    var owner = subject.owner();
    boolean near = isNear(use.path, from, owner);
    boolean type = subject.symbol().filter(it -> it.kind().holds()).isPresent();
    if (before.isEmpty()) {
      boolean own =
          Optional.ofNullable(read.get(use.path)).stream()
              .flatMap(outline -> outline.symbols().stream())
              .anyMatch(it -> it.name().equals(subject.name()) && it.owner().isEmpty());
      boolean member =
          !owner.isEmpty()
              || subject.symbol().filter(it -> it.kind() == SymbolKind.METHOD).isPresent();
      boolean alone = !member || isTogether(use.path, from);
      boolean certain =
          near
              || (!ambiguous
                  && (ChangedNames.isDistinct(subject.name()) || !binds(use.path, subject.name())));
      return !own && alone && certain && (use.at.called() || use.at.taken() || type);
    }
    if (before.equalsIgnoreCase(owner) || before.equals(stem(from))) {
      return true;
    }
    boolean certain =
        ChangedNames.isDistinct(subject.name()) ? near || !ambiguous : near && !ambiguous;
    return certain && !(Character.isUpperCase(before.charAt(0)) && !owner.isEmpty());
  }

  /**
   * Whether a file takes something from another, names its type, or lies beside it in one space.
   */
  private boolean isNear(String path, String other, String owner) {
    var stem = stem(other);
    return isTogether(path, other)
        || outline(path).stream()
            .anyMatch(
                outline ->
                    outline.imports().stream()
                            .anyMatch(
                                it -> stem(it.module()).equals(stem) || it.names().contains(stem))
                        || (!owner.isEmpty()
                            && Collections.binarySearch(outline.names(), owner) >= 0));
  }

  /** Whether a file does more with a name than to call it, as if it were one of its own. */
  private boolean binds(String path, String name) {
    return uses.getOrDefault(name, List.of()).stream()
        .anyMatch(use -> use.path.equals(path) && use.at.qualifier().isEmpty() && !use.at.called());
  }

  /** Whether a file takes a name from elsewhere. */
  private boolean takes(String path, String name) {
    return outline(path).stream()
        .flatMap(outline -> outline.imports().stream())
        .anyMatch(it -> it.names().contains(name));
  }

  /** Whether a file takes a name from what cannot be another file, nor a folder that it is in. */
  private boolean takesElsewhere(String path, String name, String other) {
    var places = new HashSet<>(List.of(other.split("/", -1)));
    places.add(stem(other));
    return outline(path).stream()
        .flatMap(outline -> outline.imports().stream())
        .filter(it -> it.names().contains(name))
        .anyMatch(it -> !places.contains(stem(it.module())));
  }

  private Optional<Outline> outline(String path) {
    return Optional.ofNullable(read.get(path))
        .or(() -> Optional.ofNullable(changed.get(path)).map(ChangedFile::outline));
  }

  /** Whether two files of one folder see each other without a word. */
  private static boolean isTogether(String path, String other) {
    return folder(path).equals(folder(other))
        && Language.of(path)
            .filter(
                it ->
                    it == Language.JAVA
                        || it == Language.GO
                        || it == Language.KOTLIN
                        || it == Language.C_SHARP)
            .isPresent();
  }

  private static String folder(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  /** What a file is called by those who take something from it. */
  private static String stem(String path) {
    var file = path.substring(path.lastIndexOf('/') + 1);
    boolean named = Language.of(file).isPresent();
    var stem = named ? file.substring(0, file.lastIndexOf('.')) : NameUses.last(path);
    boolean folder = stem.equals("index") || stem.equals("__init__") || stem.equals("mod");
    return folder && path.contains("/") ? NameUses.last(folder(path)) : stem;
  }

  private boolean isChanged(Use use) {
    var file = changed.get(use.path);
    return file != null && file.lines().containsKey(use.at.line());
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
