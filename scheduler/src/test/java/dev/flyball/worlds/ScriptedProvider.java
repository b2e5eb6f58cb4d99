package dev.flyball.worlds;

import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A provider that follows its script: true limits, told as its style tells them, and faults. */
public final class ScriptedProvider {
  private static final int CHUNKS = 10;

  /** What the provider's clock shows when the world begins, in seconds. */
  private static final double WALL = 0.43;

  /** A limit as it stands. */
  private static final class Level {
    final TrueLimit limit;
    double factor = 1;
    double level;
    double at;
    double advertised;
    double windowEnd;

    Level(TrueLimit limit) {
      this.limit = limit;
      this.level = limit.start();
      this.advertised = perPeriod();
      this.windowEnd = limit.window();
    }

    double perPeriod() {
      return Math.round(factor * limit.perSecond() * limit.dimension().period().toNanos() / 1e9);
    }

    double burst() {
      return Math.max(1, limit.burst() * (factor < 1 ? factor : 1));
    }

    double level(double now) {
      double elapsed = now - at;
      advertised = Math.min(perPeriod(), advertised + elapsed * factor * limit.perSecond());
      if (limit.window() > 0) {
        while (now >= windowEnd) {
          level = burst();
          windowEnd += limit.window();
        }
      } else {
        level = Math.min(burst(), level + elapsed * factor * limit.perSecond());
      }
      at = now;
      return level;
    }

    void take(double amount, double now) {
      level(now);
      level -= amount;
      advertised -= amount;
    }

    /** Foreign load never pushes a bucket into debt. */
    double takeAtMost(double amount, double now) {
      double taken = Math.max(0, Math.min(amount, level(now)));
      take(taken, now);
      return taken;
    }

    double full(double now) {
      double left =
          limit.window() > 0
              ? windowEnd - now
              : (burst() - level(now)) / (factor * limit.perSecond());
      return Math.max(0, left);
    }
  }

  private final Scenario scenario;
  private final VirtualTime time;
  private final Random random;
  private final List<Level> levels = new ArrayList<>();
  private int inFlight;
  private List<Sighting> stale = List.of();
  private int attempts;
  private int throttles;
  private int answers;

  public ScriptedProvider(Scenario scenario, VirtualTime time, Random random) {
    this.scenario = scenario;
    this.time = time;
    this.random = random;
    scenario.limits().forEach(limit -> levels.add(new Level(limit)));
    scenario.changes().forEach(change -> time.in(change.at(), () -> change(change.factor())));
    if (scenario.foreign() > 0) {
      levels.forEach(level -> time.in(0, () -> foreign(level)));
    }
  }

  public int attempts() {
    return attempts;
  }

  /** How many attempts were turned away by a limit. */
  public int throttles() {
    return throttles;
  }

  public int answers() {
    return answers;
  }

  public int inFlight() {
    return inFlight;
  }

  private void change(double factor) {
    levels.forEach(
        level -> {
          level.level(time.seconds());
          level.factor = factor;
          level.level = Math.min(level.level, level.burst());
          level.advertised = Math.min(level.advertised, level.perPeriod());
        });
  }

  /** Somebody else takes a tenth of a second's worth, evenly or at random, as often as it needs. */
  private void foreign(Level level) {
    double rate = scenario.foreign() * level.limit.perSecond() * level.factor;
    double grain = level.limit.dimension().name().equals("requests") ? 1 : Math.max(1, rate / 10);
    level.takeAtMost(grain, time.seconds());
    double gap = grain / rate;
    time.in(
        scenario.unsteady() ? -Math.log(1 - random.nextDouble()) * gap : gap, () -> foreign(level));
  }

  private boolean hit(Scenario.Kind kind) {
    for (var fault : scenario.faults()) {
      double now = time.seconds();
      if (fault.kind() == kind && now >= fault.from() && now < fault.to()) {
        return fault.part() >= 1 || random.nextDouble() < fault.part();
      }
    }
    return false;
  }

  /**
   * One attempt arrives now.
   *
   * @param headers told when response headers are there, before the answer
   * @param done told what came back
   */
  public void attempt(Job job, Consumer<Signals> headers, Consumer<Reply<String>> done) {
    attempts++;
    double varied = scenario.jitter() * (2 * random.nextDouble() - 1);
    double latency = scenario.latency() * job.slowness() * (1 + varied);
    // Half of the way is short enough that later attempts seldom overtake earlier ones.
    double way = scenario.network() / 2 * (1 + 0.2 * scenario.jitter() * random.nextDouble());
    time.in(
        way,
        () ->
            arrive(
                job,
                Math.max(0, latency - 2 * way),
                Math.max(0, Math.min(latency, scenario.refusal()) - 2 * way),
                signals -> time.in(way, () -> headers.accept(signals)),
                reply -> time.in(way, () -> done.accept(reply))));
  }

  private void arrive(
      Job job,
      double latency,
      double refusal,
      Consumer<Signals> headers,
      Consumer<Reply<String>> done) {
    inFlight++;
    if (hit(Scenario.Kind.BROKEN_BEFORE)) {
      end(refusal, done, () -> new Reply.Broken<>("connection refused", false));
    } else if (hit(Scenario.Kind.OVERLOADED)) {
      end(refusal, done, () -> new Reply.Overloaded<>("overloaded", Signals.NONE));
    } else if (hit(Scenario.Kind.SPEND_CAP)) {
      end(
          refusal,
          done,
          () -> new Reply.Rejected<>("spend cap reached", "raise it", true, Optional.empty()));
    } else {
      admit(job, latency, refusal, headers, done);
    }
  }

  private void end(
      double after,
      Consumer<Reply<String>> done,
      java.util.function.Supplier<Reply<String>> reply) {
    time.in(
        after,
        () -> {
          inFlight--;
          done.accept(reply.get());
        });
  }

  private void admit(
      Job job,
      double latency,
      double refusal,
      Consumer<Signals> headers,
      Consumer<Reply<String>> done) {
    double now = time.seconds();
    Level lacking = null;
    double wait = 0;
    for (var level : levels) {
      if (!level.limit.asProduced() && amount(job, level) > level.burst()) {
        end(refusal, done, () -> Reply.rejected("request too large", "split it"));
        return;
      }
      double needed = level.limit.asProduced() ? 1e-9 : amount(job, level);
      double missing = needed - level.level(now);
      if (missing > 1e-9) {
        double left =
            level.limit.window() > 0
                ? level.full(now)
                : missing / (level.factor * level.limit.perSecond());
        if (lacking == null || left > wait) {
          lacking = level;
          wait = left;
        }
      }
    }
    if (lacking != null || inFlight > scenario.inFlight() || hit(Scenario.Kind.ACCELERATION)) {
      throttles++;
      boolean acceleration = lacking == null && inFlight <= scenario.inFlight();
      var signals = throttled(lacking, wait, acceleration);
      end(refusal, done, () -> Reply.throttled(signals));
      return;
    }
    for (var level : levels) {
      if (!level.limit.asProduced()) {
        level.take(amount(job, level), now);
      }
    }
    var atAdmission = sightings(Snapshot.ADMISSION);
    double produced = latency * 0.9;
    for (var level : levels) {
      if (level.limit.asProduced()) {
        for (int i = 0; i < CHUNKS; i++) {
          double at = latency - produced + produced * (i + 1) / CHUNKS - 1e-6;
          time.in(at, () -> level.take(job.output() / (double) CHUNKS, time.seconds()));
        }
      }
    }
    if (scenario.streaming()) {
      time.in(latency / 10, () -> headers.accept(signals(atAdmission, now)));
    }
    if (hit(Scenario.Kind.BROKEN_AFTER)) {
      end(latency, done, () -> new Reply.Broken<>("timed out", true));
    } else if (hit(Scenario.Kind.CUT)) {
      end(
          latency,
          done,
          () -> new Reply.CutShort<>("cut", Usage.of(job.input(), job.output()), Signals.NONE));
    } else {
      end(
          latency,
          done,
          () -> {
            answers++;
            return Reply.answered(
                job.name(),
                Usage.of(job.input(), job.output()),
                scenario.streaming() ? Signals.NONE : signals(atAdmission, now));
          });
    }
  }

  private static double amount(Job job, Level level) {
    return switch (level.limit.dimension().name()) {
      case "requests" -> 1;
      case "input_tokens" -> job.input();
      case "output_tokens" -> job.output();
      default -> job.input() + job.output();
    };
  }

  private Signals throttled(@Nullable Level lacking, double wait, boolean acceleration) {
    var signals =
        switch (scenario.style()) {
          case NONE, RETRY_AFTER -> Signals.NONE;
          default -> signals(sightings(Snapshot.ADMISSION), time.seconds());
        };
    if (acceleration) {
      return signals.tooFast();
    }
    boolean told = scenario.style() != Style.NONE && scenario.style() != Style.PARTIAL;
    return lacking != null && told
        ? signals.retryAfter(Duration.ofSeconds((long) Math.max(1, Math.ceil(wait))))
        : signals;
  }

  private Signals signals(List<Sighting> atAdmission, double admittedAt) {
    var style = scenario.style();
    if (style == Style.NONE || style == Style.RETRY_AFTER) {
      return Signals.NONE;
    }
    var all = new ArrayList<>(atAdmission);
    if (style == Style.ROUNDED) {
      all.replaceAll(seen -> seen.resetIn(untilMoment(seen.reset().orElseThrow(), admittedAt)));
    }
    all.addAll(sightings(Snapshot.HEADERS));
    if (style == Style.STALE && random.nextInt(10) == 0 && !stale.isEmpty()) {
      return new Signals(stale, Optional.empty(), Optional.empty(), false);
    }
    if (style == Style.PARTIAL && random.nextInt(3) == 0) {
      all.remove(random.nextInt(all.size()));
    }
    stale = List.copyOf(all);
    return new Signals(all, Optional.empty(), Optional.empty(), false);
  }

  /** A moment cut to whole seconds, held against the date of a reply that is written now. */
  private Duration untilMoment(Duration left, double from) {
    double moment = Math.floor(WALL + from + left.toNanos() / 1e9);
    return Duration.ofSeconds((long) Math.max(0, moment - Math.floor(WALL + time.seconds())));
  }

  /** What is seen now of the limits that are looked at then. */
  private List<Sighting> sightings(Snapshot point) {
    double now = time.seconds();
    var all = new ArrayList<Sighting>();
    for (var level : levels) {
      boolean requests = level.limit.dimension().name().equals("requests");
      if (requests == (point == Snapshot.ADMISSION)) {
        all.add(sighting(level, point, now));
      }
    }
    return all;
  }

  private Sighting sighting(Level level, Snapshot point, double now) {
    double seen = level.level(now);
    double reset = level.full(now);
    if (scenario.style() == Style.WRONG_BURST) {
      seen = level.advertised;
      reset = (level.perPeriod() - seen) / (level.factor * level.limit.perSecond());
    }
    long step = scenario.style() == Style.ROUNDED && point == Snapshot.HEADERS ? 1000 : 1;
    long remaining = step > 1 ? Math.round(seen / step) * step : (long) Math.floor(seen + 1e-9);
    boolean partial = scenario.style() == Style.PARTIAL;
    return new Sighting(
        level.limit.dimension(),
        OptionalLong.of((long) level.perPeriod()),
        OptionalLong.of(Math.max(0, remaining)),
        partial
            ? Optional.empty()
            : Optional.of(
                step > 1
                    ? untilMoment(Duration.ofNanos((long) (reset * 1e9)), now)
                    : Duration.ofMillis((long) Math.ceil(reset * 1000))),
        partial ? Snapshot.UNKNOWN : point,
        step);
  }
}
