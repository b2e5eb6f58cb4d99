package dev.flyball.scheduler;

import dev.flyball.call.Call;
import dev.flyball.call.Usage;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A call's place in its lane, kept across retries. Thread-safe.
 *
 * <h2>Its fields</h2>
 *
 * A million of these may wait, so this is one object and not five, and what follows from other
 * fields is not kept. Its fields are visible in the package and belong to the lane's lock: the
 * dispatcher writes what the call waits for, the settlement writes what its attempts came to, and
 * the permit takes {@link #waited} with it. {@link #answer} alone is read without the lock: it is
 * written once for each attempt, before the waiter is woken, and cleared under the lock when
 * another attempt follows; by then whoever waited has gone on. The {@link #nextWoken} link is the
 * list of those who are woken when the lock is released, so that waking needs no list of its own.
 *
 * @param <T> what an answer is
 */
public final class Waiter<T> {
  final Call call;
  final Lane lane;
  private final @Nullable Runnable wake;
  private final @Nullable Thread thread;
  final long number;
  final long due;
  volatile Admission.@Nullable Decided<T> answer;
  @Nullable Waiter<?> nextWoken;
  Constraint waitsFor = Constraint.TURN;
  long waitsSince;
  long waitsUntil = Long.MAX_VALUE;
  @Nullable Waited waited;
  long overtakenBy;
  int attempts;
  int failures;
  boolean retrying;
  Usage usage = Usage.NONE;

  /** Without a {@code wake} it is the entering thread that waits. */
  Waiter(Call call, Lane lane, @Nullable Runnable wake, long number, long now) {
    this.call = call;
    this.lane = lane;
    this.wake = wake;
    this.thread = wake == null ? Thread.currentThread() : null;
    this.number = number;
    this.waitsSince = now;
    this.due = now + call.priority().patience().toNanos();
  }

  /** How long it has waited for one thing since its last attempt, and then for others. */
  static final class Waited {
    final Constraint constraint;
    final @Nullable Waited others;
    long nanos;

    Waited(Constraint constraint, @Nullable Waited others) {
      this.constraint = constraint;
      this.others = others;
    }
  }

  /** It has waited so long for what it waits for. */
  void waited(long nanos) {
    var same = waited;
    while (same != null && !same.constraint.equals(waitsFor)) {
      same = same.others;
    }
    if (same == null) {
      same = new Waited(waitsFor, waited);
      waited = same;
    }
    same.nanos += nanos;
  }

  // A million of these may wait: what follows from something else is not kept.

  long enteredAt() {
    return due - call.priority().patience().toNanos();
  }

  long deadline() {
    var within = call.within();
    return within.isEmpty() ? Long.MAX_VALUE : enteredAt() + within.get().toNanos();
  }

  /**
   * {@return whether it may go; while it may not, the reason and the time left are those of this
   * moment}
   */
  public Admission<T> admission() {
    var decided = answer;
    return decided != null ? decided : lane.admissionOf(this);
  }

  /**
   * Takes the call back; what was granted in between is given back too. Does nothing after the call
   * is over.
   */
  public void withdraw() {
    lane.withdraw(this);
  }

  /** Tells whoever waits that there is an answer. */
  void wake() {
    if (wake == null) {
      LockSupport.unpark(thread);
    } else {
      EventFeed.harmless(wake, "a wake");
    }
  }

  /** Blocks until the call may go or is refused; an interrupt withdraws it. */
  Admission.Decided<T> await() throws InterruptedException {
    for (var decided = answer; ; decided = answer) {
      if (decided != null) {
        return decided;
      }
      if (Thread.interrupted()) {
        withdraw();
        throw new InterruptedException("interrupted while waiting for " + waitsFor);
      }
      LockSupport.park();
    }
  }

  static int inOrder(Waiter<?> one, Waiter<?> other) {
    int byDue = Long.compare(one.due, other.due);
    return byDue != 0 ? byDue : Long.compare(one.number, other.number);
  }

  static int byDeadline(Waiter<?> one, Waiter<?> other) {
    int byTime = Long.compare(one.deadline(), other.deadline());
    return byTime != 0 ? byTime : Long.compare(one.number, other.number);
  }
}
