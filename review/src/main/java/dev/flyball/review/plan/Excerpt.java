package dev.flyball.review.plan;

import dev.flyball.review.symbol.Symbol;
import dev.flyball.review.symbol.SymbolKind;
import java.util.List;
import java.util.Optional;

/**
 * A part of a file that is shown.
 *
 * @param line the first line, of the file as it is now
 * @param symbols the functions and types of it that are asked about
 * @param listed all that it has, which is said to everybody who is shown it
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
    List<Symbol> listed,
    String print,
    Optional<String> text,
    boolean reference) {
  public Excerpt {
    symbols = List.copyOf(symbols);
    listed = List.copyOf(listed);
  }

  /** One of which everything is asked about. */
  public Excerpt(
      String path,
      int line,
      int endLine,
      TierTokens size,
      List<Symbol> symbols,
      String print,
      Optional<String> text,
      boolean reference) {
    this(path, line, endLine, size, symbols, symbols, print, text, reference);
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

  /** The same, of which only this is asked about. */
  public Excerpt about(List<Symbol> some) {
    return new Excerpt(path, line, endLine, size, some, listed, print, text, reference);
  }

  /** Whether everything that it has is asked about. */
  boolean asksAll() {
    return symbols.equals(listed);
  }

  /** The same, but for the code outside of functions and types. */
  boolean asksAllWithNames() {
    return symbols.equals(
        listed.stream().filter(symbol -> symbol.kind() != SymbolKind.MODULE).toList());
  }
}
