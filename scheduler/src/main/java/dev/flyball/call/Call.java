package dev.flyball.call;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One unit of work as the scheduler sees it: where it goes, how large it is and who it is for. How
 * to try it is a {@link Work}.
 *
 * @param lane the rate-limit scope in which it goes
 * @param others more lanes in which it may go instead, such as those of other keys for the same
 *     model: whichever can admit it first takes it, and it is tried again in whichever can then
 * @param estimate how large it is
 * @param priority how long it lets others go first
 * @param tenant whose share of the lane it takes
 * @param account who pays for it
 * @param within how long it may take in all, waiting and attempts, from when it is handed in
 * @param waiting how long it may wait in all; the time of its attempts does not count
 * @param prefix names the prompt prefix that it shares with others, so that one of them fills the
 *     provider's cache first
 * @param kind calls of one kind have answers of about one length, which the lane learns
 * @param name how events and screens call it
 */
public record Call(
    LaneId lane,
    List<LaneId> others,
    Estimate estimate,
    Priority priority,
    Tenant tenant,
    Optional<Account> account,
    Optional<Duration> within,
    Optional<Duration> waiting,
    Optional<String> prefix,
    String kind,
    String name) {
  private static final Duration LONGEST = Duration.ofDays(365 * 100);

  /**
   * Checks the time, and names each lane once.
   *
   * @throws IllegalArgumentException if {@code within} is not above 0, or {@code waiting} below it
   */
  public Call {
    if (within.isPresent() && !within.get().isPositive()) {
      throw new IllegalArgumentException("a call's time is above 0, but was " + within.get());
    }
    if (waiting.isPresent() && waiting.get().isNegative()) {
      throw new IllegalArgumentException("a call waits for 0 or longer, but was " + waiting.get());
    }
    if (!others.isEmpty()) {
      others = others.stream().filter(other -> !other.equals(lane)).distinct().toList();
    }
    // A century is for ever, and fits the clock.
    within = within.filter(time -> time.compareTo(LONGEST) < 0);
    waiting = waiting.filter(time -> time.compareTo(LONGEST) < 0);
  }

  /**
   * A call of which nothing is known but its lane: of normal priority, of the only tenant, without
   * account, deadline, prefix, kind or name.
   *
   * @param lane where it goes
   * @return the call
   */
  public static Call to(LaneId lane) {
    Optional<Account> nobody = Optional.empty();
    Optional<Duration> ever = Optional.empty();
    Optional<String> none = Optional.empty();
    return new Call(
        lane,
        List.of(),
        Estimate.UNKNOWN,
        Priority.NORMAL,
        Tenant.ONLY,
        nobody,
        ever,
        ever,
        none,
        "",
        "");
  }

  /**
   * A call of which nothing is known but the lanes that may take it, such as those of several keys
   * for one model. Whichever can admit it first does; if several can at once, the one that is named
   * first. Another that has never had a reply is tried with one attempt. The call's work asks
   * {@link Attempt#lane} which it was.
   *
   * @param first where it goes if it can go there at once
   * @param others where else it may go
   * @return the call
   */
  public static Call to(LaneId first, LaneId... others) {
    var call = to(first);
    return new Call(
        first,
        List.of(others),
        call.estimate,
        call.priority,
        call.tenant,
        call.account,
        call.within,
        call.waiting,
        call.prefix,
        call.kind,
        call.name);
  }

  /**
   * The same call with a size.
   *
   * @param size what it may use
   * @return the call
   */
  public Call estimated(Estimate size) {
    return new Call(
        lane, others, size, priority, tenant, account, within, waiting, prefix, kind, name);
  }

  /**
   * The same call with a priority.
   *
   * @param other how long it lets others go first
   * @return the call
   */
  public Call priority(Priority other) {
    return new Call(
        lane, others, estimate, other, tenant, account, within, waiting, prefix, kind, name);
  }

  /**
   * The same call on behalf of a tenant.
   *
   * @param behalf whose share of the lane it takes
   * @return the call
   */
  public Call on(Tenant behalf) {
    return new Call(
        lane, others, estimate, priority, behalf, account, within, waiting, prefix, kind, name);
  }

  /**
   * The same call at the expense of an account, and of all that this is part of.
   *
   * @param payer who pays
   * @return the call
   */
  public Call paidBy(Account payer) {
    var by = Optional.of(payer);
    return new Call(
        lane, others, estimate, priority, tenant, by, within, waiting, prefix, kind, name);
  }

  /**
   * The same call with a deadline, which ends its wait and cuts its attempt in flight.
   *
   * @param time how long it may take in all, from when it is handed in; above 0
   * @return the call
   */
  public Call within(Duration time) {
    var in = Optional.of(time);
    return new Call(
        lane, others, estimate, priority, tenant, account, in, waiting, prefix, kind, name);
  }

  /**
   * The same call with a bound of its own for its waits: past it, it is refused as {@link
   * Refusal.TooLate}. An attempt in flight is not cut.
   *
   * @param time how long it may wait in all, before its first attempt and between attempts
   * @return the call
   */
  public Call waitingAtMost(Duration time) {
    var most = Optional.of(time);
    return new Call(
        lane, others, estimate, priority, tenant, account, within, most, prefix, kind, name);
  }

  /**
   * The same call as one of several that share a cacheable prompt prefix.
   *
   * @param promptPrefix a name for the prefix; the prefix itself will do
   * @return the call
   */
  public Call sharing(String promptPrefix) {
    var on = Optional.of(promptPrefix);
    return new Call(
        lane, others, estimate, priority, tenant, account, within, waiting, on, kind, name);
  }

  /**
   * The same call as one of a kind.
   *
   * @param of what calls with answers of about the same length have in common
   * @return the call
   */
  public Call kind(String of) {
    return new Call(
        lane, others, estimate, priority, tenant, account, within, waiting, prefix, of, name);
  }

  /**
   * The same call with a name.
   *
   * @param so how events and screens call it
   * @return the call
   */
  public Call named(String so) {
    return new Call(
        lane, others, estimate, priority, tenant, account, within, waiting, prefix, kind, so);
  }

  @Override
  public String toString() {
    return "Call["
        + (name.isEmpty() ? "" : name + " ")
        + "to "
        + lane
        + (others.isEmpty() ? "" : " or " + others)
        + "]";
  }
}
