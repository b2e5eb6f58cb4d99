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
 * @param reference whether it is there to explain, and not to be judged
 */
public record Excerpt(
    String path,
    int line,
    int endLine,
    TierTokens size,
    List<Symbol> symbols,
    String print,
    Optional<String> text,
    boolean reference) {
  public Excerpt {
    symbols = List.copyOf(symbols);
  }

  /** A whole file that is shown for reference, about as long as its characters say. */
  public static Excerpt reference(String path, String text) {
    long tokens = Math.ceilDiv(text.length(), 3);
    int lines = Math.max(1, (int) text.lines().count());
    return new Excerpt(
        path,
        1,
        lines,
        new TierTokens(tokens, tokens),
        List.of(),
        ExcerptCutter.print(text),
        Optional.empty(),
        true);
  }

  public Excerpt about(List<Symbol> some) {
    return new Excerpt(path, line, endLine, size, some, print, text, reference);
  }
}
