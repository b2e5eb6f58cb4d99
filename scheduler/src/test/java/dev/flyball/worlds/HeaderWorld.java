package dev.flyball.worlds;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.VirtualTime;
import dev.flyball.scheduler.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** The real scheduler before a limiter that tells what it does in its headers. */
final class HeaderWorld {
  static final LaneId LANE = LaneId.of("limiter", "model");
  private static final double WAY = 0.005;

  /**
   * How it went.
   *
   * @param silence the longest time without any attempt, in seconds
   */
  record Result(
      double seconds,
      double least,
      int refused,
      int answered,
      double silence,
      LearnedLimits memory) {
    double ratio() {
      return seconds / least;
    }
  }

  private final VirtualTime time = new VirtualTime();
  private final SplittableRandom random;
  private final HeaderLimiter limiter;
  private final HeaderStyle style;
  private final double latency;
  private final Flyball flyball;
  private final List<Waiter<String>> waiters = new ArrayList<>();
  private final Set<Integer> busy = new HashSet<>();
  private boolean retryAfter;
  private long tokens;
  private double jitter;
  private BooleanSupplier told = () -> true;
  private int answered;
  private int refused;
  private double last;
  private double lastSent;
  private double silence;

  HeaderWorld(
      HeaderLimiter limiter, HeaderStyle style, double latency, LearnedLimits memory, long seed) {
    this.limiter = limiter;
    this.style = style;
    this.latency = latency;
    this.random = new SplittableRandom(seed);
    this.flyball =
        Flyball.builder()
            .time(time)
            .random(new SplittableRandom(seed + 1))
            .listenersOn(Runnable::run)
            .memory(memory)
            .build();
  }

  /** Refusals say in whole seconds how long to wait. */
  HeaderWorld withRetryAfter() {
    retryAfter = true;
    return this;
  }

  /** The limiter counts tokens, and each call has so many. */
  HeaderWorld ofTokens(long each) {
    tokens = each;
    return this;
  }

  /** The way there takes up to so much longer, in seconds. */
  HeaderWorld jittering(double most) {
    jitter = most;
    return this;
  }

  /** Only those replies have headers. */
  HeaderWorld telling(BooleanSupplier which) {
    told = which;
    return this;
  }

  Flyball flyball() {
    return flyball;
  }

  VirtualTime time() {
    return time;
  }

  Result run(int calls, double mostSeconds) {
    for (int i = 0; i < calls; i++) {
      int number = i;
      var call = Call.to(LANE).named("call-" + i).estimated(Estimate.of(tokens, 0));
      waiters.add(flyball.enter(call, () -> time.in(0, () -> look(number))));
      time.in(0, () -> look(number));
    }
    while (answered < calls && time.step(mostSeconds)) {}
    double least = limiter.least(calls, amount()) + latency;
    double seconds = answered < calls ? mostSeconds : last;
    return new Result(seconds, least, refused, answered, silence, flyball.memory());
  }

  private double amount() {
    return tokens > 0 ? tokens : 1;
  }

  private void look(int number) {
    if (waiters.get(number).admission() instanceof Admission.Granted<String>(var permit)
        && busy.add(number)) {
      silence = Math.max(silence, time.seconds() - lastSent);
      lastSent = time.seconds();
      double way = WAY * (1 + 0.2 * random.nextDouble());
      double late = jitter > 0 ? jitter * random.nextDouble() : 0;
      time.in(way + late, () -> arrive(number, permit));
    }
  }

  private void arrive(int number, Permit<String> permit) {
    double at = time.seconds();
    boolean in = limiter.admits(amount(), at);
    var then = limiter.levels(at);
    boolean headers = told.getAsBoolean();
    double varied = latency * (1 + 0.2 * (random.nextDouble() - 0.5));
    double takes = in ? Math.max(0, varied - 2 * WAY) : 0.001;
    time.in(
        takes,
        () -> {
          var signals =
              headers
                  ? style.signals(
                      limiter, tokens > 0 ? "tokens" : "requests", then, at, time.seconds())
                  : Signals.NONE;
          if (!in) {
            refused++;
            if (retryAfter) {
              signals =
                  signals.retryAfter(
                      Duration.ofSeconds((long) Math.max(1, Math.ceil(then.reset()))));
            }
          }
          Reply<String> reply =
              in ? Reply.answered("ok", Usage.of(tokens, 0), signals) : Reply.throttled(signals);
          time.in(WAY, () -> settle(number, permit, reply));
        });
  }

  private void settle(int number, Permit<String> permit, Reply<String> reply) {
    busy.remove(number);
    switch (permit.settle(reply)) {
      case NextStep.Again<String>() -> look(number);
      case NextStep.Ended<String>(var outcome) -> {
        answered++;
        last = time.seconds();
      }
    }
  }
}
