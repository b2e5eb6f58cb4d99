package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.Acceleration;
import dev.flyball.simulator.limit.Dimension;
import dev.flyball.simulator.limit.ForeignUse;
import dev.flyball.simulator.limit.InputSplit;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.LimitLevel;
import dev.flyball.simulator.limit.LimitReport;
import dev.flyball.simulator.limit.LimitSnapshot;
import dev.flyball.simulator.limit.Meter;
import dev.flyball.simulator.limit.ModelRequest;
import dev.flyball.simulator.limit.Rejection;
import dev.flyball.simulator.limit.Tariff;
import dev.flyball.simulator.setting.Change;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Profile;
import dev.flyball.simulator.setting.Settings;
import dev.flyball.simulator.value.OptionText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one organisation at one class of models, and what is left of them. It is told the
 * time, and before anything else it catches up: output that has been produced since, somebody
 * else's use, and changed limits are counted at the moments at which they happened, whenever it is
 * that somebody looks.
 */
public final class LimitScope {
  private static final long STEPS = 64;

  private record Production(long at, long order, Serving serving) {}

  private final String name;
  private final Settings settings;
  private final Ledger ledger;
  private final Tariff tariff;
  private final List<Meter> meters = new ArrayList<>();
  private final List<Meter> advertised = new ArrayList<>();
  private final PromptCache cache;
  private final @Nullable Acceleration acceleration;
  private final List<Change> changes;
  private final PriorityQueue<Production> producing =
      new PriorityQueue<>(
          Comparator.comparingLong(Production::at).thenComparingLong(Production::order));
  private final ForeignUse foreign;
  private final ReportedLimits reported = new ReportedLimits();
  private final boolean debits;
  private long order;
  private int changed;

  LimitScope(
      String name,
      Settings settings,
      Profile.ModelClass models,
      PromptCache cache,
      Ledger ledger,
      long now) {
    this.name = name;
    this.settings = settings;
    this.ledger = ledger;
    this.tariff = new Tariff(models.cacheReads(), settings.estimateError(), settings.seed());
    this.cache = cache;
    this.acceleration = settings.acceleration().map(Acceleration::new).orElse(null);
    this.changes = settings.changesInOrder();
    for (Limit limit : settings.limitsOf(models)) {
      meters.add(Meter.of(limit, now));
      advertised.add(Meter.of(limit.bursting(Math.max(limit.amount(), limit.burst())), now));
    }
    this.foreign = new ForeignUse(settings.foreign(), settings.seed(), name, meters.size(), now);
    this.debits = meters.stream().anyMatch(m -> m.limit().settle() == Limit.Settle.AS_PRODUCED);
    holdSlots(now);
    // A change that is over before the first request is simply the limit.
    applyChanges(now);
  }

  private void holdSlots(long now) {
    for (int i = 0; i < meters.size(); i++) {
      Limit limit = meters.get(i).limit();
      long held = limit.kind() == Limit.Kind.CONCURRENCY ? foreign.slots(limit) : 0;
      if (held > 0) {
        takeForeign(i, held, now);
      }
    }
  }

  String name() {
    return name;
  }

  /** What a reply says where this would be true; empty if it says nothing. */
  public Optional<LimitReport> said(LimitSnapshot admission, LimitSnapshot current) {
    return reported.instead(new LimitReport(admission, current), settings.headers());
  }

  private void applyChanges(long now) {
    while (changed < changes.size() && OptionText.micros(changes.get(changed).at()) <= now) {
      Change change = changes.get(changed++);
      List<Limit> before = meters.stream().map(Meter::limit).toList();
      for (Meter meter : meters) {
        if (change.concerns(meter.limit(), before)) {
          become(meter, settings.changed(meter.limit(), change.rate()), now);
        }
      }
    }
  }

  /** A meter goes on with another limit. */
  private void become(Meter meter, Limit limit, long now) {
    meter.become(limit, now);
    advertised
        .get(meters.indexOf(meter))
        .become(limit.bursting(Math.max(limit.amount(), limit.burst())), now);
    ledger.write(
        now, LedgerEntry.What.CHANGED, name, null, limit, limit.amount(), meter.level(now), "");
  }

  void catchUp(long now) {
    while (true) {
      long production = producing.isEmpty() ? Long.MAX_VALUE : producing.peek().at();
      long tick = foreign.next();
      long change =
          changed < changes.size() ? OptionText.micros(changes.get(changed).at()) : Long.MAX_VALUE;
      long next = Math.min(production, Math.min(tick, change));
      if (next > now) {
        payForeign(now);
        return;
      }
      if (next == change) {
        applyChanges(next);
      } else if (next == tick) {
        foreign.tick(meters);
        payForeign(next);
      } else {
        produce(producing.remove());
      }
    }
  }

  /** Somebody else takes what they are owed, as far as it is there. */
  private void payForeign(long now) {
    if (foreign.next() == Long.MAX_VALUE) {
      return;
    }
    for (int i = 0; i < meters.size(); i++) {
      long taken = foreign.take(i, meters.get(i).level(now));
      if (taken > 0) {
        takeForeign(i, taken, now);
      }
    }
  }

  private void takeForeign(int i, long taken, long now) {
    take(i, taken, now);
    Meter meter = meters.get(i);
    ledger.write(
        now, LedgerEntry.What.FOREIGN, name, null, meter.limit(), taken, meter.level(now), "");
  }

  private void produce(Production production) {
    Serving serving = production.serving();
    if (!serving.over()) {
      debit(serving, serving.due(production.at()), production.at());
      schedule(serving);
    }
  }

  private void schedule(Serving serving) {
    long output = serving.ask().output();
    long next = Math.min(output, serving.produced() + Math.max(1, output / STEPS));
    if (debits && serving.produced() < output) {
      producing.add(new Production(serving.producedAt(next), order++, serving));
    }
  }

  private void debit(Serving serving, long produced, long now) {
    long more = produced - serving.produced();
    serving.produced(produced);
    for (int i = 0; i < meters.size() && more > 0; i++) {
      if (meters.get(i).limit().settle() == Limit.Settle.AS_PRODUCED) {
        take(i, more, now);
        write(LedgerEntry.What.DEBITED, serving, i, more, now);
      }
    }
  }

  private void take(int meter, long amount, long now) {
    meters.get(meter).take(amount, now);
    advertised.get(meter).take(amount, now);
  }

  private void giveBack(int meter, long amount, long takenAt, long now) {
    meters.get(meter).giveBack(amount, takenAt, now);
    advertised.get(meter).giveBack(amount, takenAt, now);
  }

  private void write(LedgerEntry.What what, Serving serving, int meter, long amount, long now) {
    Meter of = meters.get(meter);
    ledger.write(now, what, name, serving, of.limit(), amount, of.level(now), "");
  }

  InputSplit split(ModelRequest ask, long now) {
    return cache.split(ask.input(), ask.breakpoints(), now);
  }

  /** The first limit that does not agree, in the order in which they are asked. */
  Optional<Rejection> refuses(ModelRequest ask, InputSplit split, long now) {
    catchUp(now);
    for (Meter meter : meters) {
      Limit limit = meter.limit();
      if (limit.kind() == Limit.Kind.CONCURRENCY
          && acceleration != null
          && !acceleration.allows(tariff.counted(split), now)) {
        return Optional.of(new Rejection.Accelerating());
      }
      long needed = tariff.needed(limit, ask, split);
      if (needed > limit.burst()) {
        return Optional.of(new Rejection.TooLarge(limit, needed));
      }
      long wait = meter.until(needed, now);
      if (wait > 0) {
        return Optional.of(new Rejection.OverLimit(limit, meter.level(now), needed, wait));
      }
    }
    return acceleration != null && !acceleration.allows(tariff.counted(split), now)
        ? Optional.of(new Rejection.Accelerating())
        : Optional.empty();
  }

  /** A request that is turned away for another reason is still a request, to some. */
  void countFailed(long now) {
    catchUp(now);
    for (int i = 0; i < meters.size(); i++) {
      Meter meter = meters.get(i);
      if (meter.limit().dimension() == Dimension.REQUESTS && meter.until(1, now) == 0) {
        take(i, 1, now);
        ledger.write(
            now,
            LedgerEntry.What.CHARGED,
            name,
            null,
            meter.limit(),
            1,
            meter.level(now),
            "failed");
      }
    }
  }

  /** Charges all limits together; the caller has seen that none refuses. */
  long[] charge(ModelRequest ask, InputSplit split, long now) {
    long[] taken = new long[meters.size()];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = tariff.charge(meters.get(i).limit(), ask, split);
      take(i, taken[i], now);
    }
    if (acceleration != null) {
      acceleration.take(tariff.counted(split), now);
    }
    return taken;
  }

  void serve(Serving serving, long now) {
    ledger.write(now, LedgerEntry.What.ADMITTED, name, serving, null, 0, 0, "");
    for (int i = 0; i < meters.size(); i++) {
      if (serving.taken(i) > 0) {
        write(LedgerEntry.What.CHARGED, serving, i, serving.taken(i), now);
      }
    }
    if (serving.worked() && serving.ask().metered()) {
      schedule(serving);
      cache.serve(serving);
    }
  }

  /**
   * Replaces charges by the truth.
   *
   * @param worked false if nothing was done for the request: then only the request itself counts
   */
  void settle(Serving serving, long produced, boolean worked, long now) {
    catchUp(now);
    if (debits) {
      debit(serving, Math.max(produced, serving.produced()), now);
    } else {
      serving.produced(produced);
    }
    for (int i = 0; i < meters.size(); i++) {
      Limit limit = meters.get(i).limit();
      long truth = tariff.truth(limit, serving.split(), produced, worked);
      boolean keeps =
          limit.dimension() == Dimension.REQUESTS
              || limit.settle() == Limit.Settle.AS_PRODUCED
              || (!serving.ask().metered() && limit.dimension() != Dimension.IN_FLIGHT);
      long over = serving.taken(i) - truth;
      if (keeps || over == 0) {
        continue;
      }
      if (over < 0) {
        take(i, -over, now);
        write(LedgerEntry.What.DEBITED, serving, i, -over, now);
      } else if (limit.settle() == Limit.Settle.REFUND || !worked) {
        giveBack(i, over, serving.admittedAt(), now);
        write(LedgerEntry.What.REFUNDED, serving, i, over, now);
      }
    }
    serving.end(now);
  }

  /** The limits as they are, or as this provider would have them seen. */
  public LimitSnapshot snapshot(long now) {
    return snapshot(now, 0);
  }

  /** The limits as they are when the headers of a stream are written, before its output counts. */
  public LimitSnapshot snapshotBefore(Serving serving, long now) {
    catchUp(now);
    return snapshot(now, serving.produced());
  }

  private LimitSnapshot snapshot(long now, long produced) {
    catchUp(now);
    List<Meter> shown = settings.headers().has(Headers.Bug.WRONG_BURST) ? advertised : meters;
    List<LimitLevel> all = new ArrayList<>(shown.size());
    for (Meter meter : shown) {
      boolean debited = meter.limit().settle() == Limit.Settle.AS_PRODUCED;
      all.add(meter.seen(debited ? produced : 0, now));
    }
    return new LimitSnapshot(now, all);
  }
}
