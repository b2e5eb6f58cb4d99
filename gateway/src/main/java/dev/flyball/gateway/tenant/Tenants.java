package dev.flyball.gateway.tenant;

import dev.flyball.call.Account;
import dev.flyball.call.Cost;
import dev.flyball.gateway.http.AccessCheck;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.history.History;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.SpendingClaim;
import dev.flyball.history.record.TenantSpending;
import dev.flyball.run.BadSettings;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Those who share the server: who they are, what they get, and what they have spent. Keys and
 * spending are in the history, looked at every few seconds, so that a key which was made or revoked
 * elsewhere counts here soon.
 */
public final class Tenants implements GatewayPart, CallListener {
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final Optional<History> history;
  private final Vertx vertx;
  private final Flyball flyball;
  private final Time time;
  private final KeyRing keys;
  private final TenantAccess access;
  private final Consumer<String> warnings;
  private final long timer;
  private volatile String trouble = "";
  private volatile @Nullable SpendingClaim claim;

  /**
   * The way in.
   *
   * @param loopback whether only this machine reaches the server
   */
  public record Door(AdminToken token, boolean loopback) {}

  /**
   * The tenants of a server.
   *
   * @throws HistoryUnavailable if the keys cannot be read, and so nobody could be let in
   * @throws BadSettings if another server counts what those with budgets spend
   */
  public Tenants(Ground ground, Optional<History> history, Door door, Consumer<String> warnings)
      throws HistoryUnavailable {
    this.history = history;
    this.vertx = ground.vertx();
    this.flyball = ground.flyball();
    this.time = ground.setup().time();
    this.warnings = warnings;
    this.keys = new KeyRing(time, flyball::budget);
    this.access = new TenantAccess(keys, door.token(), door.loopback(), this::countsSpending);
    look();
    if (!countsSpending()) {
      throw new BadSettings(
          "another server on this history counts what %s may spend, and two would each count for"
                  .formatted(budgeted().getFirst())
              + " themselves: stop it, give this one a history of its own (--history), or use keys"
              + " without budgets");
    }
    timer = vertx.setPeriodic(LOOK.toMillis(), tick -> vertx.executeBlocking(this::round, true));
  }

  /** A check that lets in administrators alone, of a server on loopback. */
  public static AccessCheck administratorsOnly(AdminToken token) {
    var nobody = new KeyRing(Time.system(), (account, budget) -> {});
    return new TenantAccess(nobody, token, true, () -> true);
  }

  private void look() throws HistoryUnavailable {
    if (history.isPresent()) {
      keys.replace(history.get().tenantKeys(), spending());
      claim();
    }
  }

  /**
   * Budgets are held in memory, so one server alone counts what those with budgets spend; if it
   * goes, the next one goes on from what was written.
   */
  private void claim() throws HistoryUnavailable {
    var mine = claim;
    if (budgeted().isEmpty() || (mine != null && mine.holds())) {
      return;
    }
    claim = null;
    var granted = history.orElseThrow().claimSpending();
    if (granted.isPresent()) {
      keys.goOnFrom(spending());
      claim = granted.get();
    }
  }

  private List<TenantSpending> spending() throws HistoryUnavailable {
    var now = time.wall();
    return history.orElseThrow().spending(List.of(TenantSpend.day(now), TenantSpend.month(now)));
  }

  /** Those who have budgets, by name. */
  private List<String> budgeted() {
    return keys.tenants().stream()
        .filter(ActiveTenant::isBudgeted)
        .map(each -> each.key().tenant())
        .sorted()
        .toList();
  }

  private boolean countsSpending() {
    return claim != null || budgeted().isEmpty();
  }

  private boolean round() {
    try {
      write();
      look();
      trouble = "";
    } catch (HistoryUnavailable gone) {
      // What is known goes on to hold.
      if (!trouble.equals(gone.reason())) {
        trouble = gone.reason();
        warnings.accept("keys cannot be read again: " + gone.reason());
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private void write() throws InterruptedException {
    if (history.isEmpty()) {
      return;
    }
    var more = new ArrayList<TenantSpending>();
    keys.spending().forEach(each -> more.addAll(each.takeUnwritten()));
    if (!more.isEmpty()) {
      history.get().spent(more).await();
    }
  }

  @Override
  public Optional<AccessCheck> access() {
    return Optional.of(access);
  }

  @Override
  public Optional<CallListener> listener() {
    return Optional.of(this);
  }

  @Override
  public void told(ProxiedCall call, CallStep step) {
    if (step instanceof CallStep.Ended ended && call.caller().account().isPresent()) {
      var payer = call.caller().account().get();
      long micros = ended.cost().orElse(Cost.NOTHING).micros();
      keys.spendingOf(call.caller().name())
          .ifPresent(
              known -> known.spend(payer, new TenantSpend.Used(ended.usage().tokens(), micros)));
    }
  }

  /** A tenant's key is of no use from now on; returns whether it had one. */
  public boolean revoke(String tenant) throws HistoryUnavailable, InterruptedException {
    if (history.isEmpty() || keys.named(tenant).isEmpty()) {
      return false;
    }
    write();
    history.get().revoke(tenant);
    look();
    return true;
  }

  /** Whether there is a key that lets somebody in. */
  public boolean anyKey() {
    return !keys.tenants().isEmpty();
  }

  /** Keys are read again. */
  @Override
  public Runnable readAgain() {
    return () -> vertx.executeBlocking(this::round, true);
  }

  /** Each tenant at this moment, by name. */
  public List<TenantStanding> standings() {
    var held = TenantStanding.held(flyball.snapshot());
    var now = time.wall();
    return keys.tenants().stream()
        .map(each -> TenantStanding.of(each, held, now))
        .sorted(Comparator.comparing(TenantStanding::name))
        .toList();
  }

  /** Writes down what was spent. */
  @Override
  public void close() {
    vertx.cancelTimer(timer);
    try {
      write();
      var mine = claim;
      if (mine != null) {
        mine.close();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether an account is a part of a tenant's. */
  static boolean isOf(Account account, String tenant) {
    var top = account;
    while (top.parent().isPresent()) {
      top = top.parent().get();
    }
    return top.name().equals("tenant " + tenant);
  }
}
