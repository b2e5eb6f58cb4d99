package dev.flyball.gateway.task;

import dev.flyball.gateway.http.Caller;
import dev.flyball.scheduler.Time;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/** The tasks of this server: lets them in, and knows all that are not over. */
final class Tasks {
  private static final Duration SOON = Duration.ofSeconds(2);

  /** The answer to whoever asks for one. */
  sealed interface Admitted {}

  /** It was let in; somebody has to start it. */
  record LetIn(ReviewTask task) implements Admitted {}

  /** It was not. */
  record SentAway(TaskError error) implements Admitted {}

  /** What tasks work with. */
  record Means(
      TaskWork work, WiderSlots wider, Time time, RandomGenerator random, Trouble trouble) {}

  private final Means means;
  private final TaskSlots slots;
  private final Set<ReviewTask> open = ConcurrentHashMap.newKeySet();
  private final EnumMap<TaskReason, LongAdder> shed = counters();
  private final EnumMap<TaskReason, LongAdder> ended = counters();
  private final AtomicLong completed = new AtomicLong();
  private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();
  private final AtomicInteger laterCount = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition fewer = lock.newCondition();
  private volatile TaskSettings settings;

  Tasks(Means means, TaskSettings settings) {
    this.means = means;
    this.settings = settings;
    var room = settings.room();
    this.slots =
        new TaskSlots(room.limit(), room.queued(), room.ofTenant(), means.time(), means.random());
  }

  private static EnumMap<TaskReason, LongAdder> counters() {
    var all = new EnumMap<TaskReason, LongAdder>(TaskReason.class);
    Arrays.stream(TaskReason.values()).forEach(reason -> all.put(reason, new LongAdder()));
    return all;
  }

  TaskSettings settings() {
    return settings;
  }

  /** Takes other settings from now on. */
  void change(TaskSettings other) {
    settings = other;
    var room = other.room();
    slots.change(room.limit(), room.queued(), room.ofTenant());
  }

  /** A name for a task, told to its client from the first word on. */
  static String newId() {
    return UUID.randomUUID().toString();
  }

  /** Lets one in, if it is not running already and there is room. */
  Admitted admit(String id, TaskDetails details, Caller caller) {
    var task = new ReviewTask(this, id, details, caller);
    var asking = new TaskSlots.Asking(id, details.key(caller.tenant().name()), caller.tenant());
    var entry = slots.enter(asking, task);
    return switch (entry) {
      case TaskSlots.Granted granted -> letIn(task, entry);
      case TaskSlots.Queued queued -> letIn(task, entry);
      case TaskSlots.Running(var other) ->
          sentAway(error(TaskCode.TASK_ALREADY_RUNNING, TaskError.Phase.SETUP, id).running(other));
      case TaskSlots.Full(var house) ->
          sentAway(error(TaskCode.AT_CAPACITY, TaskError.Phase.SETUP, id).full(house));
      case TaskSlots.Draining(var wait) ->
          sentAway(error(TaskCode.DRAINING, TaskError.Phase.SETUP, id).retryAfter(wait));
    };
  }

  private Admitted letIn(ReviewTask task, TaskSlots.Entry entry) {
    open.add(task);
    task.entered(entry);
    return new LetIn(task);
  }

  /** Counts somebody who was sent away. */
  SentAway sentAway(TaskError error) {
    count(shed, error.code().reason());
    return new SentAway(error);
  }

  private static void count(EnumMap<TaskReason, LongAdder> all, TaskReason reason) {
    var counter = all.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }

  /** Whether there is no room at all, so that no more of a request need be read. */
  Optional<TaskError> full(String id) {
    if (slots.isDraining()) {
      return Optional.of(error(TaskCode.DRAINING, TaskError.Phase.SETUP, id).retryAfter(soon()));
    }
    return slots
        .full()
        .map(house -> error(TaskCode.AT_CAPACITY, TaskError.Phase.SETUP, id).full(house));
  }

  TaskError error(TaskCode code, TaskError.Phase phase, String id) {
    return TaskError.of(code, phase, id, means.time().wall());
  }

  TaskSettings.Times times() {
    return settings.times();
  }

  Time time() {
    return means.time();
  }

  TaskWork work() {
    return means.work();
  }

  WiderSlots wider() {
    return means.wider();
  }

  /** How full it is, for somebody who has waited for nothing. */
  FullHouse house() {
    return slots.house();
  }

  /** When another server, or this one after its restart, may be there. */
  Duration soon() {
    return SOON.plusMillis(means.random().nextLong(SOON.toMillis()));
  }

  /**
   * A task has ended.
   *
   * @param ran whether it had begun to work
   */
  void ended(Optional<TaskError> error, boolean ran) {
    if (error.isEmpty()) {
      completed.incrementAndGet();
    } else {
      count(ran ? ended : shed, error.get().code().reason());
    }
  }

  /** Nothing of a task is left. */
  void gone(ReviewTask task) {
    lock.lock();
    try {
      open.remove(task);
      fewer.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nothing of any task is left, for so long at most. */
  void awaitNone(Duration most) {
    long left = most.toNanos();
    lock.lock();
    try {
      while (!open.isEmpty() && left > 0) {
        left = fewer.awaitNanos(left);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Something broke that should not have. */
  void log(String id, Throwable broken) {
    means.trouble().log(id, broken);
  }

  /** Does something after what is being done, so that one ending does not stand on the next. */
  void afterwards(Runnable what) {
    later.add(what);
    if (laterCount.getAndIncrement() == 0) {
      do {
        var next = later.poll();
        if (next != null) {
          next.run();
        }
      } while (laterCount.decrementAndGet() > 0);
    }
  }

  /** Lets nothing more in; what runs goes on. */
  void drain() {
    slots.drain();
  }

  /** Ends all that is not over. */
  void cancelAll(TaskCode why) {
    List.copyOf(open).forEach(task -> task.cancel(why));
  }

  /** How many are not over, in slots or in the queue. */
  int open() {
    return open.size();
  }

  TaskCounts.Room room() {
    return slots.room();
  }

  TaskCounts counts() {
    return new TaskCounts(slots.room(), sums(shed), sums(ended), completed.get());
  }

  private static Map<TaskReason, Long> sums(EnumMap<TaskReason, LongAdder> all) {
    var sums = new EnumMap<TaskReason, Long>(TaskReason.class);
    all.forEach((reason, count) -> sums.put(reason, count.sum()));
    return sums;
  }

  /** Whoever is told that something broke which should not have. */
  @FunctionalInterface
  interface Trouble {
    /** While a task was at work. */
    void log(String taskId, Throwable broken);

    /** The log: what broke and where, but neither its message nor anything that it was about. */
    Trouble LOGGED =
        (taskId, broken) -> {
          var text = new StringBuilder("task ").append(taskId).append(" has failed:");
          var at = Optional.of(broken);
          for (int causes = 0; causes < 8 && at.isPresent(); causes++) {
            text.append("\n  ").append(at.get().getClass().getName());
            Arrays.stream(at.get().getStackTrace())
                .limit(12)
                .forEach(frame -> text.append("\n    at ").append(frame));
            at = Optional.ofNullable(at.get().getCause());
          }
          System.getLogger("dev.flyball").log(System.Logger.Level.WARNING, text.toString());
        };
  }
}
