package dev.flyball.review.symbol;

import dev.flyball.review.symbol.GrammarTables.NodeRule;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.treesitter.TSLanguage;
import org.treesitter.TSSymbolType;
import org.treesitter.TreeSitterC;
import org.treesitter.TreeSitterCSharp;
import org.treesitter.TreeSitterCpp;
import org.treesitter.TreeSitterGo;
import org.treesitter.TreeSitterJava;
import org.treesitter.TreeSitterJavascript;
import org.treesitter.TreeSitterKotlin;
import org.treesitter.TreeSitterPython;
import org.treesitter.TreeSitterRust;
import org.treesitter.TreeSitterTsx;
import org.treesitter.TreeSitterTypescript;

/** A language's grammar, with what its nodes and its words mean for an outline. */
final class Grammar {
  private static final Map<Language, Grammar> LOADED = new ConcurrentHashMap<>();

  /** Named like others in some grammars, and said by no declaration. */
  private static final Set<String> SPOKEN_FOR =
      Set.of("this", "super", "self", "true", "false", "null", "None", "True", "False", "nil");

  private final Language language;
  private final TSLanguage parser;
  private final @Nullable NodeRule[] rules;
  private final boolean[] named;
  private final Set<String> keywords = new HashSet<>(SPOKEN_FOR);
  private final Set<String> declaring;

  private Grammar(Language language) {
    this.language = language;
    parser = parser(language);
    declaring = declaring(language);
    Map<String, NodeRule> table = GrammarTables.of(language);
    Set<String> contextual = contextual(language);
    int count = parser.symbolCount();
    rules = new NodeRule[count];
    named = new boolean[count];
    for (int id = 0; id < count; id++) {
      String type = parser.symbolName(id);
      if (parser.symbolType(id) == TSSymbolType.TSSymbolTypeAnonymous) {
        if (!type.isEmpty()
            && type.chars().allMatch(c -> Lexer.wordly((char) c))
            && !contextual.contains(type)) {
          keywords.add(type);
        }
      } else {
        named[id] = true;
        rules[id] = table.get(type);
      }
    }
  }

  static Grammar of(Language language) {
    return LOADED.computeIfAbsent(language, Grammar::new);
  }

  Language language() {
    return language;
  }

  TSLanguage parser() {
    return parser;
  }

  @Nullable NodeRule rule(int id) {
    return id < rules.length ? rules[id] : new NodeRule.Enter();
  }

  boolean named(int id) {
    return id >= named.length || named[id];
  }

  boolean keyword(String word) {
    return keywords.contains(word);
  }

  /** Where this word is, a symbol may be declared in the middle of statements. */
  boolean declaring(String word) {
    return declaring.contains(word);
  }

  private static Set<String> declaring(Language language) {
    return switch (language) {
      case JAVA -> Set.of("class", "record", "interface", "enum");
      case PYTHON -> Set.of("def", "class");
      case JAVASCRIPT, TYPESCRIPT, TSX ->
          Set.of("function", "class", "=>", "interface", "enum", "namespace", "module");
      case GO -> Set.of("type");
      case RUST -> Set.of("fn", "struct", "enum", "trait", "impl", "mod");
      case C -> Set.of("struct", "union", "enum");
      case CPP -> Set.of("struct", "union", "enum", "class");
      case C_SHARP -> Set.of("class", "struct", "record", "interface", "enum");
      case KOTLIN -> Set.of("class", "fun", "object", "interface");
    };
  }

  /** Keywords in some places only, and everywhere else names like others. */
  private static Set<String> contextual(Language language) {
    String words =
        switch (language) {
          case JAVA ->
              "record sealed permits when with to open opens exports module requires provides uses"
                  + " transitive yield";
          case PYTHON -> "match case type print exec _";
          case JAVASCRIPT, TYPESCRIPT, TSX, GO, RUST, C, CPP, C_SHARP, KOTLIN ->
              "abstract accessor actual any as asserts async await boolean by companion constructor"
                  + " data declare delegate expect exports field file from get global infer init"
                  + " inner internal is keyof let meta module namespace never number object of open"
                  + " operator out override param property readonly receiver record require"
                  + " satisfies set string symbol target type undefined union unique unknown using"
                  + " value when where with";
        };
    return Set.of(words.split(" "));
  }

  private static TSLanguage parser(Language language) {
    return switch (language) {
      case JAVA -> new TreeSitterJava();
      case PYTHON -> new TreeSitterPython();
      case JAVASCRIPT -> new TreeSitterJavascript();
      case TYPESCRIPT -> new TreeSitterTypescript();
      case TSX -> new TreeSitterTsx();
      case GO -> new TreeSitterGo();
      case RUST -> new TreeSitterRust();
      case C -> new TreeSitterC();
      case CPP -> new TreeSitterCpp();
      case C_SHARP -> new TreeSitterCSharp();
      case KOTLIN -> new TreeSitterKotlin();
    };
  }
}
