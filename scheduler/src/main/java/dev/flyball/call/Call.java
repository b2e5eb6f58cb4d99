package dev.flyball.call;

import java.time.Duration;
import java.util.Optional;

/**
 * One unit of work: where it goes, how to try it, how large it is and who it is for.
 *
 * @param tenant whose share of the lane it takes
 * @param account who pays for it
 * @param within how long it may take in all, waiting and attempts, from when it is handed in
 * @param prefix names the prompt prefix that it shares with others, so that one of them fills the
 *     provider's cache first
 * @param kind calls of one kind have answers of about one length, which the lane learns
 * @param name how events and screens call it
 */
public record Call<T>(
    LaneId lane,
    Work<T> work,
    Estimate estimate,
    Priority priority,
    Tenant tenant,
    Optional<Account> account,
    Optional<Duration> within,
    Optional<String> prefix,
    String kind,
    String name) {
  private static final Duration LONGEST = Duration.ofDays(365 * 100);

  public Call {
    if (within.isPresent() && !within.get().isPositive()) {
      throw new IllegalArgumentException("a call's time is above 0, but was " + within.get());
    }
    // A century is for ever, and fits the clock.
    within = within.filter(time -> time.compareTo(LONGEST) < 0);
  }

  public static <T> Call<T> to(LaneId lane, Work<T> work) {
    Optional<Account> nobody = Optional.empty();
    Optional<Duration> ever = Optional.empty();
    Optional<String> none = Optional.empty();
    return new Call<>(
        lane, work, Estimate.UNKNOWN, Priority.NORMAL, Tenant.ONLY, nobody, ever, none, "", "");
  }

  public Call<T> estimated(Estimate size) {
    return new Call<>(lane, work, size, priority, tenant, account, within, prefix, kind, name);
  }

  public Call<T> priority(Priority other) {
    return new Call<>(lane, work, estimate, other, tenant, account, within, prefix, kind, name);
  }

  public Call<T> on(Tenant behalf) {
    return new Call<>(lane, work, estimate, priority, behalf, account, within, prefix, kind, name);
  }

  public Call<T> paidBy(Account payer) {
    var by = Optional.of(payer);
    return new Call<>(lane, work, estimate, priority, tenant, by, within, prefix, kind, name);
  }

  public Call<T> within(Duration time) {
    var in = Optional.of(time);
    return new Call<>(lane, work, estimate, priority, tenant, account, in, prefix, kind, name);
  }

  public Call<T> sharing(String promptPrefix) {
    var on = Optional.of(promptPrefix);
    return new Call<>(lane, work, estimate, priority, tenant, account, within, on, kind, name);
  }

  public Call<T> kind(String of) {
    return new Call<>(lane, work, estimate, priority, tenant, account, within, prefix, of, name);
  }

  public Call<T> named(String so) {
    return new Call<>(lane, work, estimate, priority, tenant, account, within, prefix, kind, so);
  }

  @Override
  public String toString() {
    return "Call[" + (name.isEmpty() ? "" : name + " ") + "to " + lane + "]";
  }
}
