package dev.flyball.limit;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Refusal;
import java.util.Optional;

/** The parts of one budget that are spent, and that attempts in flight hold. Exact. */
public final class BudgetBalance {
  private final Account account;
  private final Budget budget;
  private long tokensSpent;
  private long tokensHeld;
  private long microsSpent;
  private long microsHeld;
  private int holds;

  public BudgetBalance(Account account, Budget budget) {
    this.account = account;
    this.budget = budget;
  }

  public Account account() {
    return account;
  }

  public Budget budget() {
    return budget;
  }

  public long tokensSpent() {
    return tokensSpent;
  }

  public long tokensHeld() {
    return tokensHeld;
  }

  public long microsSpent() {
    return microsSpent;
  }

  public long microsHeld() {
    return microsHeld;
  }

  /** How many attempts hold part of it. */
  public int holds() {
    return holds;
  }

  /** Why so much does not fit, if it does not. */
  public Optional<Refusal> lacks(long tokens, long micros, boolean priced, boolean retry) {
    if (budget.money().isPresent() && !priced) {
      return Optional.of(new Refusal.Unpriced(account));
    }
    double usable = retry ? 1 : 1 - budget.reserve();
    if (budget.tokens().isPresent()) {
      long left = (long) (budget.tokens().getAsLong() * usable) - tokensSpent - tokensHeld;
      if (tokens > left) {
        return Optional.of(new Refusal.BudgetSpent(account, "tokens", tokens, left));
      }
    }
    if (budget.money().isPresent()) {
      long left = (long) (budget.money().get().micros() * usable) - microsSpent - microsHeld;
      if (micros > left) {
        return Optional.of(new Refusal.BudgetSpent(account, "millionths of $", micros, left));
      }
    }
    return Optional.empty();
  }

  public void hold(long tokens, long micros) {
    tokensHeld += tokens;
    microsHeld += micros;
    holds++;
  }

  /** Replaces a hold by what was really spent. */
  public void settle(long tokens, long micros, long spentTokens, long spentMicros) {
    tokensHeld -= tokens;
    microsHeld -= micros;
    holds--;
    tokensSpent += spentTokens;
    microsSpent += spentMicros;
  }
}
