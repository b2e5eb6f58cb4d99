package dev.flyball.review.symbol;

import java.util.Arrays;
import java.util.BitSet;
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

  private final Grammar grammar;
  private final SyntaxTokens tokens;
  private final DeclarationReader declarations;
  private final ImportReader imports;
  private final TSTreeCursor cursor;

  /** Where the words are that may declare something, and the next of them that is ahead. */
  private final int[] words;

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
      return new Found(
          declarations.symbols(), declarations.names(), builder.imports.found(), builder.tooDeep);
    }
  }

  private static int[] words(Grammar grammar, SyntaxTokens tokens) {
    int[] found = new int[16];
    int count = 0;
    for (int i = 0; i < tokens.count(); i++) {
      int length = tokens.end(i) - tokens.start(i);
      if (length > 1 && length < 10 && grammar.declaring(tokens.text(i))) {
        if (count == found.length) {
          found = Arrays.copyOf(found, 2 * count);
        }
        found[count++] = tokens.start(i);
      }
    }
    return Arrays.copyOf(found, count);
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
        children(scope, depth + 1, tokens.is(tokens.from(start) + 1, "(") ? -1 : start);
      }
      case NodeRule.Mark() -> {}
      case NodeRule.Takes() ->
          imports.statement(grammar.language(), SyntaxTree.start(node), SyntaxTree.end(node));
      case NodeRule.Extends(var field) -> {
        pass(SyntaxTree.start(node) + 1);
        children(declarations.extended(node, field, scope), depth + 1, -1);
      }
      case NodeRule.Declares declares -> {
        if (!declare(declares, node, scope, depth, lead, false)) {
          dig(SyntaxTree.end(node), scope, depth);
        }
      }
    }
  }

  private boolean declare(
      NodeRule.Declares rule,
      TSNode node,
      DeclarationScope scope,
      int depth,
      int lead,
      boolean dug) {
    Optional<DeclarationReader.Declared> made = declarations.declare(rule, node, scope, lead, dug);
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
        found = SyntaxTree.start(node) <= word && declare(declares, node, scope, depth, lead, true);
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
