package dev.flyball.gateway.proxy;

import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Time;
import dev.flyball.scheduler.Waiter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call as the scheduler would have had it wait, while the call itself went at once. Its permit
 * and its reply come in either order and on any thread; with both it is settled, so that the
 * scheduler learns from replies as if it had paced. Thread-safe.
 */
final class ShadowCall implements Consumer<Waiter<Turn>> {
  private final ShadowReport report;
  private final Time time;
  private final LaneId lane;
  private final long began;
  private final ReentrantLock lock = new ReentrantLock();
  private Duration predicted = Duration.ZERO;

  // All of these are guarded by the lock.
  private @Nullable Permit<Turn> permit;
  private @Nullable Reply<Turn> reply;
  private Optional<Usage> leftWith = Optional.empty();
  private boolean over;

  private ShadowCall(Call call, ShadowReport report, Time time) {
    this.report = report;
    this.time = time;
    this.lane = call.lane();
    this.began = time.nanos();
  }

  /** Takes its place. */
  static ShadowCall enter(Flyball flyball, Call call, ShadowReport report, Time time) {
    var shadow = new ShadowCall(call, report, time);
    var waiter = flyball.enter(call, shadow);
    report.entered();
    if (waiter.admission() instanceof Admission.Wait) {
      shadow.predicted = waiter.place().left();
    }
    shadow.accept(waiter);
    return shadow;
  }

  /** How long it would wait, as far as could be told when it came. */
  Duration predicted() {
    return predicted;
  }

  LaneId lane() {
    return lane;
  }

  @Override
  public void accept(Waiter<Turn> told) {
    var decided = told.admission();
    lock.lock();
    try {
      if (over || permit != null) {
        return;
      }
      switch (decided) {
        case Admission.Granted<Turn>(var granted) -> {
          permit = granted;
          report.granted(Duration.ofNanos(time.nanos() - began));
        }
        case Admission.Refused<Turn>(var outcome) -> {
          over = true;
          report.refused(outcome.refusal());
        }
        case Admission.Wait<Turn> waits -> {}
      }
    } finally {
      lock.unlock();
    }
    settle();
  }

  /** The headers of its reply are here. */
  void sighted(Signals signals) {
    Permit<Turn> granted;
    lock.lock();
    try {
      granted = over ? null : permit;
    } finally {
      lock.unlock();
    }
    if (granted != null) {
      granted.sighted(signals);
    }
  }

  /** That is its reply. */
  void replied(Reply<Turn> whole) {
    report.replied(whole);
    lock.lock();
    try {
      reply = whole;
    } finally {
      lock.unlock();
    }
    settle();
  }

  /** Its client left, when so much was used. */
  void left(Usage soFar) {
    lock.lock();
    try {
      leftWith = Optional.of(soFar);
    } finally {
      lock.unlock();
    }
    settle();
  }

  private void settle() {
    Permit<Turn> granted;
    Reply<Turn> whole;
    Optional<Usage> soFar;
    lock.lock();
    try {
      granted = permit;
      whole = reply;
      soFar = leftWith;
      if (over || granted == null || (whole == null && soFar.isEmpty())) {
        return;
      }
      over = true;
    } finally {
      lock.unlock();
    }
    if (whole != null) {
      granted.settleForGood(whole);
    } else {
      granted.abandon(soFar.orElse(Usage.NONE));
    }
  }
}
