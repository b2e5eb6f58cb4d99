package dev.flyball.review.plan;

import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.Symbol;
import java.util.List;
import java.util.Map;

/**
 * The facts of a file's text that a plan needs; they depend on the text and the language alone.
 *
 * @param print stands for the text
 * @param counts how many tokens it was counted as, by the way of counting
 */
record TextDigest(String print, int characters, Map<String, Double> counts, Outline outline) {
  TextDigest {
    counts = Map.copyOf(counts);
  }

  /** The functions and types: what lenses answer for. */
  List<Symbol> symbols() {
    return outline.symbols().stream().filter(TextDigest::isAsked).toList();
  }

  private static boolean isAsked(Symbol symbol) {
    return switch (symbol.kind()) {
      case FUNCTION, METHOD, CONSTRUCTOR, CLASS, INTERFACE, RECORD, ENUM, TYPE -> true;
      case CONSTANT, VARIABLE -> false;
    };
  }
}
