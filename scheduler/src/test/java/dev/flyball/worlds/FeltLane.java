package dev.flyball.worlds;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.VirtualTime;
import dev.flyball.scheduler.Waiter;
import java.util.Random;
import java.util.SplittableRandom;

/** A lane with work for ever, before a limiter that says nothing but yes and no. */
public final class FeltLane {
  /** The limiters. */
  public enum Kind {
    /** Lets everything in: there is nothing to feel. */
    NOTHING,
    BUCKET,
    FIXED_WINDOW,
    SLIDING_WINDOW,
    COUNTER,
    IN_FLIGHT;

    HiddenLimiter limiter() {
      return switch (this) {
        case NOTHING -> HiddenLimiter.slots(Integer.MAX_VALUE);
        case BUCKET -> HiddenLimiter.bucket(10, 10);
        case FIXED_WINDOW -> HiddenLimiter.fixed(100, 10, 3.7, 0);
        case SLIDING_WINDOW -> HiddenLimiter.sliding(100, 10);
        case COUNTER -> HiddenLimiter.counter(100, 10, true);
        case IN_FLIGHT -> HiddenLimiter.slots(4);
      };
    }
  }

  private static final int QUEUED = 64;
  private static final double LATENCY = 0.2;

  private final VirtualTime time = new VirtualTime();
  private final Random random = new Random(7);
  private final HiddenLimiter limiter;
  private final Flyball flyball;
  private final Call call = Call.to(LaneId.of("felt", "model")).estimated(Estimate.of(20, 50));
  private long settled;
  private long refused;

  /** One that is told nothing, with nothing sent so far. */
  public FeltLane(Kind kind) {
    limiter = kind.limiter();
    flyball =
        Flyball.builder()
            .time(time)
            .random(new SplittableRandom(7))
            .listenersOn(Runnable::run)
            .build();
    for (int i = 0; i < QUEUED; i++) {
      time.in(0, this::enter);
    }
  }

  /** How many were turned away so far. */
  public long refused() {
    return refused;
  }

  /** Goes on until one more attempt has come back. */
  public void settleOne() {
    long before = settled;
    while (settled == before) {
      time.step(Double.MAX_VALUE);
    }
  }

  /** One that waits, until it is answered; then the next. */
  private final class Turn implements Runnable {
    private final Waiter<String> waiter = flyball.enter(call, () -> time.in(0, this));
    private boolean busy;

    @Override
    public void run() {
      if (!busy && waiter.admission() instanceof Admission.Granted<String>(var permit)) {
        busy = true;
        time.in(way(), () -> arrive(permit));
      }
    }

    private void arrive(Permit<String> permit) {
      double now = time.seconds();
      if (limiter.admits(now)) {
        limiter.take(now);
        limiter.begun();
        double takes = LATENCY * (0.8 + 0.4 * random.nextDouble());
        time.in(takes, limiter::ended);
        time.in(takes + way(), () -> settle(permit, Reply.answered("", Usage.of(20, 10))));
      } else {
        limiter.refuse(now);
        refused++;
        time.in(way(), () -> settle(permit, Reply.throttled(Signals.NONE)));
      }
    }

    private void settle(Permit<String> permit, Reply<String> reply) {
      settled++;
      switch (permit.settle(reply)) {
        case NextStep.Again<String>() -> {
          busy = false;
          run();
        }
        case NextStep.Ended<String> ended -> enter();
      }
    }
  }

  private void enter() {
    new Turn().run();
  }

  private double way() {
    return 0.001 + 0.019 * random.nextDouble();
  }
}
