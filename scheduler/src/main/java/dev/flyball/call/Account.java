package dev.flyball.call;

import java.util.Optional;

/** Whoever pays: a run, a lens of that run, ... What a part uses, the whole uses too. */
public record Account(String name, Optional<Account> parent) {
  public static Account of(String name) {
    return new Account(name, Optional.empty());
  }

  public Account part(String part) {
    return new Account(part, Optional.of(this));
  }

  @Override
  public String toString() {
    return parent.map(p -> p + "/").orElse("") + name;
  }
}
