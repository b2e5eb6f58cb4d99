package dev.flyball.review.plan;

import dev.flyball.review.symbol.Symbol;
import java.util.List;
import java.util.Optional;

/**
 * A part of a file that is shown.
 *
 * @param line the first line, of the file as it is now
 * @param symbols what it has of functions and types
 * @param print stands for what is shown: another text has another one
 * @param text what is shown, where that is not just these lines of the file
 */
public record Excerpt(
    String path,
    int line,
    int endLine,
    Size size,
    List<Symbol> symbols,
    String print,
    Optional<String> text) {
  public Excerpt {
    symbols = List.copyOf(symbols);
  }

  Excerpt about(List<Symbol> some) {
    return new Excerpt(path, line, endLine, size, some, print, text);
  }
}
