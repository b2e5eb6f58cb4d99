package dev.flyball.review.symbol;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What stands around a declaration.
 *
 * @param kind of the innermost; empty at the top of a file
 * @param heir the innermost is a type that inherits from another
 * @param seen the names of the variables that were already declared here
 */
record Scope(String owner, Optional<Kind> kind, boolean heir, Set<String> seen) {
  static Scope top() {
    return of("", Optional.empty(), false);
  }

  static Scope of(String owner, Optional<Kind> kind, boolean heir) {
    return new Scope(owner, kind, heir, new HashSet<>());
  }

  Scope inside(String name, Optional<Kind> innermost, boolean isHeir) {
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
