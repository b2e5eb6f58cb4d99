package dev.flyball.forecast;

import dev.flyball.call.Charge;
import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A provider in virtual time that keeps the limits it is assumed to have, and answers. */
final class VirtualProvider {
  private static final int PARTS = 4;
  private static final double REFUSAL = 0.05;
  private static final double DUST = 1e-6;

  /** The amount that is left of a limit. */
  private static final class Level {
    final AssumedLimits.Limit limit;
    private double level;
    private double at;

    Level(AssumedLimits.Limit limit) {
      this.limit = limit;
      this.level = limit.burst();
    }

    double at(double now) {
      level = Math.min(limit.burst(), level + (now - at) * limit.perSecond());
      at = now;
      return level;
    }

    void take(double amount, double now) {
      level = Math.min(limit.burst(), at(now) - amount);
    }
  }

  private final AssumedLimits assumed;
  private final VirtualTime time;
  private final List<Level> levels = new ArrayList<>();
  private final Set<String> cached = new HashSet<>();
  private int inFlight;

  VirtualProvider(AssumedLimits assumed, VirtualTime time) {
    this.assumed = assumed;
    this.time = time;
    assumed.limits().forEach(limit -> levels.add(new Level(limit)));
  }

  /** An attempt arrives now; {@code done} is told what came back, when it does. */
  void attempt(PlannedCall call, long output, double latency, Consumer<Reply<Boolean>> done) {
    var usage = usage(call, output);
    var charged = Estimate.of(usage.input() + usage.cacheWrite(), call.maxOutput().orElse(output));
    double now = time.seconds();
    double wait = 0;
    var exceeded = Optional.<Level>empty();
    for (var each : levels) {
      double needed = each.limit.asProduced() ? DUST : before(each.limit, charged, output);
      if (needed > each.limit.burst() + DUST) {
        refuse(Reply.rejected("larger than the limit", "make it smaller"), done);
        return;
      }
      double lacking = (needed - each.at(now) - DUST) / each.limit.perSecond();
      if (lacking > wait) {
        wait = lacking;
        exceeded = Optional.of(each);
      }
    }
    if (wait > 0 || inFlight >= assumed.inFlight().orElse(Integer.MAX_VALUE)) {
      refuse(Reply.throttled(throttled(wait, exceeded)), done);
      return;
    }
    inFlight++;
    for (var each : levels) {
      if (each.limit.asProduced()) {
        produce(each, output, latency);
      } else {
        each.take(before(each.limit, charged, output), now);
      }
    }
    var atAdmission = sightings(Snapshot.ADMISSION);
    time.in(latency, () -> end(call, charged, usage, atAdmission, done));
  }

  private Usage usage(PlannedCall call, long output) {
    long shared = call.prefix().map(PlannedCall.Prefix::tokens).orElse(0L);
    boolean read = call.prefix().isPresent() && cached.contains(call.prefix().get().name());
    return new Usage(
        call.input() - shared, read ? shared : 0, read ? 0 : shared, output, Cost.NOTHING);
  }

  private static double before(AssumedLimits.Limit limit, Estimate estimate, long output) {
    return (double) limit.terms().charge().before(estimate, output);
  }

  private void produce(Level level, long output, double latency) {
    for (int i = 1; i <= PARTS; i++) {
      time.in(latency * i / PARTS, () -> level.take(output / (double) PARTS, time.seconds()));
    }
  }

  private void refuse(Reply<Boolean> reply, Consumer<Reply<Boolean>> done) {
    time.in(REFUSAL, () -> done.accept(reply));
  }

  private void end(
      PlannedCall call,
      Estimate charged,
      Usage usage,
      List<Sighting> atAdmission,
      Consumer<Reply<Boolean>> done) {
    inFlight--;
    call.prefix().ifPresent(prefix -> cached.add(prefix.name()));
    for (var each : levels) {
      double more =
          (double) each.limit.terms().charge().after(usage)
              - before(each.limit, charged, usage.output());
      switch (each.limit.terms().settle()) {
        case REFUND -> each.take(more, time.seconds());
        case NO_REFUND -> each.take(Math.max(0, more), time.seconds());
        case AS_PRODUCED -> {}
      }
    }
    var seen = new ArrayList<>(atAdmission);
    seen.addAll(sightings(Snapshot.HEADERS));
    done.accept(Reply.answered(true, usage, signals(seen)));
  }

  /** A provider that tells of levels names the limit that was met, in words if not in headers. */
  private Signals throttled(double wait, Optional<Level> exceeded) {
    return switch (assumed.disclosure()) {
      case NOTHING -> Signals.NONE;
      case WAITS -> waiting(Signals.NONE, wait);
      case LEVELS -> {
        var seen = sightings(Snapshot.ADMISSION);
        exceeded
            .filter(each -> !each.limit.told())
            .ifPresent(each -> seen.add(sighting(each, Snapshot.UNKNOWN)));
        var told = waiting(signals(seen), wait);
        yield exceeded.map(each -> told.exceeding(each.limit.terms().dimension())).orElse(told);
      }
    };
  }

  private static Signals waiting(Signals signals, double wait) {
    return wait > 0 ? signals.retryAfter(Duration.ofSeconds((long) Math.ceil(wait))) : signals;
  }

  private Signals signals(List<Sighting> seen) {
    return assumed.disclosure() == AssumedLimits.Disclosure.LEVELS
        ? Signals.of(seen.toArray(Sighting[]::new))
        : Signals.NONE;
  }

  /** Requests are looked at when an attempt is let in, tokens when its headers are written. */
  private List<Sighting> sightings(Snapshot point) {
    var all = new ArrayList<Sighting>();
    for (var each : levels) {
      boolean requests = each.limit.terms().charge() == Charge.ONE;
      if (each.limit.told() && requests == (point == Snapshot.ADMISSION)) {
        all.add(sighting(each, point));
      }
    }
    return all;
  }

  private Sighting sighting(Level level, Snapshot point) {
    double left = level.at(time.seconds());
    double reset = (level.limit.burst() - left) / level.limit.perSecond();
    Dimension dimension = level.limit.terms().dimension();
    return Sighting.of(dimension, level.limit.stated(), (long) Math.max(0, left + DUST))
        .resetIn(Duration.ofMillis((long) Math.ceil(reset * 1e3)))
        .at(point);
  }
}
