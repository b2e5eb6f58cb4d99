package dev.flyball.review.symbol;

import java.util.Optional;

/**
 * Something that code declares and names. Its lines count from one, both are part of it, and they
 * begin with its annotations and with the comment right above it.
 *
 * @param exported its language lets other files or packages use it
 * @param owner the types and functions around it, joined by dots; empty at the top of a file
 * @param annotated it has an annotation, attribute or decorator, so that a framework may use it
 * @param hidden by the rules of its language only its own file can use it; in Python, where that is
 *     a habit and no rule, only its own repository
 */
public record Symbol(
    String name,
    SymbolKind kind,
    boolean exported,
    int line,
    int endLine,
    String owner,
    boolean annotated,
    boolean hidden,
    Optional<CodeSketch> sketch) {
  /** What code outside of all functions and types is called. */
  public static final String MODULE_LEVEL = "(module level)";

  public Symbol {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a symbol has a name");
    }
    if (line < 1 || endLine < line) {
      throw new IllegalArgumentException(
          "a symbol begins at line 1 or later and ends no earlier, but it was %d to %d"
              .formatted(line, endLine));
    }
    if (exported && hidden) {
      throw new IllegalArgumentException(
          "a symbol is exported or hidden or neither, but %s was both".formatted(name));
    }
  }

  /** The same code, as far as it is in some lines; of others there is none. */
  public Optional<Symbol> within(int first, int last) {
    return line > last || endLine < first
        ? Optional.empty()
        : Optional.of(
            new Symbol(
                name,
                kind,
                exported,
                Math.max(line, first),
                Math.min(endLine, last),
                owner,
                annotated,
                hidden,
                sketch));
  }

  /** The owner and the name, as people write it. */
  public String path() {
    return owner.isEmpty() ? name : owner + '.' + name;
  }
}
