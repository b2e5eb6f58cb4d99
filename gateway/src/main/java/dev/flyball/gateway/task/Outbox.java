package dev.flyball.gateway.task;

import dev.flyball.scheduler.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent to one client, in order. Any thread may put something in; it is written on the
 * connection's own context, and no faster than the client reads.
 *
 * <p>A client who reads slowly costs a bounded amount of memory: once so much lies here, events of
 * progress are left out and counted, because the result says all of it again. What no client may
 * miss always has room, and comes at most once a task. A task's slot is held until its client has
 * read the end, so that such ends are as bounded as tasks are; a client who reads nothing for a
 * while is given up.
 */
final class Outbox {
  private static final int MOST_LETTERS = 1 << 20;
  private static final int MOST_EVENTS = 1_000;

  /** The connection, as it is used on its context. */
  interface Wire {
    boolean isFull();

    /** Writes; the future ends when the bytes are on their way. */
    Future<Void> write(String text);

    /** Gives the client up. */
    void cut();
  }

  private final Context context;
  private final Wire wire;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<String> waiting = new ArrayDeque<>();
  private long letters;
  private long missed;
  private int unwritten;
  private long moved;
  private @Nullable Runnable over;
  private boolean closing;
  private boolean gone;

  Outbox(Context context, Wire wire, Time time) {
    this.context = context;
    this.wire = wire;
    this.time = time;
    this.moved = time.nanos();
  }

  /** Puts something in that may be left out. */
  void progress(String text) {
    lock.lock();
    try {
      if (gone || closing) {
        return;
      }
      if (waiting.size() >= MOST_EVENTS || letters + text.length() > MOST_LETTERS) {
        missed++;
        return;
      }
      add(text);
    } finally {
      lock.unlock();
    }
    context.runOnContext(nothing -> flush());
  }

  /** Puts something in that is not left out; a client who lets too much of that lie is given up. */
  void say(String text) {
    boolean flooded;
    lock.lock();
    try {
      if (gone) {
        return;
      }
      flooded = waiting.size() >= 2 * MOST_EVENTS;
      if (!flooded) {
        add(text);
      }
    } finally {
      lock.unlock();
    }
    context.runOnContext(
        nothing -> {
          if (flooded) {
            cut();
          } else {
            flush();
          }
        });
  }

  /**
   * Puts in how something ended.
   *
   * @param then run once, when all is on its way or the client is gone
   */
  void finish(List<String> texts, Runnable then) {
    boolean nobody;
    lock.lock();
    try {
      nobody = gone;
      if (!nobody) {
        closing = true;
        over = then;
        texts.forEach(this::add);
      }
    } finally {
      lock.unlock();
    }
    if (nobody) {
      then.run();
    } else {
      context.runOnContext(nothing -> flush());
    }
  }

  private void add(String text) {
    if (waiting.isEmpty() && unwritten == 0) {
      moved = time.nanos();
    }
    waiting.add(text);
    letters += text.length();
  }

  /** Writes as much as the client takes. On the context; called again when it takes more. */
  void flush() {
    var now = new ArrayList<String>();
    lock.lock();
    try {
      while (!gone && !waiting.isEmpty() && !wire.isFull() && now.size() < 16) {
        var text = waiting.remove();
        letters -= text.length();
        unwritten++;
        now.add(text);
      }
    } finally {
      lock.unlock();
    }
    for (var text : now) {
      wire.write(text).onComplete(done -> written());
    }
    if (!now.isEmpty()) {
      context.runOnContext(nothing -> flush());
    }
  }

  private void written() {
    Runnable then = null;
    lock.lock();
    try {
      unwritten--;
      moved = time.nanos();
      if (closing && waiting.isEmpty() && unwritten == 0) {
        then = over;
        over = null;
        closing = false;
      }
    } finally {
      lock.unlock();
    }
    if (then != null) {
      then.run();
    }
  }

  /** Whether something lies here that the client has not taken for so long. */
  boolean isStuck(Duration patience) {
    lock.lock();
    try {
      return !gone
          && (!waiting.isEmpty() || unwritten > 0)
          && time.nanos() - moved > patience.toNanos();
    } finally {
      lock.unlock();
    }
  }

  /** How many events were left out since this was asked last. */
  long missed() {
    lock.lock();
    try {
      long left = missed;
      missed = 0;
      return left;
    } finally {
      lock.unlock();
    }
  }

  /** How long nothing was sent. */
  Duration quiet() {
    lock.lock();
    try {
      return Duration.ofNanos(time.nanos() - moved);
    } finally {
      lock.unlock();
    }
  }

  /** Says that there is life, if nothing else is waiting to be said. */
  void lifeSign(String text) {
    lock.lock();
    try {
      if (gone || closing || !waiting.isEmpty() || unwritten > 0) {
        return;
      }
      add(text);
    } finally {
      lock.unlock();
    }
    flush();
  }

  /** The client is gone; nothing is sent any more. */
  void gone() {
    Runnable then;
    lock.lock();
    try {
      gone = true;
      waiting.clear();
      letters = 0;
      then = over;
      over = null;
      closing = false;
    } finally {
      lock.unlock();
    }
    if (then != null) {
      then.run();
    }
  }

  /** Gives the client up. On the context. */
  void cut() {
    wire.cut();
    gone();
  }
}
