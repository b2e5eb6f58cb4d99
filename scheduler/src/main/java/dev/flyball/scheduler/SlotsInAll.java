package dev.flyball.scheduler;

import dev.flyball.call.Reply;
import dev.flyball.limit.AttemptCharges;
import dev.flyball.limit.Limit;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The limit on attempts in flight over all lanes together.
 *
 * <p>A lane claims a slot under its own lock, when nothing else is in the way of a call, and gives
 * back what it did not use before it releases that lock. So a call that waits holds none. While
 * lanes wait, no slot is free: one that comes free belongs to the lane that has waited longest,
 * which is told as soon as nobody's lock is held. A lane that cannot use it then hands it on to the
 * next. A lane that wants another one waits behind the others; so none starves, and nothing ever
 * looks at lanes that do not wait.
 *
 * <p>Its own lock is the last to be taken, as that of the budgets is.
 */
final class SlotsInAll {
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashSet<Lane> waiting = new LinkedHashSet<>();
  private final Queue<Lane> offered = new ArrayDeque<>();
  private int free;

  SlotsInAll(int most) {
    free = most;
  }

  /** Takes a slot, or gives the lane its place among those who wait for one. */
  private boolean claim(Lane lane) {
    lock.lock();
    try {
      if (free > 0) {
        free--;
        return true;
      }
      waiting.add(lane);
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void giveBack() {
    lock.lock();
    try {
      if (waiting.isEmpty()) {
        free++;
      } else {
        offered.add(waiting.removeFirst());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Tells lanes which slots are theirs now. Called while no lock is held. */
  void deliver() {
    for (var lane = nextOffered(); lane != null; lane = nextOffered()) {
      lane.useOfferedSlot();
    }
  }

  private @Nullable Lane nextOffered() {
    lock.lock();
    try {
      return offered.poll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * One lane's part, under that lane's lock. It is asked last, and only when no other limit is in
   * the way: its answer is a claim.
   */
  static final class OfLane implements Limit {
    private final SlotsInAll all;
    private final Lane lane;

    /** Whether the lane has a slot that no attempt uses yet. */
    private boolean claimed;

    OfLane(SlotsInAll all, Lane lane) {
      this.all = all;
      this.lane = lane;
    }

    /** A slot came free for this lane. */
    void offered() {
      claimed = true;
    }

    /** If the answer is now, the slot is the lane's until {@link #release}. */
    @Override
    public long availableAt(AttemptCharges attempt, long now) {
      claimed = claimed || all.claim(lane);
      return claimed ? now : Long.MAX_VALUE;
    }

    @Override
    public void charge(AttemptCharges attempt, long now) {
      claimed = false;
    }

    @Override
    public void settle(AttemptCharges attempt, Reply<?> reply, long now) {
      all.giveBack();
    }

    @Override
    public void giveBack(AttemptCharges attempt, long now) {
      all.giveBack();
    }

    /** The lane is about to release its lock: what it did not use is for others. */
    void release() {
      if (claimed) {
        claimed = false;
        all.giveBack();
      }
    }
  }
}
