package dev.flyball.review.plan;

import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.Symbol;
import dev.flyball.review.symbol.SymbolKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The facts of a file's text that a plan needs; they depend on the text and the language alone.
 *
 * @param print stands for the text
 * @param counts how many tokens it was counted as, by the way of counting
 */
record TextDigest(String print, int characters, Map<String, Double> counts, Outline outline) {
  /** Lines of a function that can be judged as a whole. */
  private static final int LONGEST_WHOLE = 150;

  TextDigest {
    counts = Map.copyOf(counts);
  }

  /**
   * The functions and types that lenses answer for. What is declared inside of a function belongs
   * to that, unless it is too long to be judged as a whole.
   */
  List<Symbol> symbols() {
    var asked = new ArrayList<Symbol>();
    var around = new ArrayDeque<Symbol>();
    for (var symbol : outline.symbols()) {
      if (!isAsked(symbol)) {
        continue;
      }
      while (!around.isEmpty() && around.peek().endLine() < symbol.endLine()) {
        around.pop();
      }
      if (around.stream().noneMatch(outer -> contains(outer, symbol))) {
        asked.add(symbol);
      }
      if (symbol.kind().runs() && symbol.endLine() - symbol.line() < LONGEST_WHOLE) {
        around.push(symbol);
      }
    }
    return asked;
  }

  private static boolean contains(Symbol outer, Symbol symbol) {
    return outer.line() <= symbol.line()
        && symbol.endLine() <= outer.endLine()
        && symbol.endLine() - symbol.line() < outer.endLine() - outer.line();
  }

  /** The code outside of all functions and types, in its stretches. */
  List<Symbol> moduleCode() {
    return outline.symbols().stream().filter(it -> it.kind() == SymbolKind.MODULE).toList();
  }

  /** Whether there is anything that a lens could answer for. */
  boolean isAskable() {
    return outline.symbols().stream()
        .anyMatch(symbol -> isAsked(symbol) || symbol.kind() == SymbolKind.MODULE);
  }

  private static boolean isAsked(Symbol symbol) {
    return switch (symbol.kind()) {
      case FUNCTION, METHOD, CONSTRUCTOR, CLASS, INTERFACE, RECORD, ENUM, TYPE -> true;
      case CONSTANT, VARIABLE, MODULE -> false;
    };
  }
}
