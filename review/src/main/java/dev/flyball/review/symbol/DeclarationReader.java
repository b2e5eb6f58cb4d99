package dev.flyball.review.symbol;

import dev.flyball.review.symbol.GrammarTables.NodeRule;
import dev.flyball.review.symbol.ScriptExports.BoundName;
import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.treesitter.TSNode;

/** Turns the nodes that declare something into symbols. */
final class DeclarationReader {
  /** More tokens are looked at by nobody, and nested they would be looked at again and again. */
  private static final int LONGEST_SKETCHED = 5_000;

  private static final Pattern CONSTANT = Pattern.compile("_?\\p{Lu}[\\p{Lu}\\d_]*");
  private static final Set<String> FUNCTIONS =
      Set.of("arrow_function", "function_expression", "generator_function", "function");
  private static final Set<String> NEED_A_BODY =
      Set.of("struct_specifier", "union_specifier", "enum_specifier", "class_specifier");

  private final String text;
  private final Grammar grammar;
  private final Language language;
  private final SyntaxTokens tokens;
  private final LineStarts lines;
  private final Optional<Set<String>> exports;
  private final List<Symbol> symbols = new ArrayList<>();
  private final BitSet names = new BitSet();

  /** The names of properties that functions are bound to: whoever says them may mean another. */
  private final BitSet bindings = new BitSet();

  DeclarationReader(String text, Grammar grammar, SyntaxTokens tokens, LineStarts lines) {
    this.text = text;
    this.grammar = grammar;
    this.tokens = tokens;
    this.lines = lines;
    language = grammar.language();
    exports = language.isScript() ? ScriptExports.of(tokens) : Optional.empty();
  }

  /** A symbol that was noted: where its name begins, where it ends, and what is inside of it. */
  record Declared(int name, int end, DeclarationScope inside) {}

  List<Symbol> symbols() {
    return symbols;
  }

  /** The offsets of the names of all symbols. */
  BitSet names() {
    return names;
  }

  /** The scope inside of an addition to a type. */
  DeclarationScope extended(TSNode node, String field, DeclarationScope scope) {
    TSNode type = node.getChildByFieldName(field);
    String name = type.isNull() ? "" : text.substring(SyntaxTree.start(type), SyntaxTree.end(type));
    int generic = name.indexOf('<');
    name = generic < 0 ? name : name.substring(0, generic);
    name = name.substring(name.lastIndexOf(':') + 1).strip();
    return scope.inside(name.isEmpty() ? "impl" : name, Optional.of(SymbolKind.TYPE), false);
  }

  Optional<Declared> declare(
      NodeRule.Declares rule, TSNode node, DeclarationScope scope, int lead, boolean dug) {
    @Nullable TSNode named = name(node, rule);
    if (named == null || (NEED_A_BODY.contains(node.getType()) && lacks(node, "body"))) {
      return Optional.empty();
    }
    int nameStart = SyntaxTree.start(named);
    String name = text.substring(nameStart, SyntaxTree.end(named));
    DeclarationScope around = scope;
    int colons = name.lastIndexOf("::");
    if (colons > 0) {
      around = scope.inside(name.substring(0, colons), Optional.of(SymbolKind.CLASS), false);
      name = name.substring(colons + 2);
    }
    if (!sayable(name) || names.get(nameStart)) {
      return Optional.empty();
    }
    int start = SyntaxTree.start(node);
    int end = SyntaxTree.end(node);
    int first = lead < 0 ? start : lead;
    var header = new DeclarationHeader(tokens, first, nameStart);
    if (language == Language.GO && rule.kind() == SymbolKind.METHOD) {
      around = scope.inside(receiver(start, nameStart), Optional.of(SymbolKind.TYPE), false);
    }
    SymbolKind kind = kind(rule.kind(), node, name, header, around);
    boolean variable = kind == SymbolKind.VARIABLE || kind == SymbolKind.CONSTANT;
    if (variable && (around.ofCode() || dug || !around.seen().add(name))) {
      return Optional.empty();
    }
    names.set(nameStart);
    var visibility = SymbolVisibility.of(language, name, header, around, exports);
    symbols.add(
        new Symbol(
            name,
            kind,
            visibility == SymbolVisibility.EXPORTED,
            lines.at(commented(first)),
            Math.max(lines.at(first), lines.at(Math.max(first, end - 1))),
            around.owner(),
            header.annotated(language),
            visibility == SymbolVisibility.HIDDEN,
            kind.runs() ? sketch(start, end) : Optional.empty()));
    boolean heir =
        language == Language.PYTHON && kind == SymbolKind.CLASS && !lacks(node, "superclasses");
    boolean space = header.has("namespace") || (header.has("module") && kind == SymbolKind.TYPE);
    return Optional.of(
        new Declared(
            nameStart,
            end,
            around.inside(name, space ? Optional.empty() : Optional.of(kind), heir)));
  }

  /** A function or class that is bound to a property; empty for every other value. */
  Optional<Declared> bind(NodeRule.Binds rule, TSNode node, DeclarationScope scope, int lead) {
    TSNode value = node.getChildByFieldName(rule.value());
    TSNode target = node.getChildByFieldName(rule.target());
    if (value.isNull() || target.isNull() || !isFunctionOrClass(value)) {
      return Optional.empty();
    }
    var bound = BoundName.of(target, value, text);
    return bound(bound, value, scope, lead < 0 ? SyntaxTree.start(node) : lead);
  }

  /** What a statement hands out without giving it a name. */
  Optional<Declared> handOut(TSNode node, DeclarationScope scope, int lead) {
    TSNode value = node.getChildByFieldName("value");
    return value.isNull() || !node.getType().equals("export_statement") || !isFunctionOrClass(value)
        ? Optional.empty()
        : bound(new BoundName("", "default", SyntaxTree.start(value), true), value, scope, lead);
  }

  private static boolean isFunctionOrClass(TSNode value) {
    return FUNCTIONS.contains(value.getType()) || value.getType().equals("class");
  }

  private Optional<Declared> bound(
      BoundName bound, TSNode value, DeclarationScope scope, int first) {
    if (!sayable(bound.name()) || bindings.get(bound.start())) {
      return Optional.empty();
    }
    bindings.set(bound.start());
    var around =
        bound.owner().isEmpty()
            ? scope
            : scope.inside(bound.owner(), Optional.of(SymbolKind.TYPE), false);
    int end = SyntaxTree.end(value);
    boolean type = value.getType().equals("class");
    SymbolKind kind =
        type
            ? SymbolKind.CLASS
            : around.owner().isEmpty() || around.ofCode() ? SymbolKind.FUNCTION : SymbolKind.METHOD;
    symbols.add(
        new Symbol(
            bound.name(),
            kind,
            bound.handedOut() && !scope.ofCode(),
            lines.at(commented(first)),
            Math.max(lines.at(first), lines.at(Math.max(first, end - 1))),
            around.owner(),
            false,
            false,
            type ? Optional.empty() : sketch(SyntaxTree.start(value), end)));
    return Optional.of(
        new Declared(bound.start(), end, around.inside(bound.name(), Optional.of(kind), false)));
  }

  private static boolean lacks(TSNode node, String field) {
    return node.getChildByFieldName(field).isNull();
  }

  private @Nullable TSNode name(TSNode node, NodeRule.Declares rule) {
    if (rule.field().isEmpty()) {
      for (int i = 0; i < Math.min(node.getNamedChildCount(), 10); i++) {
        TSNode child = node.getNamedChild(i);
        String type = child.getType();
        if (type.equals("simple_identifier") || type.equals("type_identifier")) {
          return child;
        }
      }
      return null;
    }
    TSNode found = node.getChildByFieldName(rule.field());
    if (!rule.field().equals("declarator")) {
      return found.isNull() ? null : found;
    }
    for (int i = 0; i < 10 && !found.isNull(); i++) {
      String type = found.getType();
      if (type.equals("function_declarator") && rule.kind() == SymbolKind.VARIABLE) {
        return null;
      }
      TSNode inner =
          type.equals("reference_declarator") || type.equals("parenthesized_declarator")
              ? found.getNamedChild(0)
              : found.getChildByFieldName("declarator");
      if (inner.isNull()) {
        return found;
      }
      found = inner;
    }
    return null;
  }

  private static boolean sayable(String name) {
    if (name.startsWith("operator")) {
      return name.length() < 30;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!Lexer.wordly(c) && !(i == 0 && (c == '#' || c == '~'))) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  private SymbolKind kind(
      SymbolKind declared,
      TSNode node,
      String name,
      DeclarationHeader header,
      DeclarationScope scope) {
    return switch (declared) {
      case FUNCTION, METHOD -> {
        boolean constructs =
            (language.isScript() && name.equals("constructor"))
                || (language == Language.CPP && lastOf(scope.owner()).equals(name));
        yield constructs ? SymbolKind.CONSTRUCTOR : scope.ofType() ? SymbolKind.METHOD : declared;
      }
      case CLASS ->
          header.has("interface")
              ? SymbolKind.INTERFACE
              : header.has("enum") ? SymbolKind.ENUM : SymbolKind.CLASS;
      case TYPE ->
          language == Language.GO
                  && node.getChildByFieldName("type").getType().equals("interface_type")
              ? SymbolKind.INTERFACE
              : SymbolKind.TYPE;
      case VARIABLE -> variable(node, name, header, scope);
      case CONSTRUCTOR, INTERFACE, RECORD, ENUM, CONSTANT, MODULE -> declared;
    };
  }

  private SymbolKind variable(
      TSNode node, String name, DeclarationHeader header, DeclarationScope scope) {
    if (language.isScript()) {
      TSNode value = node.getChildByFieldName("value");
      if (!value.isNull() && value.getType().equals("class")) {
        return SymbolKind.CLASS;
      }
      if (!value.isNull() && FUNCTIONS.contains(value.getType())) {
        return scope.ofType() ? SymbolKind.METHOD : SymbolKind.FUNCTION;
      }
    }
    boolean constant =
        switch (language) {
          case JAVA ->
              (header.has("static") && header.has("final"))
                  || scope.kind().equals(Optional.of(SymbolKind.INTERFACE))
                  || scope.kind().equals(Optional.of(SymbolKind.TYPE));
          case PYTHON -> CONSTANT.matcher(name).matches();
          case JAVASCRIPT, TYPESCRIPT, TSX -> header.has("const");
          case RUST -> !header.has("mut");
          case C, CPP, GO -> header.has("const");
          case C_SHARP -> header.has("const") || (header.has("static") && header.has("readonly"));
          case KOTLIN -> header.has("const") || CONSTANT.matcher(name).matches();
        };
    return constant ? SymbolKind.CONSTANT : SymbolKind.VARIABLE;
  }

  private static String lastOf(String owner) {
    return owner.substring(owner.lastIndexOf('.') + 1);
  }

  /** The type in {@code func (t *T[K]) name}. */
  private String receiver(int start, int name) {
    String last = "";
    for (int i = tokens.from(start) + 1; i < tokens.count() && tokens.start(i) < name; i++) {
      if (tokens.is(i, "[") || tokens.is(i, ")")) {
        break;
      } else if (tokens.is(i, TokenKind.WORD)) {
        last = tokens.text(i);
      }
    }
    return last.isEmpty() ? "func" : last;
  }

  /** Where the comments begin that stand right above, on lines of their own. */
  private int commented(int start) {
    int first = start;
    for (int i = tokens.from(start) - 1; i >= 0 && tokens.is(i, TokenKind.COMMENT); i--) {
      int begin = tokens.start(i);
      boolean touches = lines.at(tokens.end(i) - 1) >= lines.at(first) - 1;
      boolean alone = i == 0 || lines.at(tokens.end(i - 1) - 1) < lines.at(begin);
      if (!touches || !alone) {
        break;
      }
      first = begin;
    }
    return first;
  }

  private Optional<CodeSketch> sketch(int start, int end) {
    int from = tokens.from(start);
    int to = tokens.from(end);
    if (to - from < CodeSketch.FEWEST || to - from > LONGEST_SKETCHED) {
      return Optional.empty();
    }
    var drawing = new CodeSketch.Drawing();
    for (int i = from; i < to; i++) {
      switch (tokens.sort(i)) {
        case WORD -> {
          String word = tokens.text(i);
          drawing.add(grammar.keyword(word) ? word : "i");
        }
        case NUMBER -> drawing.add("n");
        case STRING -> drawing.add("s");
        case MARK -> drawing.add(tokens.text(i));
        case COMMENT -> {}
      }
    }
    return drawing.drawn();
  }
}
