package dev.flyball.fleet;

import dev.flyball.fleet.redis.RedisAccess;
import dev.flyball.fleet.redis.RedisScript;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Room for so many things at a time, over all processes that name the same Redis.
 *
 * <p>Each thing has a lease in a sorted set, by the moment of the server's clock at which it ends;
 * taking one looks at the number and takes it in one step. Leases are renewed three times before
 * they end, given back by name, and free when their process is dead for as long as a lease. To take
 * one twice, or to give it back twice, is the same as once.
 *
 * <p>While Redis cannot be reached, each process has its part of the room, by how many there were.
 * What it holds then gets its leases again afterwards, if need be beyond the limit.
 *
 * <p>Thread-safe; taking and giving back block for as long as Redis takes.
 */
public final class SharedSlots implements AutoCloseable {
  private static final Duration LEASE = Duration.ofSeconds(15);

  private static final String CLOCK =
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      local ends = now + tonumber(ARGV[1])
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
      redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
      redis.call('ZADD', KEYS[2], ends, ARGV[2])
      redis.call('PEXPIRE', KEYS[2], ARGV[1])
      """;

  /** A lease for a thing, if there is room or it has one; how many there are, and processes. */
  private static final RedisScript TAKE =
      RedisScript.of(
          CLOCK
              + """
              local has = redis.call('ZSCORE', KEYS[1], ARGV[3])
              local held = redis.call('ZCARD', KEYS[1])
              local granted = 0
              if has or held < tonumber(ARGV[4]) then
                granted = 1
                redis.call('ZADD', KEYS[1], ends, ARGV[3])
                redis.call('PEXPIRE', KEYS[1], ARGV[1])
                if not has then held = held + 1 end
              end
              return {granted, held, redis.call('ZCARD', KEYS[2])}
              """);

  /** All that this process holds is held for longer. */
  private static final RedisScript RENEW =
      RedisScript.of(
          CLOCK
              + """
              for i = 3, #ARGV do
                redis.call('ZADD', KEYS[1], ends, ARGV[i])
              end
              redis.call('PEXPIRE', KEYS[1], ARGV[1])
              return redis.call('ZCARD', KEYS[2])
              """);

  private static final RedisScript GIVE_BACK =
      RedisScript.of("return redis.call('ZREM', KEYS[1], ARGV[1])");

  /** The process has no part any more. */
  private static final RedisScript LEAVE =
      RedisScript.of("return redis.call('ZREM', KEYS[2], ARGV[1])");

  /** What came of asking. */
  public sealed interface Answer {}

  /** There is room, until it is given back. */
  public record Taken() implements Answer {}

  /**
   * There is none.
   *
   * @param limit how many there can be
   * @param held how many there are
   */
  public record Full(int limit, int held) implements Answer {}

  private final RedisAccess redis;
  private final List<String> keys;
  private final int limit;
  private final Duration lease;
  private final String process = UUID.randomUUID().toString();
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile int processes = 1;
  private volatile boolean away;

  private SharedSlots(RedisAccess redis, List<String> keys, int limit, Duration lease) {
    this.redis = redis;
    this.keys = keys;
    this.limit = limit;
    this.lease = lease;
    Thread.ofPlatform().daemon().name("flyball-slots").start(this::renewAlways);
  }

  /**
   * Room at a Redis.
   *
   * @param place where
   * @param name of what there is room for; letters
   * @param limit how many at a time, at least 1; the same in all processes
   * @return the room
   * @throws IOException if that Redis cannot be used; the message says why, in one line
   */
  public static SharedSlots at(FleetPlace.AtRedis place, String name, int limit)
      throws IOException {
    return at(place, name, limit, LEASE);
  }

  static SharedSlots at(FleetPlace.AtRedis place, String name, int limit, Duration lease)
      throws IOException {
    if (limit < 1) {
      throw new IllegalArgumentException("there is room for at least 1, but was " + limit);
    }
    var prefix = "flyball:1:{" + place.fleet() + "}:slots:" + name;
    return new SharedSlots(
        RedisAccess.open(place.address()), List.of(prefix, prefix + ":of"), limit, lease);
  }

  /**
   * Takes room for a thing.
   *
   * @param name of the thing, which no other in any process has
   * @return whether there is some
   */
  public Answer take(String name) {
    try {
      var answer =
          (List<?>)
              redis.run(
                  TAKE,
                  keys,
                  List.of(Long.toString(lease.toMillis()), process, name, Integer.toString(limit)));
      away = false;
      processes = Math.max(1, number(answer.get(2)));
      if (number(answer.get(0)) == 1) {
        held.add(name);
        return new Taken();
      }
      return new Full(limit, number(answer.get(1)));
    } catch (IOException unreachable) {
      away = true;
      return takeAlone(name);
    }
  }

  /** One's own part, by how many there were. */
  private Answer takeAlone(String name) {
    int part = Math.max(1, limit / processes);
    held.add(name);
    if (held.size() <= part) {
      return new Taken();
    }
    held.remove(name);
    return new Full(part, held.size());
  }

  private static int number(Object answer) {
    return ((Long) answer).intValue();
  }

  /**
   * Gives room back; does nothing if it was given back before.
   *
   * @param name of the thing
   */
  public void giveBack(String name) {
    if (held.remove(name)) {
      try {
        redis.run(GIVE_BACK, keys, List.of(name));
      } catch (IOException unreachable) {
        // Its lease ends by itself.
        away = true;
      }
    }
  }

  /** {@return whether Redis could not be reached when it was needed last} */
  public boolean isAway() {
    return away;
  }

  private void renewAlways() {
    try {
      while (!closed.await(lease.toMillis() / 3, TimeUnit.MILLISECONDS)) {
        renew();
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private void renew() {
    var arguments = new ArrayList<>(List.of(Long.toString(lease.toMillis()), process));
    var renewed = List.copyOf(held);
    arguments.addAll(renewed);
    try {
      processes = Math.max(1, number(redis.run(RENEW, keys, arguments)));
      away = false;
      for (var name : renewed) {
        if (!held.contains(name)) {
          // It was given back meanwhile, perhaps before it was renewed.
          redis.run(GIVE_BACK, keys, List.of(name));
        }
      }
    } catch (IOException unreachable) {
      away = true;
    }
  }

  /** Goes without a word, as who is killed does. */
  void die() {
    closed.countDown();
    redis.close();
  }

  /** Gives everything back. */
  @Override
  public void close() {
    closed.countDown();
    List.copyOf(held).forEach(this::giveBack);
    try {
      redis.run(LEAVE, keys, List.of(process));
    } catch (IOException unreachable) {
      // It ends by itself.
    }
    redis.close();
  }
}
