package dev.flyball.call;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One unit of work: where it goes, how large it is, who it is for, and how to try it. Immutable;
 * each {@code with}-like method returns a changed copy.
 */
public final class Call<T> {
  private final LaneId lane;
  private final Work<T> work;
  private final Estimate estimate;
  private final Priority priority;
  private final Tenant tenant;
  private final @Nullable Account account;
  private final @Nullable Duration within;
  private final @Nullable String cachePrefix;
  private final String kind;
  private final String name;

  private Call(
      LaneId lane,
      Work<T> work,
      Estimate estimate,
      Priority priority,
      Tenant tenant,
      @Nullable Account account,
      @Nullable Duration within,
      @Nullable String cachePrefix,
      String kind,
      String name) {
    this.lane = lane;
    this.work = work;
    this.estimate = estimate;
    this.priority = priority;
    this.tenant = tenant;
    this.account = account;
    this.within = within;
    this.cachePrefix = cachePrefix;
    this.kind = kind;
    this.name = name;
  }

  public static <T> Call<T> to(LaneId lane, Work<T> work) {
    return new Call<>(
        lane, work, Estimate.UNKNOWN, Priority.NORMAL, Tenant.ONLY, null, null, null, "", "");
  }

  public Call<T> estimated(Estimate size) {
    return new Call<>(lane, work, size, priority, tenant, account, within, cachePrefix, kind, name);
  }

  public Call<T> priority(Priority other) {
    return new Call<>(
        lane, work, estimate, other, tenant, account, within, cachePrefix, kind, name);
  }

  /** Whose share of the lane it takes. */
  public Call<T> on(Tenant behalf) {
    return new Call<>(
        lane, work, estimate, priority, behalf, account, within, cachePrefix, kind, name);
  }

  /** Who pays for it. */
  public Call<T> paidBy(Account payer) {
    return new Call<>(
        lane, work, estimate, priority, tenant, payer, within, cachePrefix, kind, name);
  }

  /** How long it may take in all, from now on: waiting and attempts. */
  public Call<T> within(Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException("a call's time is above 0, but was " + time);
    }
    return new Call<>(
        lane, work, estimate, priority, tenant, account, time, cachePrefix, kind, name);
  }

  /** Names the prompt prefix that it shares with others, so that one call fills the cache first. */
  public Call<T> sharing(String prefix) {
    return new Call<>(lane, work, estimate, priority, tenant, account, within, prefix, kind, name);
  }

  /** Calls of one kind have answers of about one length, which the lane learns. */
  public Call<T> kind(String ofCalls) {
    return new Call<>(
        lane, work, estimate, priority, tenant, account, within, cachePrefix, ofCalls, name);
  }

  /** How events and screens call it. */
  public Call<T> named(String other) {
    return new Call<>(
        lane, work, estimate, priority, tenant, account, within, cachePrefix, kind, other);
  }

  public LaneId lane() {
    return lane;
  }

  public Work<T> work() {
    return work;
  }

  public Estimate estimate() {
    return estimate;
  }

  public Priority priority() {
    return priority;
  }

  public Tenant tenant() {
    return tenant;
  }

  public Optional<Account> account() {
    return Optional.ofNullable(account);
  }

  public Optional<Duration> within() {
    return Optional.ofNullable(within);
  }

  public Optional<String> cachePrefix() {
    return Optional.ofNullable(cachePrefix);
  }

  public String kind() {
    return kind;
  }

  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return "Call[" + (name.isEmpty() ? "" : name + " ") + "to " + lane + "]";
  }
}
