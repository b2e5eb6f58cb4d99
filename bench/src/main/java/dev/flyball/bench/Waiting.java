package dev.flyball.bench;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Waiter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The heap that a waiting call takes. One call holds the only slot of a lane and does not end; the
 * others wait behind it. Then half of them are cancelled, the rest is drained, and all must be
 * gone.
 */
final class Waiting {
  /**
   * What was seen.
   *
   * @param bytes of heap for all that waited, after a collection
   * @param heap in use then, all in all
   * @param cancelled calls that ended because their caller gave up
   * @param drained calls that ended because the scheduler was shut down
   * @param left calls that are still there in the end
   */
  record Seen(
      String how,
      int calls,
      long bytes,
      long heap,
      double enterSeconds,
      double endSeconds,
      int cancelled,
      int drained,
      int left) {
    long bytesEach() {
      return bytes / calls;
    }
  }

  private static final LaneId LANE = LaneId.of("bench", "waiting");

  /** What waits while the code is still interpreted has larger frames than what comes later. */
  private static final int WARM_UPS = 10;

  private final Flyball flyball = Flyball.builder().mostInFlight(1).build();
  private final CountDownLatch slotTaken = new CountDownLatch(1);
  private final CountDownLatch slotFree = new CountDownLatch(1);
  private final AtomicInteger cancelled = new AtomicInteger();
  private final AtomicInteger drained = new AtomicInteger();
  private final Thread holder = Thread.startVirtualThread(() -> run(this::hold));
  private final long before;

  private Waiting() throws InterruptedException {
    slotTaken.await();
    before = heap();
  }

  static Optional<BenchReport> run(String[] args) throws InterruptedException {
    int calls = args.length == 0 ? 1_000_000 : Integer.parseInt(args[0]);
    for (int i = 0; i < WARM_UPS; i++) {
      bare(Math.max(1, calls / 50));
      inThreads(Math.max(1, calls / 50));
    }
    var rows = new ArrayList<List<String>>();
    rows.add(row(bare(calls)));
    rows.add(row(inThreads(calls)));
    rows.add(row(withoutThreads(calls)));
    return Optional.of(
        new BenchReport("Waiting calls")
            .say(
                """
                Calls that wait in one lane, in a heap of %,d MiB. Half of them are cancelled, \
                then the rest is drained. Target: 1,000,000 in 1 GiB. The first row is what the \
                JVM takes for a virtual thread that is parked and does nothing else.\
                """
                    .formatted(Runtime.getRuntime().maxMemory() >> 20))
            .table(List.of("each", "calls", "bytes a call", "heap", "enter", "end", "left"), rows));
  }

  private static List<String> row(Seen seen) {
    return List.of(
        seen.how(),
        String.format("%,d", seen.calls()),
        String.format("%,d", seen.bytesEach()),
        String.format("%,d MiB", seen.heap() >> 20),
        String.format("%.1f s", seen.enterSeconds()),
        String.format("%.1f s", seen.endSeconds()),
        String.valueOf(seen.left()));
  }

  /** A thread for each, parked by nobody's scheduler. */
  static Seen bare(int calls) throws InterruptedException {
    long before = heap();
    var free = new AtomicInteger();
    long started = System.nanoTime();
    var threads = new Thread[calls];
    for (int i = 0; i < calls; i++) {
      threads[i] =
          Thread.startVirtualThread(
              () -> {
                while (free.get() == 0) {
                  LockSupport.park();
                }
              });
    }
    awaitParked(threads);
    double enter = since(started);
    long full = heap();
    started = System.nanoTime();
    free.set(1);
    for (var thread : threads) {
      LockSupport.unpark(thread);
    }
    join(threads, 0, 1);
    return new Seen("bare thread", calls, full - before, full, enter, since(started), 0, 0, 0);
  }

  /** A virtual thread for each, blocked in {@link Flyball#run}. */
  static Seen inThreads(int calls) throws InterruptedException {
    return new Waiting().measureThreads(calls);
  }

  /** No threads: {@link Flyball#enter} for each. */
  static Seen withoutThreads(int calls) throws InterruptedException {
    return new Waiting().measureWaiters(calls);
  }

  private Seen measureThreads(int calls) throws InterruptedException {
    long started = System.nanoTime();
    var threads = new Thread[calls];
    for (int i = 0; i < calls; i++) {
      threads[i] = Thread.startVirtualThread(() -> run(Waiting::answer));
    }
    awaitWaiting(calls);
    awaitParked(threads);
    double enter = since(started);
    long full = heap();

    started = System.nanoTime();
    for (int i = 0; i < calls; i += 2) {
      threads[i].interrupt();
    }
    join(threads, 0, 2);
    flyball.drain();
    join(threads, 1, 2);
    return end("virtual thread in `run`", calls, full, enter, since(started));
  }

  private Seen measureWaiters(int calls) throws InterruptedException {
    long started = System.nanoTime();
    var waiters = new ArrayList<Waiter<String>>(calls);
    for (int i = 0; i < calls; i++) {
      waiters.add(flyball.enter(call(), () -> {}));
    }
    awaitWaiting(calls);
    double enter = since(started);
    long full = heap();

    started = System.nanoTime();
    for (int i = 0; i < calls; i += 2) {
      waiters.get(i).withdraw();
    }
    cancelled.set(refused(waiters));
    flyball.drain();
    drained.set(refused(waiters) - cancelled.get());
    return end("waiter of `enter`", calls, full, enter, since(started));
  }

  private Seen end(String how, int calls, long full, double enter, double end)
      throws InterruptedException {
    slotFree.countDown();
    holder.join();
    flyball.close();
    var lane = flyball.snapshot().lanes().getFirst();
    int left = calls - cancelled.get() - drained.get() + lane.waiting() + lane.inFlight();
    return new Seen(
        how, calls, full - before, full, enter, end, cancelled.get(), drained.get(), left);
  }

  private interface Answer {
    Reply<String> get() throws InterruptedException;
  }

  private static Call call() {
    return Call.to(LANE).estimated(Estimate.of(570, 800));
  }

  private void run(Answer answer) {
    try {
      if (flyball.run(call(), attempt -> answer.get()) instanceof Outcome.Refused) {
        drained.incrementAndGet();
      }
    } catch (InterruptedException interrupted) {
      cancelled.incrementAndGet();
    }
  }

  private static int refused(List<Waiter<String>> waiters) {
    return (int)
        waiters.stream().filter(waiter -> waiter.admission() instanceof Admission.Refused).count();
  }

  private static Reply<String> answer() {
    return Reply.answered("answer", Usage.NONE);
  }

  private Reply<String> hold() throws InterruptedException {
    slotTaken.countDown();
    slotFree.await();
    return answer();
  }

  private void awaitWaiting(int calls) throws InterruptedException {
    while (flyball.snapshot().lanes().getFirst().waiting() < calls) {
      Thread.sleep(20);
    }
  }

  private static void awaitParked(Thread[] threads) throws InterruptedException {
    for (var thread : threads) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
    }
  }

  private static void join(Thread[] threads, int from, int step) throws InterruptedException {
    for (int i = from; i < threads.length; i += step) {
      threads[i].join();
    }
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static double since(long started) {
    return (System.nanoTime() - started) / 1e9;
  }
}
