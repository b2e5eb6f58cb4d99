package dev.flyball.call;

import java.util.Optional;

/**
 * The payer of calls: a run, a lens of that run, ... What a part uses, the whole uses too.
 *
 * @param name unique among the parts of its parent
 * @param parent the account that this one is part of
 */
public record Account(String name, Optional<Account> parent) {
  /**
   * {@return an account that is part of no other}
   *
   * @param name its name
   */
  public static Account of(String name) {
    return new Account(name, Optional.empty());
  }

  /**
   * {@return a part of this account}
   *
   * @param part its name, unique among the parts of this account
   */
  public Account part(String part) {
    return new Account(part, Optional.of(this));
  }

  @Override
  public String toString() {
    return parent.map(p -> p + "/").orElse("") + name;
  }
}
