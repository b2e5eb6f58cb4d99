package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.Dimension;
import dev.flyball.simulator.limit.InputSplit;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.LimitSnapshot;
import dev.flyball.simulator.limit.ModelRequest;
import dev.flyball.simulator.limit.Rate;
import dev.flyball.simulator.limit.Rejection;
import dev.flyball.simulator.setting.Fault;
import dev.flyball.simulator.setting.Profile;
import dev.flyball.simulator.setting.Settings;
import dev.flyball.simulator.value.OptionText;
import dev.flyball.simulator.value.RandomDraw;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A provider without a network: it is told of requests and of the time, in microseconds that never
 * go back, and says what becomes of them. One thread.
 */
public final class Provider {
  private final Settings settings;
  private final Ledger ledger;
  private final RequestCounts counts = new RequestCounts();
  private final Map<String, LimitScope> scopes = new HashMap<>();
  private final Map<String, PromptCache> caches = new HashMap<>();
  private final Map<String, Long> spent = new HashMap<>();
  private final AttemptHistory attempts = new AttemptHistory();
  private long requests;

  public Provider(Settings settings) {
    this.settings = settings;
    this.ledger = new Ledger(settings.ledger());
  }

  public Settings settings() {
    return settings;
  }

  public Ledger ledger() {
    return ledger;
  }

  public Stats stats() {
    return counts.stats();
  }

  /** Counts a request that was refused before any limit saw it. */
  public void countInvalid() {
    counts.invalid();
  }

  public Map<String, LimitScope> scopes() {
    return scopes;
  }

  public AttemptHistory attempts() {
    return attempts;
  }

  /** Everything that should have happened by now has happened. */
  public void catchUp(long now) {
    scopes.values().forEach(scope -> scope.catchUp(now));
  }

  private LimitScope scope(ModelRequest ask, long now) {
    Profile.ModelClass models = settings.profile().classOf(ask.call().model());
    if (!ask.metered()) {
      Profile.ModelClass counting = counting(models);
      return scopes.computeIfAbsent(
          ask.call().organization() + "/count-tokens", name -> scope(name, counting, ask, now));
    }
    return scopes.computeIfAbsent(
        ask.call().organization() + "/" + models.of(ask.call().model()),
        name -> scope(name, models, ask, now));
  }

  private LimitScope scope(String name, Profile.ModelClass models, ModelRequest ask, long now) {
    Settings with = ask.metered() ? settings : Settings.of("unlimited");
    PromptCache cache = caches.computeIfAbsent(ask.call().organization(), its -> new PromptCache());
    return new LimitScope(name, with, models, cache, ledger, now);
  }

  /** Counting tokens has a limit of its own. */
  private static Profile.ModelClass counting(Profile.ModelClass models) {
    List<Limit> limits =
        models.countTokens() == 0
            ? List.of()
            : List.of(
                Limit.of(
                    new Rate(Dimension.REQUESTS, models.countTokens(), Duration.ofMinutes(1))));
    return new Profile.ModelClass("count-tokens", List.of(), false, 0, limits);
  }

  /** All limits are charged, or none is. */
  public Verdict admit(ModelRequest ask, long now) {
    String request = "req_sim" + (10_000_000_000L + ++requests);
    LimitScope scope = scope(ask, now);
    counts.arrived(ask);
    List<Fault> struck = faults(ask, now);
    Optional<Fault> outage =
        struck.stream().filter(fault -> fault.kind() == Fault.Kind.OUTAGE).findFirst();
    if (outage.isPresent()) {
      return dropped(ask, request, outage.get(), scope, now);
    }
    InputSplit split = scope.split(ask, now);
    Optional<Rejection> refusal =
        capped(ask.call().organization())
            ? Optional.of(new Rejection.SpendCap())
            : scope.refuses(ask, split, now);
    if (refusal.isPresent()) {
      return rejected(ask, request, refusal.get(), scope, now);
    }
    Optional<Fault> fault = struck.stream().findFirst();
    attempts.met(ask.call());
    long[] taken = scope.charge(ask, split, now);
    long slow =
        fault
            .filter(f -> f.kind() == Fault.Kind.SLOW)
            .map(f -> OptionText.micros(f.delay()))
            .orElse(0L);
    long first =
        now
            + slow
            + settings
                .latency()
                .first(ask.call().draw(settings.seed(), RandomDraw.Purpose.LATENCY));
    Serving serving =
        new Serving(
            request,
            ask,
            scope,
            now,
            split,
            first,
            OptionText.micros(settings.latency().perToken()),
            taken,
            fault,
            scope.snapshot(now));
    scope.serve(serving, now);
    counts.admitted();
    fault.ifPresent(
        met -> {
          counts.faulted(met);
          ledger.write(
              now, LedgerEntry.What.FAULTED, scope.name(), serving, null, 0, 0, met.word());
        });
    return new Verdict.Admitted(serving);
  }

  private Verdict dropped(
      ModelRequest ask, String request, Fault outage, LimitScope scope, long now) {
    attempts.met(ask.call());
    counts.faulted(outage);
    ledger.write(
        now, LedgerEntry.What.FAULTED, scope.name(), request, ask, null, 0, 0, outage.word());
    return new Verdict.Dropped();
  }

  private Verdict rejected(
      ModelRequest ask, String request, Rejection why, LimitScope scope, long now) {
    if (settings.profile().countsFailed()) {
      scope.countFailed(now);
    }
    counts.rejected(why);
    Limit limit =
        switch (why) {
          case Rejection.OverLimit over -> over.limit();
          case Rejection.TooLarge large -> large.limit();
          case Rejection.SpendCap cap -> null;
          case Rejection.Accelerating accelerating -> null;
        };
    long requested =
        switch (why) {
          case Rejection.OverLimit over -> over.requested();
          case Rejection.TooLarge large -> large.requested();
          case Rejection.SpendCap cap -> 0;
          case Rejection.Accelerating accelerating -> 0;
        };
    long level = why instanceof Rejection.OverLimit over ? over.level() : 0;
    LimitSnapshot snapshot = scope.snapshot(now);
    ledger.write(
        now,
        LedgerEntry.What.REJECTED,
        scope.name(),
        request,
        ask,
        limit,
        requested,
        level,
        why.word());
    return new Verdict.Rejected(request, why, scope, snapshot);
  }

  private boolean capped(String organization) {
    return settings.spend().isPresent()
        && spent.getOrDefault(organization, 0L) >= settings.spend().get().cap();
  }

  /** All that this request meets; the first of them is the one that it feels. */
  private List<Fault> faults(ModelRequest ask, long now) {
    if (settings.faults().isEmpty()) {
      return List.of();
    }
    RandomDraw draw = ask.call().draw(settings.seed(), RandomDraw.Purpose.FAULT);
    return settings.faults().stream()
        .filter(fault -> fault.strikes(ask, requests, now, draw.share()))
        .toList();
  }

  /** The whole answer was produced. */
  public void finish(Serving serving, long now) {
    if (!serving.over()) {
      end(serving, serving.ask().output(), true, LedgerEntry.What.FINISHED, now);
      counts.answered(serving);
    }
  }

  /** The caller is gone, or was sent away by a fault: what was produced so far is paid for. */
  public void cut(Serving serving, long now) {
    if (!serving.over()) {
      long produced = serving.worked() ? serving.due(now) : 0;
      end(serving, produced, serving.worked(), LedgerEntry.What.CUT, now);
      counts.cut();
    }
  }

  private void end(
      Serving serving, long produced, boolean worked, LedgerEntry.What what, long now) {
    serving.scope().settle(serving, produced, worked, now);
    ledger.write(now, what, serving.scope().name(), serving, null, produced, 0, "");
    settings
        .spend()
        .filter(spend -> worked && serving.ask().metered())
        .ifPresent(
            spend ->
                spent.merge(
                    serving.ask().call().organization(),
                    spend.cost(serving.split(), produced),
                    Long::sum));
  }
}
