package dev.flyball.fleet.queue;

import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Those who work on a queue in one process. One thread asks for work, extends the claims and says
 * how many workers there should be; each entry has a virtual thread.
 *
 * <p>Long because one loop asks, extends, counts and ends, and must be read together.
 *
 * <p>A Redis that is away stops nobody who has work: claims are extended and ended when it is back,
 * and whoever has lost one by then is told to stop.
 */
public final class QueueWorkers {
  private static final Duration RECOUNT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final int MOST_AT_ONCE = 100;

  /** The limits of whoever answers, as they are known here. */
  public interface Limits {
    /** Nothing is known of any. */
    Limits UNKNOWN =
        new Limits() {
          @Override
          public Optional<Double> headroom() {
            return Optional.empty();
          }

          @Override
          public OptionalDouble admission(int busy) {
            return OptionalDouble.empty();
          }
        };

    /** {@return how full the emptiest of them is, from 0 to 1} */
    Optional<Double> headroom();

    /**
     * {@return how many workers they can keep busy}
     *
     * @param busy how many are at the moment
     */
    OptionalDouble admission(int busy);
  }

  /**
   * How they work.
   *
   * @param name host and process, for people
   * @param workers how many; empty for as many as {@link LittlesLaw} asks
   * @param most never more than that
   * @param untilEmpty whether to end when nothing is left, instead of waiting for more
   */
  public record Settings(String name, OptionalInt workers, int most, boolean untilEmpty) {}

  /** Is told what happens. Must not block; called by several threads. */
  public interface Watcher {
    /** So many workers from now on. */
    void workers(int count, String why);

    /** An entry has ended. */
    void ended(ClaimedEntry entry, EntryEnd end, WorkQueue.Settled settled);

    /** Nothing is taken at the moment, or is again. */
    void paused(boolean paused);

    /** The queue cannot be reached, or can again if that is empty. */
    void trouble(Optional<String> why);
  }

  /**
   * What was done.
   *
   * @param done entries that were finished
   * @param later tries that failed, to be made again
   * @param dead entries that became dead letters
   * @param lost entries that somebody else had when they were ended
   */
  public record Worked(long done, long later, long dead, long lost) {}

  /** One entry under way. */
  private static final class UnderWay {
    private final ClaimedEntry entry;
    private volatile long confirmed;
    private volatile boolean lost;

    UnderWay(ClaimedEntry entry, long confirmed) {
      this.entry = entry;
      this.confirmed = confirmed;
    }
  }

  private final WorkQueue queue;
  private final EntryWork work;
  private final Limits limits;
  private final Settings settings;
  private final Watcher watcher;
  private final Time time;
  private final String token = UUID.randomUUID().toString();
  private final Map<Thread, UnderWay> underWay = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong later = new AtomicLong();
  private final AtomicLong dead = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final long third;
  private volatile boolean draining;
  private boolean woken;
  private int wanted = 1;
  private int wantedByAll;
  private boolean paused;
  private boolean away;
  private boolean empty;

  /** Workers on a queue, which whoever opened it closes after {@link #run} has ended. */
  public QueueWorkers(
      WorkQueue queue,
      EntryWork work,
      Limits limits,
      Settings settings,
      Watcher watcher,
      Time time) {
    this.queue = queue;
    this.work = work;
    this.limits = limits;
    this.settings = settings;
    this.watcher = watcher;
    this.time = time;
    this.third = queue.rules().lease().toNanos() / 3;
  }

  /** Takes nothing more; {@link #run} returns when what is under way has ended. */
  public void drain() {
    draining = true;
    wake();
  }

  /** Ends what is under way too, as soon as it hears of it; it is given back. */
  public void stop() {
    drain();
    underWay.keySet().forEach(Thread::interrupt);
  }

  /**
   * Works until it is told to end, or nothing is left. Blocks. Interrupted, it stops at once and
   * gives back what was under way.
   */
  public Worked run() throws InterruptedException {
    try {
      wanted = settings.workers().orElse(1);
      settings.workers().ifPresent(count -> watcher.workers(count, "as was said"));
      long beat = time.nanos() + third;
      long recount = time.nanos();
      long ask = time.nanos();
      while (!(underWay.isEmpty() && (draining || empty))) {
        long now = time.nanos();
        if (now >= beat) {
          beat();
          beat = now + third;
        }
        if (settings.workers().isEmpty() && now >= recount && !draining) {
          recount();
          recount = now + RECOUNT.toNanos();
        }
        if (now >= ask && !draining && underWay.size() < wanted) {
          ask = now + ask(Math.min(MOST_AT_ONCE, wanted - underWay.size())).toNanos();
        }
        long next = settings.workers().isEmpty() ? Math.min(beat, recount) : beat;
        await(draining || underWay.size() >= wanted ? next : Math.min(next, ask));
      }
      return new Worked(done.get(), later.get(), dead.get(), lost.get());
    } finally {
      stop();
      joinAll();
    }
  }

  private void joinAll() {
    boolean interrupted = false;
    for (var thread : List.copyOf(underWay.keySet())) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Until a moment, or until something has changed. */
  private void await(long until) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = until - time.nanos();
      while (!woken && left > 0) {
        left = changed.awaitNanos(left);
      }
      woken = false;
    } finally {
      lock.unlock();
    }
  }

  private void wake() {
    lock.lock();
    try {
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Asks for work; how long until it is worth asking again. */
  private Duration ask(int room) {
    long sent = time.nanos();
    WorkQueue.Given given;
    try {
      given =
          queue.claim(
              new WorkQueue.Asking(
                  settings.name(), token, underWay.size(), wanted, limits.headroom()),
              room);
      reached();
    } catch (IOException gone) {
      unreachable(gone);
      return POLL;
    }
    if (given.paused() != paused) {
      paused = given.paused();
      watcher.paused(paused);
    }
    for (var entry : given.entries()) {
      var it = new UnderWay(entry, sent);
      var thread = Thread.ofVirtual().name("entry-" + entry.id()).unstarted(() -> work(it));
      underWay.put(thread, it);
      thread.start();
    }
    empty =
        settings.untilEmpty()
            && given.entries().isEmpty()
            && given.ready() == 0
            && given.next().isEmpty();
    return given.entries().size() == room
        ? Duration.ZERO
        : given.next().filter(next -> next.compareTo(POLL) < 0).orElse(POLL);
  }

  private void work(UnderWay it) {
    try {
      EntryEnd end;
      try {
        end = work.work(it.entry, () -> holds(it));
      } catch (InterruptedException stopped) {
        end = new EntryEnd.GivenBack();
      } catch (RuntimeException | Error defect) {
        end = new EntryEnd.TryLater("a defect in Flyball: " + defect, Duration.ofMinutes(1));
      }
      settle(it, end);
    } finally {
      underWay.remove(Thread.currentThread());
      wake();
    }
  }

  /** Whether nobody else can have it for the next two thirds of a lease. */
  private boolean holds(UnderWay it) throws InterruptedException {
    while (!it.lost) {
      long sent = time.nanos();
      if (sent - it.confirmed < third) {
        return true;
      }
      try {
        it.lost = !queue.extend(token, List.of(it.entry.id())).isEmpty();
        it.confirmed = sent;
        reached();
      } catch (IOException gone) {
        unreachable(gone);
        pause();
      }
    }
    return false;
  }

  private void pause() throws InterruptedException {
    Thread.sleep(POLL);
  }

  /** As long as a lease may last it is tried; after that somebody else has it anyway. */
  private void settle(UnderWay it, EntryEnd end) {
    boolean interrupted = Thread.interrupted();
    long until = time.nanos() + 4 * third;
    while (true) {
      try {
        var settled = queue.settle(token, it.entry.id(), end);
        reached();
        count(settled);
        watcher.ended(it.entry, end, settled);
        break;
      } catch (IOException gone) {
        unreachable(gone);
        if (time.nanos() > until) {
          lost.incrementAndGet();
          break;
        }
      }
      try {
        pause();
      } catch (InterruptedException hurried) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void count(WorkQueue.Settled settled) {
    switch (settled) {
      case DONE -> done.incrementAndGet();
      case LATER -> later.incrementAndGet();
      case DEAD -> dead.incrementAndGet();
      case LOST -> lost.incrementAndGet();
      case READY -> {}
    }
  }

  /** Says that all are still being worked on; who has lost one stops. */
  private void beat() {
    var all = List.copyOf(underWay.entrySet());
    long sent = time.nanos();
    try {
      var gone = queue.extend(token, all.stream().map(each -> each.getValue().entry.id()).toList());
      reached();
      for (var each : all) {
        if (gone.contains(each.getValue().entry.id())) {
          each.getValue().lost = true;
          each.getKey().interrupt();
        } else {
          each.getValue().confirmed = sent;
        }
      }
    } catch (IOException unheard) {
      unreachable(unheard);
    }
  }

  private void recount() {
    try {
      var figures = queue.figures();
      reached();
      var law = LittlesLaw.of(figures.flow(), limits.admission(underWay.size()), settings.most());
      var names = figures.workers().stream().map(QueueFigures.Worker::name).toList();
      int place = Math.max(0, names.indexOf(settings.name()));
      int count = law.share(place, Math.max(1, names.size()));
      if (count != wanted || law.workers() != wantedByAll) {
        wantedByAll = law.workers();
        wanted = count;
        watcher.workers(
            count,
            names.size() > 1
                ? "of %d in %d processes: %s".formatted(law.workers(), names.size(), law.why())
                : law.why());
      }
    } catch (IOException gone) {
      unreachable(gone);
    }
  }

  private void reached() {
    heard(Optional.empty());
  }

  private void unreachable(IOException why) {
    heard(Optional.of(String.valueOf(why.getMessage())));
  }

  private void heard(Optional<String> why) {
    boolean news;
    lock.lock();
    try {
      news = away != why.isPresent();
      away = why.isPresent();
    } finally {
      lock.unlock();
    }
    if (news) {
      watcher.trouble(why);
    }
  }
}
