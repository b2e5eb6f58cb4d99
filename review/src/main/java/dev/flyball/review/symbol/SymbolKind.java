package dev.flyball.review.symbol;

/** The sort of a symbol, in words that all languages share. */
public enum SymbolKind {
  FUNCTION,
  METHOD,
  CONSTRUCTOR,
  CLASS,
  INTERFACE,
  RECORD,
  ENUM,
  /** An alias, a struct, a trait, an annotation: a type that is none of the above. */
  TYPE,
  CONSTANT,
  /** A field, or a variable at the top of a file. */
  VARIABLE,
  /** Code outside of all functions and types. */
  MODULE;

  /** Has statements, which can be compared and enclose a line. */
  public boolean runs() {
    return this == FUNCTION || this == METHOD || this == CONSTRUCTOR;
  }

  /** Has members, whose owner it is. */
  public boolean holds() {
    return switch (this) {
      case CLASS, INTERFACE, RECORD, ENUM, TYPE -> true;
      case FUNCTION, METHOD, CONSTRUCTOR, CONSTANT, VARIABLE, MODULE -> false;
    };
  }
}
