package dev.flyball.review.relation;

import dev.flyball.review.symbol.Symbol;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The names that a changed file is about: what it changes or takes away, and what it calls. */
final class ChangedNames {
  private static final int SHORTEST = 3;
  private static final int LONG_NAME = 10;
  private static final Pattern CALLED =
      Pattern.compile(
          "(?:(?<![\\w$])([A-Za-z_$][\\w$]*+)\\s*+(?:\\?\\.|\\.|::|->)\\s*+|(?<![.\\w$>:]))"
              + "([A-Za-z_$][\\w$]{2,}+)\\s*+\\(");
  private static final Pattern TYPED = Pattern.compile("(?<![.\\w$])([A-Z][a-z][\\w$]*+)");
  private static final Pattern DECLARED =
      Pattern.compile(
          "^\\W*+(?:[a-z]++\\s++){0,4}?(?:def|function|func|fn|fun|class|interface|struct|enum|trait)"
              + "\\*?\\s++(?:\\([^)]*+\\)\\s*+)?([A-Za-z_$][\\w$]{2,}+)");
  private static final Pattern TAKING =
      Pattern.compile("^\\s*+(?:import|from|use|using|export)\\b");
  private static final Pattern COMPOUND = Pattern.compile("[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]");
  private static final Set<String> EVERYWHERE =
      Set.of(
          "main",
          "get",
          "set",
          "run",
          "init",
          "__init__",
          "constructor",
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

  private ChangedNames() {}

  /** A name that a change is about, and what is known of it. */
  record Subject(String name, Optional<Symbol> symbol) {
    String owner() {
      return symbol.map(it -> NameUses.last(it.owner())).orElse("");
    }
  }

  /** The functions and types that have changed lines, and those that are gone. */
  static List<Subject> subjects(ChangeNeighbours.ChangedFile file) {
    var all = new LinkedHashMap<String, Subject>();
    for (int line : file.lines().keySet()) {
      file.outline()
          .enclosing(line)
          .filter(symbol -> isTelling(symbol.name()))
          .ifPresent(it -> all.putIfAbsent(it.name(), new Subject(it.name(), Optional.of(it))));
    }
    for (var text : file.gone()) {
      var found = DECLARED.matcher(text);
      if (found.find() && isTelling(found.group(1)) && !isThere(found.group(1), file)) {
        all.putIfAbsent(found.group(1), new Subject(found.group(1), Optional.empty()));
      }
    }
    return List.copyOf(all.values());
  }

  /** The names that changed lines call or speak of, and what stands before the point there. */
  static Map<String, Set<String>> called(ChangeNeighbours.ChangedFile file) {
    var own = new LinkedHashSet<String>();
    file.outline().symbols().forEach(symbol -> own.add(symbol.name()));
    var names = new LinkedHashMap<String, Set<String>>();
    for (var text : file.lines().values()) {
      if (TAKING.matcher(text).find()) {
        continue;
      }
      CALLED
          .matcher(text)
          .results()
          .filter(found -> isTelling(found.group(2)) && !own.contains(found.group(2)))
          .forEach(
              found ->
                  names
                      .computeIfAbsent(found.group(2), name -> new LinkedHashSet<>())
                      .add(found.group(1) == null ? "" : found.group(1)));
      TYPED
          .matcher(text)
          .results()
          .map(found -> found.group(1))
          .filter(name -> isTelling(name) && !own.contains(name))
          .forEach(name -> names.computeIfAbsent(name, it -> new LinkedHashSet<>()).add(""));
    }
    return names;
  }

  private static boolean isThere(String name, ChangeNeighbours.ChangedFile file) {
    return file.outline().symbols().stream().anyMatch(it -> it.name().equals(name))
        || file.lines().values().stream()
            .map(DECLARED::matcher)
            .anyMatch(found -> found.find() && found.group(1).equals(name));
  }

  /** What a file declares otherwise than before, or no more. */
  static Set<String> signatures(ChangeNeighbours.ChangedFile file) {
    var names = new LinkedHashSet<String>();
    for (var subject : subjects(file)) {
      boolean said =
          subject.symbol().isEmpty()
              || file.gone().stream().anyMatch(line -> declares(line, subject))
              || file.lines().values().stream().anyMatch(line -> declares(line, subject));
      if (said) {
        names.add(subject.name());
      }
    }
    file.gone().stream()
        .map(DECLARED::matcher)
        .filter(found -> found.find() && isTelling(found.group(1)))
        .forEach(found -> names.add(found.group(1)));
    return names;
  }

  /** Whether a line may be one of those that declare it: no mere call. */
  private static boolean declares(String line, Subject subject) {
    int at = line.indexOf(subject.name());
    return at >= 0
        && (at == 0 || line.charAt(at - 1) != '.')
        && subject
            .symbol()
            .map(symbol -> DECLARED.matcher(line).find() || symbol.kind().runs())
            .orElse(true);
  }

  private static boolean isTelling(String name) {
    return name.length() >= SHORTEST
        && !EVERYWHERE.contains(name)
        && !name.startsWith("test")
        && name.chars().allMatch(it -> it == '_' || it == '$' || Character.isLetterOrDigit(it));
  }

  /** Whether a name is made so that hardly two things have it by chance. */
  static boolean isDistinct(String name) {
    return COMPOUND.matcher(name).find() || name.length() >= LONG_NAME;
  }
}
