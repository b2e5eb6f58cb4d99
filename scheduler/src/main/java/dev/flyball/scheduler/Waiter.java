package dev.flyball.scheduler;

import dev.flyball.call.Call;
import dev.flyball.call.Refusal;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
 * <p>Long because a call that waits in several lanes is told here too, beside the fields it shares.
 *
 * @param <T> what an answer is
 */
public final class Waiter<T> {
  final Call call;
  final Lane lane;
  private final @Nullable Consumer<? super Waiter<T>> wake;
  private final @Nullable Thread thread;
  final @Nullable AnyLane<T> anyLane;
  final long number;
  final long due;
  private volatile Admission.@Nullable Decided<T> answer;
  @Nullable Waiter<?> nextWoken;
  Constraint waitsFor = Constraint.TURN;
  long waitsSince;
  long waitsUntil = Long.MAX_VALUE;
  @Nullable Waited waited;
  long overtakenBy;
  int attempts;
  int failures;
  boolean retrying;
  boolean stands;

  /** Nothing is tried after the attempt that is being settled. */
  boolean last;

  /** The end of the time for which it may wait; the time of its attempts does not count. */
  long waitEnds;

  Usage usage = Usage.NONE;

  /** Without a {@code wake} it is the entering thread that waits. */
  Waiter(
      Call call,
      Lane lane,
      @Nullable Consumer<? super Waiter<T>> wake,
      @Nullable AnyLane<T> anyLane,
      long number,
      long now) {
    this.call = call;
    this.lane = lane;
    this.wake = wake;
    this.anyLane = anyLane;
    this.thread = wake == null ? Thread.currentThread() : null;
    this.number = number;
    this.waitsSince = now;
    this.due = now + call.priority().patience().toNanos();
    var most = call.waiting();
    this.waitEnds = most.isEmpty() ? Long.MAX_VALUE : now + most.get().toNanos();
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

  /** The moment after which no attempt may go. */
  long latest() {
    return Math.min(deadline(), waitEnds);
  }

  boolean isBounded() {
    return call.within().isPresent() || waitEnds != Long.MAX_VALUE;
  }

  /** The time that it had, and that is over. */
  Duration had() {
    var most = call.waiting();
    return most.isPresent() && waitEnds <= deadline()
        ? most.get()
        : call.within().orElse(Duration.ZERO);
  }

  Admission.@Nullable Decided<T> answer() {
    return anyLane == null ? answer : anyLane.answer;
  }

  /** It may go, or never will; or with null, it waits again. */
  void answer(Admission.@Nullable Decided<T> decided) {
    if (anyLane == null) {
      answer = decided;
    } else {
      anyLane.answer = decided;
    }
  }

  /** It waits for another attempt, and for so long at least. */
  void waitsAgain(long pause, long now) {
    waitsSince = now;
    waitsFor = pause > 0 ? Constraint.RETRY : Constraint.TURN;
    waitsUntil = now + pause;
  }

  /**
   * {@return whether it may go; while it may not, the reason and the time left are those of this
   * moment}
   */
  public Admission<T> admission() {
    var decided = answer();
    if (decided != null) {
      return decided;
    }
    return anyLane == null ? lane.admissionOf(this) : anyLane.admission();
  }

  /**
   * {@return about where it stands and how long it still waits; of no use when it has been decided.
   * Looks at a few hundred of those before it, so ask now and then and not all the time}
   */
  public Place place() {
    return anyLane == null ? lane.placeOf(this) : anyLane.place();
  }

  /**
   * Takes the call back; what was granted in between is given back too. Does nothing after the call
   * is over.
   */
  public void withdraw() {
    if (anyLane == null) {
      lane.withdraw(this);
    } else {
      anyLane.withdraw();
    }
  }

  /** Tells whoever waits that there is an answer. */
  void wake() {
    if (wake == null) {
      LockSupport.unpark(thread);
    } else {
      var told = anyLane == null ? this : anyLane.places.getFirst();
      EventFeed.harmless(() -> wake.accept(told), "a wake");
    }
  }

  /** Blocks until the call may go or is refused; an interrupt withdraws it. */
  Admission.Decided<T> await() throws InterruptedException {
    for (var decided = answer(); ; decided = answer()) {
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
    int byTime = Long.compare(one.latest(), other.latest());
    return byTime != 0 ? byTime : Long.compare(one.number, other.number);
  }

  /**
   * The place of a call among those that wait, as far as can be told: others may leave, come first
   * by their priority, or need less than was thought.
   *
   * @param ahead about how many go before it
   * @param left about how long it still waits; zero if it could go now
   * @param constraint what makes it wait longest
   * @param proved how much of that follows from what replies have shown; the rest follows from
   *     guesses, which the next replies may correct by far
   */
  public record Place(int ahead, Duration left, Constraint constraint, Duration proved) {
    static final Place FIRST = after(0);

    static Place after(int others) {
      return new Place(others, Duration.ZERO, Constraint.TURN, Duration.ZERO);
    }

    /** The same, if that is not before a time. */
    Place notBefore(Duration least, Constraint why) {
      return notBefore(least, why, true);
    }

    /** The same, if that is not before a time, which may be a guess. */
    Place notBefore(Duration least, Constraint why, boolean known) {
      var sure = known && least.compareTo(proved) > 0 ? least : proved;
      return left.compareTo(least) >= 0
          ? new Place(ahead, left, constraint, sure)
          : new Place(ahead, least, why, sure);
    }

    Place sooner(Place other) {
      return left.compareTo(other.left) <= 0 ? this : other;
    }

    static Duration seconds(double seconds) {
      double most = Lanes.Settings.FOR_EVER.toSeconds();
      return Duration.ofNanos((long) (Math.min(seconds, most) * 1e9));
    }
  }

  /**
   * One call that waits in several lanes at once, with a place in each.
   *
   * <h2>How it works</h2>
   *
   * Each lane treats the call's place as any other: it is in order there, has its alarm, follows
   * its leader. What happens in one lane concerns the others in three ways, and each is decided
   * under the lock of this object, which is taken after that of a lane and before that of the
   * budgets.
   *
   * <ul>
   *   <li>A lane that could admit it takes it ({@link #take}). The first wins; the budget is asked
   *       in between, so that nobody holds money for a call that went elsewhere. As soon as no
   *       lane's lock is held, the others drop their places; one that gets there earlier finds the
   *       call taken and drops it too.
   *   <li>A reply that asks for another attempt ({@link #again}) opens the call to all of its lanes
   *       again: the one that made the attempt gives it its place back under the same lock, and the
   *       others as soon as that is released. A key that has to pause keeps nobody waiting.
   *   <li>A lane that turns it away for a reason of its own, such as a key that is refused, is one
   *       less ({@link #ends}); the call is refused when no lane is left, and when the reason holds
   *       everywhere.
   * </ul>
   *
   * <h2>What must hold</h2>
   *
   * Lanes hear of each other late, and perhaps in another order. So they are never told what to do
   * but to look: a place that stands for any but the next attempt is stale, cannot be taken and
   * goes. The number of attempts made is the name of what all agree on: a place has that for which
   * it stands in {@link Waiter#attempts}, and this object the true one.
   *
   * @param <T> what an answer is
   */
  static final class AnyLane<T> {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Waiter<T>> places;
    private volatile Admission.@Nullable Decided<T> answer;

    /** The place whose lane has the call, while one has. */
    private @Nullable Waiter<?> taker;

    private volatile boolean over;

    /** How many lanes may still take it. */
    private int open;

    // What earlier attempts came to, for whoever makes the next.
    private int attempts;
    private int failures;
    private boolean retrying;
    private Usage usage = Usage.NONE;
    private long pause;
    private long waitEnds;

    private AnyLane(
        Call call, List<Lane> lanes, @Nullable Consumer<? super Waiter<T>> wake, long now) {
      this.open = lanes.size();
      this.places =
          lanes.stream()
              .map(lane -> lane.place(call, wake, this, lane == lanes.getFirst(), now))
              .toList();
      this.waitEnds = places.getFirst().waitEnds;
    }

    static <T> Waiter<T> enter(
        Call call,
        List<Lane> lanes,
        @Nullable Consumer<? super Waiter<T>> wake,
        @Nullable Waiter<?> earlier,
        long now) {
      var anyLane = new AnyLane<T>(call, lanes, wake, earlier == null ? now : earlier.enteredAt());
      if (earlier != null) {
        anyLane.waitEnds = earlier.waitEnds;
      }
      for (var place : anyLane.places) {
        place.lane.stand(place, anyLane, 0);
      }
      return anyLane.places.getFirst();
    }

    // ---- what lanes ask under their locks ----

    /** Whether it waits for its attempt after so many. */
    boolean waits(int after) {
      lock.lock();
      try {
        return !over && taker == null && attempts == after;
      } finally {
        lock.unlock();
      }
    }

    /**
     * Tells a place what earlier attempts came to, wherever they were made; false when the call no
     * longer waits for the one after so many.
     */
    boolean renew(Waiter<T> place, int after, long now) {
      lock.lock();
      try {
        if (!waits(after)) {
          return false;
        }
        place.attempts = attempts;
        place.failures = failures;
        place.retrying = retrying;
        place.usage = usage;
        place.waitEnds = waitEnds;
        place.waited = null;
        place.waitsAgain(pause, now);
        return true;
      } finally {
        lock.unlock();
      }
    }

    /** Lets a lane have it, if nobody has and if there is room for it. */
    Budgets.Room take(Waiter<?> place, Supplier<Budgets.Room> budget) {
      lock.lock();
      try {
        if (!waits(place.attempts)) {
          return new Budgets.Room.Elsewhere();
        }
        var room = budget.get();
        if (room instanceof Budgets.Room.Held) {
          taker = place;
        }
        return room;
      } finally {
        lock.unlock();
      }
    }

    /** Whether it is over when a lane turns it away. */
    boolean ends(Waiter<?> place, Refusal why) {
      lock.lock();
      try {
        if (over || (taker != null && taker != place)) {
          return false;
        }
        over = !isOfLane(why) || (waits(place.attempts) && --open == 0);
        return over;
      } finally {
        lock.unlock();
      }
    }

    private static boolean isOfLane(Refusal why) {
      return switch (why) {
        case Refusal.LaneShut shut -> true;
        case Refusal.Resting resting -> true;
        case Refusal.Parked parked -> true;
        case Refusal.TooLarge large -> true;
        case Refusal.QueueFull full -> true;
        case Refusal.TooLate late -> false;
        case Refusal.BudgetSpent spent -> false;
        case Refusal.Unpriced unpriced -> false;
        case Refusal.ShuttingDown closing -> false;
        case Refusal.Withdrawn withdrawn -> false;
      };
    }

    /** Whoever has it will try again, and so may the others, after a pause. */
    void again(Waiter<?> last, long pauseElsewhere) {
      lock.lock();
      try {
        attempts = last.attempts;
        failures = last.failures;
        retrying = last.retrying;
        usage = last.usage;
        waitEnds = last.waitEnds;
        pause = pauseElsewhere;
        open = places.size();
        taker = null;
        answer = null;
      } finally {
        lock.unlock();
      }
    }

    /** A reply has ended it, while a lane has it. */
    void over() {
      over = true;
    }

    // ---- what is done while no lane's lock is held ----

    /** Gives it its places in the other lanes back, after an attempt. */
    void standElsewhere(Permit<T> last) {
      for (var place : places) {
        if (place != last.waiter) {
          place.lane.stand(place, this, last.number);
        }
      }
    }

    /** Takes it out of the lanes that have not decided about it. */
    void leaveOthers(Waiter<?> decided, Deque<Waiter<?>> others) {
      for (var place : places) {
        if (place != decided) {
          place.lane.drop(place, this, others);
        }
      }
    }

    /** What it waits for in the lane that will be the first to take it, as far as is known. */
    Admission<T> admission() {
      Admission.Wait<T> soonest = new Admission.Wait<>(Constraint.TURN, Optional.empty());
      for (var place : places) {
        switch (place.lane.admissionOf(place)) {
          case Admission.Decided<T> decided -> {
            return decided;
          }
          case Admission.Wait<T> wait ->
              soonest = left(wait).compareTo(left(soonest)) <= 0 ? wait : soonest;
        }
      }
      return soonest;
    }

    /** Where it goes first, as far as is known. */
    Place place() {
      return places.stream()
          .map(each -> each.lane.placeOf(each))
          .reduce(Place::sooner)
          .orElse(Place.FIRST);
    }

    private static Duration left(Admission.Wait<?> wait) {
      return wait.left().orElse(Lanes.Settings.FOR_EVER);
    }

    /** Takes it back from whoever has it, and that may change meanwhile. */
    void withdraw() {
      while (!over) {
        places.forEach(place -> place.lane.withdraw(place));
      }
    }
  }
}
