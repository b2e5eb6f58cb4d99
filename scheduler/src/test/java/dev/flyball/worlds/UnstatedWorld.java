package dev.flyball.worlds;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Time;
import dev.flyball.scheduler.VirtualTime;
import dev.flyball.scheduler.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Equal calls through the real scheduler against a limiter that says nothing but yes and no. The
 * way there and back takes 1 to 20 ms each, so calls that are sent together arrive in any order; a
 * refusal comes back at once, an answer takes its time, give or take a fifth.
 */
public final class UnstatedWorld {
  /** The lane of all of them. */
  public static final LaneId LANE = LaneId.of("unstated", "model");

  /** How a limiter says no. */
  public enum Refusal {
    /** 429, and no word more. */
    BARE,
    /** 429 with the wait in whole seconds, rounded up. */
    RETRY_AFTER,
    /** 503, at once. */
    UNAVAILABLE
  }

  /**
   * How it went.
   *
   * @param least the least time in which somebody who knows the limiter could do it
   * @param silence the longest time without a call sent
   * @param allowedSilence how long the limiter, or a slow answer, may have been the reason
   */
  public record Result(
      double seconds,
      double least,
      int refused,
      int answered,
      double silence,
      double allowedSilence,
      LearnedLimits learned) {
    public double ratio() {
      return seconds / least;
    }
  }

  private static final double NEVER = Double.POSITIVE_INFINITY;

  private final HiddenLimiter limiter;
  private final int calls;
  private final double latency;
  private final Refusal refusal;
  private final Random random;
  private final double jitter;
  private double connecting;
  private final VirtualTime time = new VirtualTime();
  private final StallingMachine machine;
  private final Flyball flyball;
  private final List<Waiter<String>> waiters = new ArrayList<>();
  private final boolean[] busy;
  private int answered;
  private int failed;
  private int refused;
  private double lastAnswer;
  private double lastSent;
  private double silence;

  private UnstatedWorld(
      HiddenLimiter limiter,
      int calls,
      double latency,
      Refusal refusal,
      long seed,
      double stall,
      LearnedLimits before) {
    this.limiter = limiter;
    this.machine = new StallingMachine(time, stall);
    this.calls = calls;
    this.latency = latency;
    this.refusal = refusal;
    this.random = new Random(seed * 1_000_003 + (long) (latency * 1000));
    this.jitter = Math.min(0.019, 0.2 * latency);
    this.busy = new boolean[calls];
    this.flyball =
        Flyball.builder()
            .time(machine)
            .random(new SplittableRandom(seed + 3))
            .listenersOn(Runnable::run)
            .memory(before)
            .mostInFlight(2_000)
            .build();
  }

  /**
   * Runs all calls.
   *
   * @param before what an earlier run has learned
   */
  public static Result run(
      UnstatedCase test, double latency, Refusal refusal, long seed, LearnedLimits before) {
    return run(test, latency, refusal, seed, seed, before);
  }

  /** The same by a machine that stands still for three seconds, from a moment on. */
  static Result stalled(UnstatedCase test, double latency, long seed, double from) {
    int calls = test.calls(latency);
    double least = least(test.limiter(seed), calls, latency, seed);
    var limiter = test.limiter(seed);
    return new UnstatedWorld(limiter, calls, latency, Refusal.BARE, seed, from, LearnedLimits.NONE)
        .run(least);
  }

  /** The same when the first calls wait so long for a connection. */
  static Result connecting(UnstatedCase test, double latency, long seed, double seconds) {
    int calls = test.calls(latency);
    double least = least(test.limiter(seed), calls, latency, seed);
    var world =
        new UnstatedWorld(
            test.limiter(seed), calls, latency, Refusal.BARE, seed, NEVER, LearnedLimits.NONE);
    world.connecting = seconds;
    return world.run(least);
  }

  static Result run(
      UnstatedCase test,
      double latency,
      Refusal refusal,
      long seed,
      long network,
      LearnedLimits before) {
    int calls = test.calls(latency);
    double least = least(test.limiter(seed), calls, latency, seed);
    var limiter = test.limiter(seed);
    return new UnstatedWorld(limiter, calls, latency, refusal, network, NEVER, before).run(least);
  }

  private Result run(double least) {
    double most = 12 * least + 60;
    time.in(0, this::enterAll);
    boolean going = true;
    while (going && answered + failed < calls) {
      going = time.step(most);
    }
    double seconds = answered < calls ? most : lastAnswer;
    double allowed = Math.max(limiter.span(), 1.25 * latency);
    return new Result(seconds, least, refused, answered, silence, allowed, flyball.memory());
  }

  private void enterAll() {
    for (int i = 0; i < calls; i++) {
      int number = i;
      var call = Call.to(LANE).named("call-" + i).estimated(Estimate.of(20, 50));
      waiters.add(flyball.enter(call, () -> time.in(0, () -> go(number))));
      time.in(0, () -> go(number));
    }
  }

  private void go(int number) {
    if (busy[number]) {
      return;
    }
    switch (waiters.get(number).admission()) {
      case Admission.Wait<String> wait -> {}
      case Admission.Refused<String> never -> {
        busy[number] = true;
        failed++;
      }
      case Admission.Granted<String>(var permit) -> {
        busy[number] = true;
        silence = Math.max(silence, time.seconds() - lastSent);
        lastSent = time.seconds();
        double waits = Math.max(0, connecting - time.seconds());
        time.in(waits + way(), () -> arrive(number, permit));
      }
    }
  }

  private double way() {
    return 0.001 + random.nextDouble() * jitter;
  }

  private void arrive(int number, Permit<String> permit) {
    double now = time.seconds();
    double back = way();
    double takes = Math.max(0.001, latency * (0.8 + 0.4 * random.nextDouble()) - 2 * back);
    if (limiter.admits(now)) {
      limiter.take(now);
      limiter.begun();
      time.in(takes, limiter::ended);
      machine.in(takes + back, () -> settle(number, permit, Reply.answered("", Usage.of(20, 10))));
    } else {
      limiter.refuse(now);
      refused++;
      var reply = refusal(limiter.opensAt(now) - now);
      machine.in(0.001 + back, () -> settle(number, permit, reply));
    }
  }

  private Reply<String> refusal(double wait) {
    long seconds = (long) Math.max(1, Math.ceil(wait));
    return switch (refusal) {
      case BARE -> Reply.throttled(Signals.NONE);
      case RETRY_AFTER -> Reply.throttled(Signals.NONE.retryAfter(Duration.ofSeconds(seconds)));
      case UNAVAILABLE -> new Reply.Overloaded<>("busy", Signals.NONE);
    };
  }

  private void settle(int number, Permit<String> permit, Reply<String> reply) {
    switch (permit.settle(reply)) {
      case NextStep.Again<String>() -> {
        busy[number] = false;
        time.in(0, () -> go(number));
      }
      case NextStep.Ended<String>(var outcome) -> {
        boolean done = outcome instanceof Outcome.Done;
        answered += done ? 1 : 0;
        failed += done ? 0 : 1;
        lastAnswer = done ? time.seconds() : lastAnswer;
      }
    }
  }

  /** Somebody who knows the limiter goes the moment it may, and has no way to go. */
  private static double least(HiddenLimiter limiter, int calls, double latency, long seed) {
    var random = new Random(seed + 99);
    var ends = new PriorityQueue<Double>();
    double last = 0;
    int sent = 0;
    for (double now = 0; sent < calls; now += 0.002) {
      while (!ends.isEmpty() && ends.peek() <= now) {
        ends.remove();
        limiter.ended();
      }
      while (sent < calls && limiter.admits(now)) {
        limiter.take(now);
        limiter.begun();
        sent++;
        double end = now + latency * (0.8 + 0.4 * random.nextDouble());
        ends.add(end);
        last = Math.max(last, end);
      }
    }
    return last;
  }

  /** Our own machine, which hears and does nothing for three seconds from a moment on. */
  private record StallingMachine(VirtualTime time, double from) implements Time {
    private double heard(double at) {
      return at >= from && at < from + 3 ? from + 3 : at;
    }

    void in(double seconds, Runnable what) {
      time.in(heard(time.seconds() + seconds) - time.seconds(), what);
    }

    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public Instant wall() {
      return time.wall();
    }

    @Override
    public Alarm alarm(long at, Runnable ring) {
      return time.alarm(Math.round(1e9 * heard(at / 1e9)), ring);
    }
  }
}
