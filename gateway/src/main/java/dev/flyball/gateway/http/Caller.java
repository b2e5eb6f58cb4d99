package dev.flyball.gateway.http;

import dev.flyball.call.Account;
import dev.flyball.call.Priority;
import dev.flyball.call.Tenant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whoever sent a request, as far as its fate depends on that.
 *
 * @param name for people, logs and metrics; never a key
 * @param tenant whose share of a lane its calls take
 * @param account who pays, if anybody's budget is charged
 * @param priority of calls that name none
 * @param models the models it may ask
 * @param pace what holds its own calls back before they stand in a lane
 */
public record Caller(
    String name,
    Tenant tenant,
    Optional<Account> account,
    Priority priority,
    Predicate<String> models,
    CallerPace pace) {
  /** Where nobody has to say who they are. */
  public static final Caller ANYBODY =
      new Caller(
          "anybody",
          Tenant.ONLY,
          Optional.empty(),
          Priority.NORMAL,
          model -> true,
          CallerPace.NONE);

  /** Whoever has the admin token, where callers and administrators may ask. */
  public static final Caller ADMINISTRATOR =
      new Caller(
          "the administrator",
          Tenant.ONLY,
          Optional.empty(),
          Priority.NORMAL,
          model -> false,
          CallerPace.NONE);

  /** Whether it is one of those who have a key. */
  public boolean isKnown() {
    return !tenant.equals(Tenant.ONLY);
  }
}
