package dev.flyball.gateway.task;

import dev.flyball.gateway.http.Caller;
import dev.flyball.scheduler.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One task from the moment at which it was let in to that at which nothing of it is left.
 *
 * <p>It may wait for a slot, then for room elsewhere, then it works, then its client reads the end.
 * In each of these its client may leave, its time may be over, the server may end, and what it
 * works with may fail; several of that at once, on several threads. So there is one place where it
 * ends, {@link #end}, which only the first reaches, and one where everything is given back, {@link
 * #giveBack}, which runs once, when the client has read the end or is gone. Whatever comes later
 * finds that it is over and gives back what it brings.
 *
 * <p>A task that is told to end and does not is cut after a while: its slot is free again, whatever
 * its thread still does.
 *
 * <p>Long because all of that meets under one lock, and must be read together.
 */
final class ReviewTask implements TaskSlots.Turn {
  private static final int NEAR = 10;
  private static final double STEP = 0.1;

  private final Tasks all;
  private final String id;
  private final TaskDetails details;
  private final Caller caller;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicBoolean back = new AtomicBoolean();
  private final List<Time.Alarm> alarms = new ArrayList<>();
  private @Nullable Channel channel;
  private TaskSlots.@Nullable Place place;
  private TaskSlots.@Nullable Position position;
  private TaskSlots.@Nullable Slot slot;
  private @Nullable Runnable lease;
  private TaskWork.@Nullable Work work;
  private @Nullable TaskCode told;
  private @Nullable List<TaskEvent> last;
  private boolean begun;
  private boolean over;

  ReviewTask(Tasks all, String id, TaskDetails details, Caller caller) {
    this.all = all;
    this.id = id;
    this.details = details;
    this.caller = caller;
  }

  String id() {
    return id;
  }

  /** It was let in. */
  void entered(TaskSlots.Entry entry) {
    lock.lock();
    try {
      switch (entry) {
        case TaskSlots.Granted(var free) -> slot = free;
        case TaskSlots.Queued(var mine, var where) -> {
          place = mine;
          if (position == null) {
            position = where;
          }
        }
        case TaskSlots.Full full -> throw new IllegalStateException("it was not let in");
        case TaskSlots.Running same -> throw new IllegalStateException("it was not let in");
        case TaskSlots.Draining draining -> throw new IllegalStateException("it was not let in");
      }
    } finally {
      lock.unlock();
    }
  }

  /** Its client is ready to be told. */
  void start(Channel to) {
    TaskSlots.Position waits = null;
    List<TaskEvent> ended;
    boolean begins;
    lock.lock();
    try {
      channel = to;
      ended = last;
      begins = slot != null;
      if (ended == null && !begins) {
        waits = position;
        alarm(all.times().queue().toNanos(), this::impatient);
      }
    } finally {
      lock.unlock();
    }
    if (ended != null) {
      to.finish(ended, this::giveBack);
    } else if (begins) {
      begin();
    } else if (waits != null) {
      to.progress(TaskEvent.queued(id, waits));
    }
  }

  private void alarm(long nanos, Runnable ring) {
    alarms.add(all.time().alarm(all.time().nanos() + nanos, ring));
  }

  @Override
  public void granted(TaskSlots.Slot free) {
    boolean begins;
    lock.lock();
    try {
      begins = !over && channel != null;
      if (!over) {
        slot = free;
      }
    } finally {
      lock.unlock();
    }
    if (begins) {
      all.afterwards(this::begin);
    } else if (isOver()) {
      free.giveBack();
    }
  }

  @Override
  public void moved(TaskSlots.Position now) {
    Channel to;
    lock.lock();
    try {
      to = over || slot != null || !isNews(now) ? null : channel;
      if (to != null || channel == null) {
        position = now;
      }
    } finally {
      lock.unlock();
    }
    if (to != null) {
      to.progress(TaskEvent.queued(id, now));
    }
  }

  /** Near the front every step is, further back a tenth of the way. */
  private boolean isNews(TaskSlots.Position now) {
    var before = position;
    return before == null
        || (now.place() <= NEAR
            ? now.place() != before.place()
            : now.place() < before.place() * (1 - STEP));
  }

  @Override
  public void drained() {
    fail(TaskCode.DRAINING, TaskError.Phase.SETUP, Optional.empty());
  }

  /** It has waited for as long as anybody may. */
  private void impatient() {
    TaskSlots.Place mine;
    lock.lock();
    try {
      mine = place;
    } finally {
      lock.unlock();
    }
    if (mine != null && mine.leave()) {
      var full = all.error(TaskCode.AT_CAPACITY, TaskError.Phase.SETUP, id).full(all.house());
      end(full);
    }
  }

  private boolean isOver() {
    lock.lock();
    try {
      return over;
    } finally {
      lock.unlock();
    }
  }

  /** It has a slot; is there room beyond this process too? */
  private void begin() {
    lock.lock();
    try {
      if (begun || over) {
        return;
      }
      begun = true;
    } finally {
      lock.unlock();
    }
    try {
      all.wider()
          .take(id, caller.tenant().name())
          .onComplete(
              answer -> {
                if (answer.failed()) {
                  failed(answer.cause());
                } else {
                  answered(answer.result());
                }
              });
    } catch (RuntimeException broken) {
      failed(broken);
    }
  }

  private void answered(WiderSlots.Answer answer) {
    switch (answer) {
      case WiderSlots.NoRoom(var house) ->
          end(all.error(TaskCode.AT_CAPACITY, TaskError.Phase.SETUP, id).full(house));
      case WiderSlots.Taken(var returned) -> {
        boolean late;
        lock.lock();
        try {
          late = over;
          if (!late) {
            lease = returned;
          }
        } finally {
          lock.unlock();
        }
        if (late) {
          returned.run();
        } else {
          work();
        }
      }
    }
  }

  private void work() {
    lock.lock();
    try {
      if (over) {
        return;
      }
      alarm(details.within().toNanos(), () -> cancel(TaskCode.TIMEOUT));
    } finally {
      lock.unlock();
    }
    TaskWork.Work under;
    try {
      under = all.work().begin(id, details, caller, new Reporter());
    } catch (RuntimeException broken) {
      failed(broken);
      return;
    }
    boolean cancelled;
    lock.lock();
    try {
      work = under;
      cancelled = told != null && !over;
    } finally {
      lock.unlock();
    }
    if (cancelled) {
      under.cancel();
    }
  }

  /** Hands on what the work says. */
  private final class Reporter implements TaskWork.Listener {
    @Override
    public void event(TaskEvent event) {
      Channel to;
      lock.lock();
      try {
        to = over || told != null ? null : channel;
      } finally {
        lock.unlock();
      }
      if (to != null) {
        to.progress(event);
      }
    }

    @Override
    public void ended(TaskWork.Ending ending) {
      TaskCode why;
      lock.lock();
      try {
        why = told;
      } finally {
        lock.unlock();
      }
      if (why != null) {
        fail(why, TaskError.Phase.EXECUTION, Optional.empty());
        return;
      }
      switch (ending) {
        case TaskWork.Completed(var result) -> end(List.of(result), Optional.empty());
        case TaskWork.Failed(var code, var phase, var detail) -> fail(code, phase, detail);
      }
    }
  }

  /** Ends it for a reason; what is under way gets some time to stop. */
  void cancel(TaskCode why) {
    TaskWork.Work under;
    TaskSlots.Place mine;
    lock.lock();
    try {
      if (over || told != null) {
        return;
      }
      told = why;
      under = work;
      mine = place;
      if (lease != null) {
        alarm(
            all.times().settle().toNanos(),
            () -> fail(why, TaskError.Phase.EXECUTION, Optional.empty()));
      }
    } finally {
      lock.unlock();
    }
    if (mine != null) {
      mine.leave();
    }
    if (under != null) {
      under.cancel();
    } else if (!isWorking()) {
      fail(why, TaskError.Phase.SETUP, Optional.empty());
    }
  }

  /** Whether its work has begun, or is about to. */
  private boolean isWorking() {
    lock.lock();
    try {
      return lease != null;
    } finally {
      lock.unlock();
    }
  }

  private void failed(Throwable broken) {
    all.log(id, broken);
    fail(TaskCode.INTERNAL_ERROR, TaskError.Phase.SETUP, Optional.empty());
  }

  private void fail(TaskCode code, TaskError.Phase phase, Optional<String> detail) {
    var error = all.error(code, phase, id).detail(detail);
    end(code == TaskCode.DRAINING ? error.retryAfter(all.soon()) : error);
  }

  private void end(TaskError error) {
    end(List.of(TaskEvent.error(error)), Optional.of(error));
  }

  private void end(List<TaskEvent> events, Optional<TaskError> error) {
    Channel to;
    boolean ran;
    lock.lock();
    try {
      if (over) {
        return;
      }
      over = true;
      last = events;
      to = channel;
      ran = lease != null;
      alarms.forEach(Time.Alarm::silence);
      alarms.clear();
    } finally {
      lock.unlock();
    }
    all.ended(error, ran);
    if (to != null) {
      to.finish(events, this::giveBack);
    } else {
      giveBack();
    }
  }

  private void giveBack() {
    if (!back.compareAndSet(false, true)) {
      return;
    }
    TaskSlots.Slot free;
    Runnable returned;
    lock.lock();
    try {
      free = slot;
      returned = lease;
    } finally {
      lock.unlock();
    }
    try {
      if (returned != null) {
        returned.run();
      }
    } catch (RuntimeException broken) {
      all.log(id, broken);
    } finally {
      if (free != null) {
        free.giveBack();
      }
      all.gone(this);
    }
  }

  /** The way on which a client is told of its task. Any thread may use it. */
  interface Channel {
    /**
     * Tells something that the result says too: of a client who reads too slowly some are missed.
     */
    void progress(TaskEvent event);

    /**
     * Tells what no client may miss, and then that nothing follows.
     *
     * @param over run once, when the client has it or is gone; only after that it is told that
     *     nothing follows, so that whoever is may ask again at once
     */
    void finish(List<TaskEvent> last, Runnable over);
  }
}
