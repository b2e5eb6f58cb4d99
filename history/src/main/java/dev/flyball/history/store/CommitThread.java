package dev.flyball.history.store;

import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.HistoryTrouble;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunForecast;
import dev.flyball.history.record.TenantKey;
import dev.flyball.history.record.TenantSpending;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes. A commit costs a forced write to the disk, whatever it holds; so what
 * arrives within a moment is committed together. Those who hand in wait only while there is no room
 * left, and those who want to know when it is kept have a receipt.
 *
 * <p>A database that fails is tried again, with longer and longer pauses. Meanwhile nothing is
 * lost: the room fills, and those who hand in wait. When its time is over, everything that waits is
 * counted as lost, and so is all that comes later: a run goes on without its history.
 */
public final class CommitThread implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Database database;
  private final HistoryTimeouts timeouts;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition room = lock.newCondition();
  private final Condition progress = lock.newCondition();

  // All of these are guarded by the lock.
  private final ArrayDeque<PendingWrite> buffer = new ArrayDeque<>();
  private boolean urgent;
  private boolean closing;
  private boolean gaveUp;
  private HistoryTrouble trouble = HistoryTrouble.NONE;
  private long accepted;
  private long settled;
  private long lost;
  private int waiting;

  /** Used by the thread alone. */
  private @Nullable SqlWriter writer;

  public CommitThread(Database database, HistoryTimeouts timeouts) {
    this.database = database;
    this.timeouts = timeouts;
    this.thread = Thread.ofPlatform().daemon().name("flyball-history").unstarted(this::write);
  }

  public void start() {
    thread.start();
  }

  /** Hands in a run that began. */
  public Receipt began(OpenRun run, Instant at) throws InterruptedException {
    return now(new PendingWrite.Began(run, at, new Receipt()));
  }

  /** Hands in the forecast of a run that has begun. */
  public Receipt expected(OpenRun run, RunForecast.Expected forecast) throws InterruptedException {
    return now(new PendingWrite.Expected(run, forecast, new Receipt()));
  }

  /** Hands in the end of a run. */
  public Receipt ended(OpenRun run, RunEnding ending, Instant at) throws InterruptedException {
    return now(new PendingWrite.Ended(run, ending, at, new Receipt()));
  }

  /** Hands in the review of a pull request. */
  public Receipt reviewed(PastReview review, String run) throws InterruptedException {
    return now(new PendingWrite.Reviewed(review, run, new Receipt()));
  }

  /** Hands in a key that a tenant was given. */
  public Receipt made(TenantKey key) throws InterruptedException {
    return now(new PendingWrite.KeyMade(key, new Receipt()));
  }

  /** Hands in the end of a tenant's key. */
  public Receipt revoked(String tenant, Instant at) throws InterruptedException {
    return now(new PendingWrite.KeyRevoked(tenant, at, new Receipt()));
  }

  /** Hands in what tenants have used more. */
  public Receipt spent(List<TenantSpending> more) throws InterruptedException {
    return now(new PendingWrite.Spent(List.copyOf(more), new Receipt()));
  }

  /** Hands in an attempt that ended; it may wait for others to be committed with. */
  public Receipt record(OpenRun run, AttemptRecord attempt) throws InterruptedException {
    lock.lock();
    try {
      awaitRoom();
      return accept(new PendingWrite.Tried(run, run.nextCall(), attempt, new Receipt()));
    } finally {
      lock.unlock();
    }
  }

  /** To be committed without waiting for others. */
  private Receipt now(PendingWrite entry) throws InterruptedException {
    lock.lock();
    try {
      awaitRoom();
      urgent = true;
      return accept(entry);
    } finally {
      lock.unlock();
    }
  }

  private void awaitRoom() throws InterruptedException {
    if (buffer.size() < timeouts.room() || gaveUp) {
      return;
    }
    waiting++;
    try {
      while (buffer.size() >= timeouts.room() && !gaveUp) {
        room.await();
      }
    } finally {
      waiting--;
    }
  }

  private Receipt accept(PendingWrite entry) {
    if (closing) {
      throw new IllegalStateException("a history that was closed takes nothing more");
    }
    if (gaveUp) {
      lost++;
      return Receipt.lost();
    }
    accepted++;
    buffer.add(entry);
    if (buffer.size() == 1 || urgent || full()) {
      work.signal();
    }
    return entry.receipt();
  }

  private boolean full() {
    return buffer.size() >= Math.max(1, timeouts.room() / 2);
  }

  /** Waits until all that was handed in is kept or lost. */
  public void flush() throws InterruptedException {
    lock.lock();
    try {
      long all = accepted;
      urgent = true;
      work.signal();
      while (settled < all) {
        progress.await();
      }
    } finally {
      lock.unlock();
    }
  }

  public HistoryTrouble trouble() {
    lock.lock();
    try {
      return trouble instanceof HistoryTrouble.GaveUp(String reason, long before)
          ? new HistoryTrouble.GaveUp(reason, lost)
          : trouble;
    } finally {
      lock.unlock();
    }
  }

  public int waiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  private void write() {
    var batch = take();
    while (!batch.isEmpty()) {
      settle(batch, commit(batch));
      batch = take();
    }
    dropWriter();
  }

  /** Empty when there is nothing more to come. */
  private List<PendingWrite> take() {
    lock.lock();
    try {
      while (buffer.isEmpty() && !closing) {
        urgent = false;
        work.awaitUninterruptibly();
      }
      long left = timeouts.group().toNanos();
      while (!urgent && !closing && !full() && left > 0) {
        left = work.awaitNanos(left);
      }
      urgent = false;
      var batch = new ArrayList<>(buffer);
      buffer.clear();
      room.signalAll();
      return batch;
    } catch (InterruptedException nobodyDoes) {
      throw new AssertionError(nobodyDoes);
    } finally {
      lock.unlock();
    }
  }

  private Receipt.Fate commit(List<PendingWrite> batch) {
    if (isGivenUp()) {
      return Receipt.Fate.LOST;
    }
    var pause = FIRST_PAUSE;
    var spent = Duration.ZERO;
    boolean last = false;
    for (boolean again = false; ; again = true) {
      String reason;
      try {
        writer().write(batch, again);
        report(HistoryTrouble.NONE);
        return Receipt.Fate.KEPT;
      } catch (SQLException failure) {
        reason = SchemaSetup.reason(database, failure);
        spent = spent.plus(SchemaSetup.isLocked(failure) ? timeouts.locked() : Duration.ZERO);
      } catch (RuntimeException defect) {
        reason = "the history in " + database.location() + " fails: " + defect;
      }
      dropWriter();
      if (last || spent.compareTo(timeouts.trouble()) >= 0) {
        giveUp(reason);
        return Receipt.Fate.LOST;
      }
      report(new HistoryTrouble.Retrying(reason));
      last = pause(pause);
      spent = spent.plus(pause);
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
  }

  private SqlWriter writer() throws SQLException {
    var known = writer;
    if (known == null) {
      known = new SqlWriter(database.openForWriting());
      writer = known;
    }
    return known;
  }

  private void dropWriter() {
    var old = writer;
    writer = null;
    try {
      if (old != null) {
        old.close();
      }
    } catch (SQLException broken) {
      // It is given away because it is broken.
      return;
    }
  }

  private boolean isGivenUp() {
    lock.lock();
    try {
      return gaveUp;
    } finally {
      lock.unlock();
    }
  }

  private void report(HistoryTrouble now) {
    lock.lock();
    try {
      trouble = now;
    } finally {
      lock.unlock();
    }
  }

  private void giveUp(String reason) {
    lock.lock();
    try {
      gaveUp = true;
      trouble = new HistoryTrouble.GaveUp(reason, 0);
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the end came meanwhile, so that the next try is the last. */
  private boolean pause(Duration time) {
    lock.lock();
    try {
      long left = time.toNanos();
      while (left > 0 && !closing) {
        left = work.awaitNanos(left);
      }
      return closing;
    } catch (InterruptedException nobodyDoes) {
      throw new AssertionError(nobodyDoes);
    } finally {
      lock.unlock();
    }
  }

  private void settle(List<PendingWrite> batch, Receipt.Fate fate) {
    lock.lock();
    try {
      settled += batch.size();
      lost += fate == Receipt.Fate.LOST ? batch.size() : 0;
      progress.signalAll();
    } finally {
      lock.unlock();
    }
    batch.forEach(entry -> entry.receipt().settle(fate));
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
