package dev.flyball.review.relation;

import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.ParseQuality;
import dev.flyball.review.symbol.Symbol;
import dev.flyball.review.symbol.SymbolKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The uses of symbols, by the names that files mention. It says that nobody does only where the
 * rules of the language leave no other way; a use that it sees may be of something else of the same
 * name.
 */
public final class References {
  /** So many files are named as users. */
  public static final int MOST_NAMED = 20;

  private static final Set<String> CALLED_BY_THE_PLATFORM =
      Set.of(
          "main",
          "readObject",
          "writeObject",
          "readObjectNoData",
          "readResolve",
          "writeReplace",
          "serialVersionUID",
          "serialPersistentFields",
          "$VALUES",
          "_");

  private static final Set<String> CONSTRUCTORS = Set.of("__init__", "__new__", "constructor");

  private static final List<String> LOOKS_UP_BY_NAME =
      List.of("getattr", "globals", "locals", "vars", "eval", "exec", "dir", "__dict__");

  private final Map<String, Outline> outlines;

  /** Of each name that is declared somewhere, the files that mention it, sorted. */
  private final Map<String, List<String>> mentions = new HashMap<>();

  /** The names of members that several types have. */
  private final Set<String> shared = new HashSet<>();

  private final Set<String> quoted = new HashSet<>();

  private References(Map<String, Outline> outlines) {
    this.outlines = new TreeMap<>(outlines);
    Map<String, String> owners = new HashMap<>();
    for (Outline outline : outlines.values()) {
      for (Symbol symbol : outline.symbols()) {
        mentions.put(symbol.name(), new ArrayList<>());
        var before = owners.putIfAbsent(symbol.name(), symbol.owner());
        if (before != null && !before.equals(symbol.owner())) {
          shared.add(symbol.name());
        }
      }
    }
    this.outlines.forEach(
        (path, outline) -> {
          for (String name : outline.names()) {
            List<String> files = mentions.get(name);
            if (files != null) {
              files.add(path);
            }
          }
          for (String word : outline.quoted()) {
            if (mentions.containsKey(word) || word.startsWith("_")) {
              quoted.add(word);
            }
          }
        });
  }

  public static References of(Map<String, Outline> outlines) {
    return new References(outlines);
  }

  /** The answer to whether a symbol is used. */
  public sealed interface Answer {
    /** By these files, of so many, which mention its name; its own may be among them. */
    record Used(List<String> by, int total) implements Answer {
      public Used {
        by = List.copyOf(by);
      }
    }

    /** For certain. */
    record Unused(String why) implements Answer {}

    record Unknown(String why) implements Answer {}
  }

  public Answer answer(String path, Symbol symbol) {
    Outline outline = outlines.get(path);
    if (outline == null) {
      return new Answer.Unknown("%s was not read".formatted(path));
    }
    Optional<Language> language = outline.language();
    if (language.isEmpty() || !followed(language.get())) {
      return new Answer.Unknown(
          "usage is not followed in %s"
              .formatted(language.map(Language::title).orElse("files without a grammar")));
    }
    List<String> users = users(path, outline, symbol, language.get());
    if (!users.isEmpty()) {
      var own = users.stream().filter(user -> mayMean(user, path, symbol)).toList();
      return own.isEmpty()
          ? new Answer.Unknown("what is used is a name that several types declare")
          : new Answer.Used(own.subList(0, Math.min(MOST_NAMED, own.size())), own.size());
    }
    return doubt(path, outline, symbol, language.get())
        .<Answer>map(Answer.Unknown::new)
        .orElseGet(() -> new Answer.Unused(certainty(language.get())));
  }

  /**
   * Whether a file that mentions a name may mean this one. A member that other types have too is
   * used by its own file and by those that name its type; a constructor by the latter.
   */
  private boolean mayMean(String user, String path, Symbol symbol) {
    var owner = NameUses.last(symbol.owner());
    boolean constructs =
        symbol.kind() == SymbolKind.CONSTRUCTOR || CONSTRUCTORS.contains(symbol.name());
    if (owner.isEmpty() || (!constructs && !shared.contains(symbol.name()))) {
      return true;
    }
    var outline = outlines.get(user);
    return (!constructs && user.equals(path)) || (outline != null && mentioned(outline, owner));
  }

  private static boolean followed(Language language) {
    return language == Language.JAVA || language == Language.PYTHON || language.isScript();
  }

  private static String certainty(Language language) {
    return language == Language.PYTHON
        ? "private by its name, and no file mentions it"
        : "only its own file can use it, and that does not mention it";
  }

  private List<String> users(String path, Outline outline, Symbol symbol, Language language) {
    if (symbol.hidden() && language != Language.PYTHON) {
      return Collections.binarySearch(outline.names(), symbol.name()) < 0
          ? List.of()
          : List.of(path);
    }
    return mentions.getOrDefault(symbol.name(), List.of());
  }

  /** Why a symbol that nobody mentions may be used all the same. */
  private Optional<String> doubt(String path, Outline outline, Symbol symbol, Language language) {
    String name = symbol.name();
    if (outline.reading() != ParseQuality.PARSED) {
      return Optional.of("its file could not be read in full");
    } else if (symbol.exported()) {
      return Optional.of("others may use what is exported");
    } else if (!symbol.hidden()) {
      return Optional.of("it can be seen from outside of its file");
    } else if (symbol.annotated()) {
      return Optional.of("it is annotated, so a framework may use it");
    } else if (CALLED_BY_THE_PLATFORM.contains(name) || symbol.kind() == SymbolKind.CONSTRUCTOR) {
      return Optional.of("the platform may call it");
    } else if (symbol.kind() == SymbolKind.VARIABLE && language == Language.JAVA) {
      return Optional.of("a field may be filled or read by reflection");
    } else if (quoted.contains(name)) {
      return Optional.of("its name is in a string, so it may be looked up");
    } else if (namesake(outline, symbol)) {
      return Optional.of("a symbol of the same name is used by others");
    } else if (language.isScript() && (name.startsWith("_") || path.contains(".d."))) {
      return Optional.of("it says itself that it is for others or for nobody");
    } else if (mentioned(outline, "eval")
        || (language == Language.PYTHON && found(outline, name))) {
      return Optional.of("its file looks things up by name");
    }
    return Optional.empty();
  }

  private static boolean namesake(Outline outline, Symbol symbol) {
    return outline.symbols().stream()
        .anyMatch(
            other -> other.name().equals(symbol.name()) && (other.exported() || other.annotated()));
  }

  /** Names that are put together at run time have their beginning or their end in a string. */
  private boolean found(Outline outline, String name) {
    return LOOKS_UP_BY_NAME.stream().anyMatch(word -> mentioned(outline, word))
        || quoted.stream()
            .anyMatch(part -> part.length() > 1 && (name.startsWith(part) || name.endsWith(part)));
  }

  private static boolean mentioned(Outline outline, String word) {
    return Collections.binarySearch(outline.names(), word) >= 0;
  }
}
