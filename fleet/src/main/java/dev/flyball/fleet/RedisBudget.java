package dev.flyball.fleet;

import dev.flyball.fleet.redis.RedisAccess;
import dev.flyball.fleet.redis.RedisScript;
import dev.flyball.scheduler.Flyball.SharedBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A budget that processes spend together, kept in Redis.
 *
 * <h2>How it works</h2>
 *
 * Redis knows what was spent and, for each process, what is set aside for it: its holds, and a
 * little more for its next calls. What is spent and set aside is never more than the budget, so a
 * process decides by itself, and at once, about what is set aside for it. It asks for more when
 * that runs out, and tells what it has spent; both in one script. While somebody finds no room,
 * nobody gets more than it holds, and gives the rest back when it asks next.
 *
 * <h2>What must hold</h2>
 *
 * What a process says is absolute: what it has spent since it began, and what it holds now. So to
 * say it twice is the same as once; and a Redis that was emptied is told again by those who are
 * there. While it is asked, nothing but holds counts as set aside here: nobody knows then what
 * Redis has taken back. What is set aside for a process has a lease: of a dead one it comes back,
 * with what its last attempts may have cost. While Redis cannot be reached, calls wait.
 */
public final class RedisBudget implements SharedBudget, AutoCloseable {
  /** More than numbers of Lua hold exactly. */
  private static final long MOST_MICROS = 1_000_000_000_000_000L;

  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration KEPT = Duration.ofDays(30);
  private static final Duration RENEW_EVERY = Duration.ofSeconds(1);
  private static final Duration ASK_AGAIN_AFTER = Duration.ofMillis(100);
  private static final Duration TELL_AFTER = Duration.ofMillis(50);

  /** Set aside for the calls after the next one, in times of that. */
  private static final int AHEAD = 8;

  /**
   * What is set aside for the process after this; what was spent by all; what is set aside for
   * others; whether somebody finds no room.
   */
  private static final RedisScript ASK =
      RedisScript.of(
          """
          local sum, aside, told, leases, hungry = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
          local me, lease, kept = ARGV[1], tonumber(ARGV[2]), ARGV[3]
          local limit, spent, held = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
          local need, ahead = tonumber(ARGV[7]), tonumber(ARGV[8])
          local time = redis.call('TIME')
          local now = time[1] * 1000 + math.floor(time[2] / 1000)
          for _, dead in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
            redis.call('HDEL', aside, dead)
            redis.call('ZREM', leases, dead)
          end
          local more = spent - tonumber(redis.call('HGET', told, me) or '0')
          redis.call('HSET', told, me, ARGV[5])
          local all = redis.call('INCRBY', sum, string.format('%.0f', more))
          local others, processes = 0, 1
          local each = redis.call('HGETALL', aside)
          for i = 1, #each, 2 do
            if each[i] ~= me then
              others = others + tonumber(each[i + 1])
              processes = processes + 1
            end
          end
          local left = limit - all - others - held
          local wants = redis.call('GET', hungry)
          local extra = 0
          if need > 0 and need <= left then
            extra = need
            left = left - need
            if wants == me then
              redis.call('DEL', hungry)
              wants = false
            end
          elseif need > 0 then
            redis.call('SET', hungry, me, 'PX', 1000)
            wants = me
          end
          if not wants and left > 0 then
            extra = extra + math.min(ahead, math.floor(left / (2 * processes)))
          end
          redis.call('HSET', aside, me, string.format('%.0f', held + extra))
          redis.call('ZADD', leases, now + lease, me)
          for i = 1, 4 do
            redis.call('PEXPIRE', KEYS[i], kept)
          end
          return {held + extra, all, others, wants and 1 or 0}
          """);

  /** The process is gone, and holds nothing. */
  private static final RedisScript LEAVE =
      RedisScript.of(
          """
          local more = tonumber(ARGV[2]) - tonumber(redis.call('HGET', KEYS[3], ARGV[1]) or '0')
          redis.call('INCRBY', KEYS[1], string.format('%.0f', more))
          redis.call('HDEL', KEYS[2], ARGV[1])
          redis.call('HDEL', KEYS[3], ARGV[1])
          redis.call('ZREM', KEYS[4], ARGV[1])
          redis.call('PEXPIRE', KEYS[1], ARGV[3])
          return 0
          """);

  private final RedisAccess redis;
  private final List<String> keys;
  private final long limit;
  private final Duration lease;
  private final Consumer<String> news;
  private final String process = UUID.randomUUID().toString();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition asks = lock.newCondition();
  private final Thread asker;
  private volatile Runnable told = () -> {};

  /** What may be held beyond what is. */
  private long free;

  private long held;
  private int holds;
  private long spent;

  /** What all have spent, as far as is known, with what this process has told of it. */
  private long spentByAll;

  private long toldOf;
  private boolean known;

  /** The least that a call waits for; 0 if none does. */
  private long needs;

  private boolean away;
  private boolean closed;

  private RedisBudget(
      RedisAccess redis, List<String> keys, long limit, Duration lease, Consumer<String> news) {
    this.redis = redis;
    this.keys = keys;
    this.limit = limit;
    this.lease = lease;
    this.news = news;
    this.asker = Thread.ofPlatform().daemon().name("flyball-budget").start(this::askAlways);
  }

  /**
   * A budget at a Redis.
   *
   * @param place where
   * @param scope its name: letters, digits and {@code . _ -}, at most 60
   * @param micros how much it is, in millionths of a dollar, above 0; the same in all processes
   * @param news is told, in a sentence, when Redis cannot be reached, and when it can again; must
   *     not block
   * @return the budget
   * @throws IOException if that Redis cannot be used; the message says why, in one line
   */
  public static RedisBudget at(
      FleetPlace.AtRedis place, String scope, long micros, Consumer<String> news)
      throws IOException {
    return at(place, scope, micros, news, LEASE);
  }

  static RedisBudget at(
      FleetPlace.AtRedis place, String scope, long micros, Consumer<String> news, Duration lease)
      throws IOException {
    if (micros < 1 || micros > MOST_MICROS) {
      throw new IllegalArgumentException(
          "a shared budget is above 0 and at most %,d dollars".formatted(MOST_MICROS / 1_000_000));
    }
    var prefix = "flyball:1:{" + place.fleet() + "}:budget:" + scope;
    var keys =
        List.of(prefix, prefix + ":aside", prefix + ":told", prefix + ":leases", prefix + ":wants");
    return new RedisBudget(RedisAccess.open(place.address()), keys, micros, lease, news);
  }

  @Override
  public void whenRoom(Runnable listener) {
    told = listener;
  }

  @Override
  public Room hold(long micros) {
    lock.lock();
    try {
      if (micros <= free) {
        free -= micros;
        held += micros;
        holds++;
        return new Room.Held();
      }
      long left = limit - spentByAll - (spent - toldOf);
      if (known && micros > left && holds == 0) {
        return new Room.Spent(left);
      }
      needs = needs == 0 ? micros : Math.min(needs, micros);
      asks.signalAll();
      return new Room.Later();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void settle(long wasHeld, long wasSpent) {
    lock.lock();
    try {
      held -= wasHeld;
      holds--;
      spent += wasSpent;
      asks.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** {@return what all have spent, as far as this process knows, in millionths of a dollar} */
  public long spentByAll() {
    lock.lock();
    try {
      return spentByAll + spent - toldOf;
    } finally {
      lock.unlock();
    }
  }

  private void askAlways() {
    try {
      while (waitForReason()) {
        ask();
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until there is something to ask or to tell; false if there never will be. */
  private boolean waitForReason() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = RENEW_EVERY.toNanos();
      while (!closed && left > 0 && (needs == 0 || away) && spent == toldOf) {
        left = asks.awaitNanos(left);
      }
      boolean tells = needs == 0 || away;
      left = (tells ? TELL_AFTER : Duration.ZERO).toNanos();
      // What others tell meanwhile goes along.
      while (!closed && left > 0 && (needs == 0 || away)) {
        left = asks.awaitNanos(left);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void ask() throws InterruptedException {
    long nowSpent;
    long nowHeld;
    long need;
    lock.lock();
    try {
      free = 0;
      nowSpent = spent;
      nowHeld = held;
      need = needs;
    } finally {
      lock.unlock();
    }
    boolean decided = false;
    boolean later = false;
    try {
      var answer =
          (List<?>)
              redis.run(
                  ASK,
                  keys,
                  List.of(
                      process,
                      Long.toString(lease.toMillis()),
                      Long.toString(KEPT.toMillis()),
                      Long.toString(limit),
                      Long.toString(nowSpent),
                      Long.toString(nowHeld),
                      Long.toString(need),
                      Long.toString(need * AHEAD)));
      lock.lock();
      try {
        free = number(answer.get(0)) - nowHeld;
        spentByAll = number(answer.get(1));
        toldOf = nowSpent;
        known = true;
        boolean never = needs > limit - spentByAll && holds == 0;
        decided = needs > 0 && (needs <= free || never);
        if (decided) {
          needs = 0;
        }
        later = need > 0 && !decided;
      } finally {
        lock.unlock();
      }
      away(false);
    } catch (IOException unreachable) {
      away(true);
      later = true;
    }
    if (decided) {
      told.run();
    }
    if (later) {
      pause(ASK_AGAIN_AFTER);
    }
  }

  /** Waits for so long, or until this process itself has something to settle. */
  private void pause(Duration time) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long before = spent - held;
      long left = time.toNanos();
      while (!closed && left > 0 && spent - held == before) {
        left = asks.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void away(boolean now) {
    boolean changed = away != now;
    away = now;
    if (changed) {
      news.accept(
          now
              ? "the Redis that keeps the shared budget cannot be reached; calls wait for it"
              : "the shared budget is there again");
    }
  }

  private static long number(Object answer) {
    return (Long) answer;
  }

  /** Goes without a word, as who is killed does. */
  void die() throws InterruptedException {
    end();
    redis.close();
  }

  private void end() throws InterruptedException {
    lock.lock();
    try {
      closed = true;
      asks.signalAll();
    } finally {
      lock.unlock();
    }
    asker.join(3_000);
  }

  /** Tells what was spent, and gives everything else back. */
  @Override
  public void close() {
    try {
      end();
      redis.run(
          LEAVE, keys, List.of(process, Long.toString(spent), Long.toString(KEPT.toMillis())));
    } catch (IOException unreachable) {
      // What it had set aside comes back when its lease is over.
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } finally {
      redis.close();
    }
  }
}
