package dev.flyball.review.symbol;

/** The meaning of a kind of node in a syntax tree for the outline. */
sealed interface NodeRule {
  /** Symbols are among its children. */
  record Enter() implements NodeRule {}

  /** Symbols are among its children, and begin where it begins. */
  record Lead() implements NodeRule {}

  /** Belongs to the symbol that follows. */
  record Mark() implements NodeRule {}

  /** Takes something from elsewhere. */
  record Takes() implements NodeRule {}

  /** Adds members to a type that is declared elsewhere and named in a field. */
  record Extends(String field) implements NodeRule {}

  /**
   * Declares a symbol.
   *
   * @param field where its name is; empty if that has no field and is the first name in it
   */
  record Declares(SymbolKind kind, String field) implements NodeRule {}
}
