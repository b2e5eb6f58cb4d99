package dev.flyball.review.symbol;

import dev.flyball.review.symbol.GrammarTables.NodeRule;
import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treesitter.TSNode;
import org.treesitter.TSTreeCursor;

/**
 * Goes through a syntax tree and notes its symbols. Each look at a node is a call into native code,
 * so it enters only what can have symbols: bodies of types always, statements where a word like
 * {@code class} stands in them.
 */
final class OutlineBuilder {
  /** Deeper than people nest. */
  private static final int DEEPEST = 100;

  private static final int LONGEST_PARAMETERS = 200;
  private static final List<String> BEFORE_A_METHOD = List.of("{", ",", "async", "get", "set", "*");

  private final Grammar grammar;
  private final SyntaxTokens tokens;
  private final DeclarationReader declarations;
  private final ImportReader imports;
  private final TSTreeCursor cursor;

  /** Where the words are that may declare something, and the next of them that is ahead. */
  private final int[] words;

  /** What statements have that take something from elsewhere. */
  private final BitSet taken = new BitSet();

  private int next;
  private long steps;
  private boolean tooDeep;

  private OutlineBuilder(
      Grammar grammar,
      SyntaxTokens tokens,
      DeclarationReader declarations,
      TSTreeCursor cursor,
      long steps) {
    this.grammar = grammar;
    this.tokens = tokens;
    this.declarations = declarations;
    this.cursor = cursor;
    this.steps = steps;
    imports = new ImportReader(tokens);
    words = words(grammar, tokens);
  }

  /** The symbols and imports of a file. */
  record Found(List<Symbol> symbols, BitSet names, List<Import> imports, boolean tooDeep) {}

  static Found of(
      SyntaxTree syntax, String text, Grammar grammar, SyntaxTokens tokens, LineStarts lines) {
    var declarations = new DeclarationReader(text, grammar, tokens, lines);
    try (var cursor = new TSTreeCursor(syntax.root())) {
      var builder =
          new OutlineBuilder(grammar, tokens, declarations, cursor, 1_000 + (long) text.length());
      builder.children(DeclarationScope.top(), 0, -1);
      if (grammar.language().isScript()) {
        builder.imports.calls();
      }
      var symbols = new ArrayList<>(declarations.symbols());
      symbols.addAll(ModuleCode.of(tokens, lines, symbols, builder.taken));
      symbols.sort(Comparator.comparingInt(Symbol::line));
      return new Found(symbols, declarations.names(), builder.imports.found(), builder.tooDeep);
    }
  }

  private static int[] words(Grammar grammar, SyntaxTokens tokens) {
    int[] found = new int[16];
    int count = 0;
    boolean scripted = grammar.language().isScript();
    for (int i = 0; i < tokens.count(); i++) {
      int length = tokens.end(i) - tokens.start(i);
      if ((length > 1 && length < 10 && grammar.declaring(tokens.text(i)))
          || (scripted && isMethod(tokens, i))) {
        if (count == found.length) {
          found = Arrays.copyOf(found, 2 * count);
        }
        found[count++] = tokens.start(i);
      }
    }
    return Arrays.copyOf(found, count);
  }

  /**
   * Whether a name may be that of a method in an object: it stands where a property may, and has
   * parameters and a body.
   */
  private static boolean isMethod(SyntaxTokens tokens, int name) {
    if (!tokens.is(name + 1, "(")
        || !tokens.is(name, TokenKind.WORD)
        || BEFORE_A_METHOD.stream().noneMatch(before -> tokens.is(name - 1, before))) {
      return false;
    }
    int open = 0;
    for (int i = name + 1; i < tokens.count() && i < name + LONGEST_PARAMETERS; i++) {
      open += tokens.is(i, "(") ? 1 : tokens.is(i, ")") ? -1 : 0;
      if (open == 0) {
        return tokens.is(i + 1, "{") || tokens.is(i + 1, ":");
      }
    }
    return false;
  }

  private boolean spent(int depth) {
    if (depth > DEEPEST || --steps < 0) {
      tooDeep = true;
    }
    return depth > DEEPEST || steps < 0;
  }

  private void children(DeclarationScope scope, int depth, int lead) {
    if (spent(depth) || !cursor.gotoFirstChild()) {
      return;
    }
    int mark = -1;
    do {
      TSNode node = cursor.currentNode();
      int id = node.getSymbol();
      @Nullable NodeRule rule = grammar.rule(id);
      if (rule instanceof NodeRule.Mark) {
        mark = mark < 0 ? SyntaxTree.start(node) : mark;
      } else if (rule != null) {
        visit(rule, node, scope, depth, mark < 0 ? lead : mark);
        mark = -1;
      } else if (grammar.named(id)) {
        dig(SyntaxTree.end(node), scope, depth);
      }
    } while (!spent(depth) && cursor.gotoNextSibling());
    cursor.gotoParent();
  }

  private void visit(NodeRule rule, TSNode node, DeclarationScope scope, int depth, int lead) {
    switch (rule) {
      case NodeRule.Enter() -> children(scope, depth + 1, -1);
      case NodeRule.Lead() -> {
        int start = lead < 0 ? SyntaxTree.start(node) : lead;
        var out = declarations.handOut(node, scope, start);
        children(
            out.map(DeclarationReader.Declared::inside).orElse(scope),
            depth + 1,
            tokens.is(tokens.from(start) + 1, "(") ? -1 : start);
      }
      case NodeRule.Mark() -> {}
      case NodeRule.Takes() -> {
        taken.set(SyntaxTree.start(node), SyntaxTree.end(node));
        imports.statement(grammar.language(), SyntaxTree.start(node), SyntaxTree.end(node));
      }
      case NodeRule.Extends(var field) -> {
        pass(SyntaxTree.start(node) + 1);
        children(declarations.extended(node, field, scope), depth + 1, -1);
      }
      case NodeRule.Declares declares -> {
        if (!declare(declarations.declare(declares, node, scope, lead, false), depth)) {
          dig(SyntaxTree.end(node), scope, depth);
        }
      }
      case NodeRule.Binds binds -> {
        if (!declare(declarations.bind(binds, node, scope, lead), depth)) {
          dig(SyntaxTree.end(node), scope, depth);
        }
      }
    }
  }

  private boolean declare(Optional<DeclarationReader.Declared> made, int depth) {
    if (made.isEmpty()) {
      return false;
    }
    pass(made.get().name());
    if (made.get().inside().ofCode()) {
      dig(made.get().end(), made.get().inside(), depth + 1);
    } else {
      children(made.get().inside(), depth + 1, -1);
    }
    pass(made.get().end());
    return true;
  }

  private void pass(int offset) {
    while (next < words.length && words[next] < offset) {
      next++;
    }
  }

  /** Goes from the node under the cursor straight to each word before the end. */
  private void dig(int end, DeclarationScope scope, int depth) {
    while (next < words.length && words[next] < end && !spent(depth)) {
      int word = words[next];
      if (!down(word, scope, depth) && next < words.length && words[next] == word) {
        next++;
      }
    }
  }

  private boolean down(int word, DeclarationScope scope, int depth) {
    int levels = 0;
    int lead = -1;
    boolean found = false;
    while (!found && !spent(depth) && cursor.gotoFirstChildForByte(2 * word) >= 0) {
      levels++;
      TSNode node = cursor.currentNode();
      @Nullable NodeRule rule = grammar.rule(node.getSymbol());
      if (rule instanceof NodeRule.Lead) {
        lead = lead < 0 ? SyntaxTree.start(node) : lead;
      } else if (rule instanceof NodeRule.Declares declares) {
        found =
            SyntaxTree.start(node) <= word
                && declare(declarations.declare(declares, node, scope, lead, true), depth);
        lead = -1;
      } else if (rule instanceof NodeRule.Binds binds) {
        found = declare(declarations.bind(binds, node, scope, lead), depth);
        lead = -1;
      } else if (rule instanceof NodeRule.Extends) {
        visit(rule, node, scope, depth, lead);
        found = next >= words.length || words[next] > word;
      } else {
        lead = -1;
      }
    }
    for (int i = 0; i < levels; i++) {
      cursor.gotoParent();
    }
    return found;
  }
}
