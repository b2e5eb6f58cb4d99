package dev.flyball.review.symbol;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The types and functions around a declaration.
 *
 * @param kind of the innermost; empty at the top of a file
 * @param heir the innermost is a type that inherits from another
 * @param seen the names of the variables that were already declared here
 */
record DeclarationScope(String owner, Optional<SymbolKind> kind, boolean heir, Set<String> seen) {
  static DeclarationScope top() {
    return of("", Optional.empty(), false);
  }

  static DeclarationScope of(String owner, Optional<SymbolKind> kind, boolean heir) {
    return new DeclarationScope(owner, kind, heir, new HashSet<>());
  }

  DeclarationScope inside(String name, Optional<SymbolKind> innermost, boolean isHeir) {
    return of(path(name), innermost, isHeir);
  }

  String path(String name) {
    return owner.isEmpty() ? name : owner + '.' + name;
  }

  boolean ofType() {
    return kind.isPresent() && kind.get().holds();
  }

  boolean ofCode() {
    return kind.isPresent() && !kind.get().holds();
  }
}
