package dev.flyball.review.symbol;

import java.util.List;

/** Outlines of short texts, and how to say what is in them. */
public final class Drafts {
  private Drafts() {}

  /** Each symbol as kind, visibility, path and lines. */
  public static List<String> symbols(String path, String text) {
    return Outline.of(path, text).symbols().stream()
        .filter(symbol -> symbol.kind() != SymbolKind.MODULE)
        .map(Drafts::say)
        .toList();
  }

  /** The lines of each stretch of code outside of functions and types. */
  public static List<String> moduleCode(String path, String text) {
    return Outline.of(path, text).symbols().stream()
        .filter(symbol -> symbol.kind() == SymbolKind.MODULE)
        .map(symbol -> symbol.line() + "-" + symbol.endLine())
        .toList();
  }

  public static Symbol symbol(String path, String text, String name) {
    return Outline.of(path, text).symbols().stream()
        .filter(symbol -> symbol.path().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + symbols(path, text)));
  }

  private static String say(Symbol symbol) {
    return "%s%s%s %s %d-%d"
        .formatted(
            symbol.exported() ? "+" : symbol.hidden() ? "-" : "",
            symbol.annotated() ? "@" : "",
            symbol.kind().name().toLowerCase(java.util.Locale.ROOT),
            symbol.path(),
            symbol.line(),
            symbol.endLine());
  }
}
