package dev.flyball.fleet;

import dev.flyball.fleet.redis.RedisAccess;
import dev.flyball.fleet.redis.RedisScript;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The way between replicas over one Redis: publish and subscribe for what they say, and one key,
 * which expires, for the lease. Names of keys carry the version and the fleet's name and nothing
 * else; those of one fleet share a hash tag.
 */
final class RedisExchange implements FleetExchange {
  private static final int MOST_UNSENT = 1 << 14;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Pattern HOLDER = Pattern.compile("(\\d{1,18}) (.+)");

  /** Who has the lease after this: whoever had it, or who asks. */
  private static final RedisScript TAKE =
      RedisScript.of(
          """
          local held = redis.call('GET', KEYS[1])
          if not held then
            local generation
            if ARGV[3] ~= '0' then
              generation = ARGV[3]
            else
              local known = math.max(tonumber(ARGV[2]), tonumber(redis.call('GET', KEYS[2]) or '0'))
              generation = string.format('%d', known + 1)
            end
            redis.call('SET', KEYS[2], generation, 'EX', 86400)
            held = generation .. ' ' .. ARGV[1]
            redis.call('SET', KEYS[1], held, 'PX', ARGV[4])
          elseif held == ARGV[3] .. ' ' .. ARGV[1] then
            redis.call('PEXPIRE', KEYS[1], ARGV[4])
          end
          return held
          """);

  /** Only who has it gives it back. */
  private static final RedisScript RELEASE =
      RedisScript.of(
          """
          local held = redis.call('GET', KEYS[1])
          if held and string.match(held, '^%d+ (.+)$') == ARGV[1] then
            redis.call('DEL', KEYS[1])
          end
          return 0
          """);

  /** Something to be sent. */
  @FunctionalInterface
  private interface Errand {
    void run() throws IOException;
  }

  private final RedisAccess redis;
  private final String prefix;
  private final LinkedBlockingQueue<Errand> errands = new LinkedBlockingQueue<>(MOST_UNSENT);
  private final Map<Channel, Consumer<String>> listeners = new EnumMap<>(Channel.class);
  private final AtomicLong commands = new AtomicLong();
  private final Thread sender;
  private volatile boolean closed;

  RedisExchange(RedisAccess redis, String fleet) {
    this.redis = redis;
    this.prefix = "flyball:1:{" + fleet + "}:";
    this.sender = Thread.ofPlatform().daemon().name("flyball-redis-out").start(this::send);
  }

  private void send() {
    try {
      while (!closed || !errands.isEmpty()) {
        var next = errands.take();
        try {
          commands.incrementAndGet();
          next.run();
        } catch (IOException away) {
          // What is old by the time that somebody can be reached is of no use.
          errands.clear();
          if (!closed) {
            Thread.sleep(PAUSE);
          }
        }
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private String name(Channel channel) {
    return prefix + (channel == Channel.TO_KEEPER ? "to-keeper" : "to-replicas");
  }

  private List<String> leaseKeys() {
    return List.of(prefix + "keeper", prefix + "generation");
  }

  @Override
  public void publish(Channel channel, String text) {
    var unused = errands.offer(() -> redis.publish(name(channel), text));
  }

  @Override
  public void hear(Channel channel, Consumer<String> listener) {
    listeners.put(channel, listener);
    redis.hear(List.of(name(channel)), (from, text) -> listener.accept(text));
  }

  @Override
  public void lease(String id, long known, long mine, Duration time, Consumer<Holder> answer) {
    var arguments =
        List.of(id, Long.toString(known), Long.toString(mine), Long.toString(time.toMillis()));
    var unused =
        errands.offer(
            () -> {
              var held = HOLDER.matcher(String.valueOf(redis.run(TAKE, leaseKeys(), arguments)));
              if (held.matches()) {
                answer.accept(new Holder(Long.parseLong(held.group(1)), held.group(2)));
              }
            });
  }

  @Override
  public void release(String id) {
    var unused = errands.offer(() -> redis.run(RELEASE, leaseKeys(), List.of(id)));
  }

  /** {@return how many commands were sent} */
  long commands() {
    return commands.get();
  }

  @Override
  public void close() {
    closed = true;
    var unused = errands.offer(() -> {});
    try {
      sender.join(500);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    redis.close();
  }
}
