package dev.flyball.review.symbol;

import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The code of a file that stands outside of its functions and types: what runs when the file is
 * loaded, what is set up there, and functions that have no name of their own. Each stretch of it is
 * a symbol, so that nobody can take it for reviewed because everything with a name was.
 */
final class ModuleCode {
  private ModuleCode() {}

  /**
   * The stretches, in their order.
   *
   * @param taken what belongs to statements that take something from elsewhere, by offset
   */
  static List<Symbol> of(
      SyntaxTokens tokens, LineStarts lines, List<Symbol> symbols, BitSet taken) {
    var covered = new BitSet();
    for (var symbol : symbols) {
      if (symbol.kind().runs() || symbol.kind().holds()) {
        covered.set(symbol.line(), symbol.endLine() + 1);
      }
    }
    var found = new ArrayList<Symbol>();
    int first = 0;
    int last = 0;
    boolean does = false;
    for (int i = 0; i < tokens.count(); i++) {
      int line = lines.at(tokens.start(i));
      if (tokens.is(i, TokenKind.COMMENT) || taken.get(tokens.start(i))) {
        continue;
      }
      boolean loose = !covered.get(line);
      if (first > 0 && (!loose || isBetween(covered, last, line))) {
        add(first, last, does, found);
        first = 0;
        does = false;
      }
      if (loose) {
        first = first == 0 ? line : first;
        last = Math.max(line, lines.at(tokens.end(i) - 1));
        does |= tokens.is(i, "(") || tokens.is(i, "=") || tokens.is(i, ":=");
      }
    }
    if (first > 0) {
      add(first, last, does, found);
    }
    return found;
  }

  private static boolean isBetween(BitSet lines, int from, int to) {
    int next = lines.nextSetBit(from);
    return next >= 0 && next < to;
  }

  private static void add(int first, int last, boolean does, List<Symbol> found) {
    if (does) {
      found.add(stretch(first, last));
    }
  }

  /** Some lines of it. */
  static Symbol stretch(int first, int last) {
    return new Symbol(
        Symbol.MODULE_LEVEL,
        SymbolKind.MODULE,
        false,
        first,
        last,
        "",
        false,
        false,
        Optional.empty());
  }
}
