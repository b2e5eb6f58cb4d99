package dev.flyball.bench.fleet;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.util.regex.Pattern;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;

/** A real Redis on a free port of this machine, that can be stopped and started and emptied. */
final class RealRedis implements AutoCloseable {
  private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z|]+):calls=(\\d+)");

  private final int port;
  private RedisServer server;

  RealRedis() throws IOException {
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server = started();
  }

  private RedisServer started() throws IOException {
    var made =
        RedisServer.newRedisServer()
            .port(port)
            .setting("bind 127.0.0.1")
            .setting("save \"\"")
            .build();
    made.start();
    return made;
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + port);
  }

  void stop() throws IOException {
    server.stop();
  }

  void start() throws IOException {
    server = started();
  }

  void empty() {
    try (var redis = client()) {
      redis.flushAll();
    }
  }

  /** How many commands it was sent, but for those that open a connection or ask this. */
  long commands() {
    try (var redis = client()) {
      long sum = 0;
      var calls = CALLS.matcher(redis.info("commandstats"));
      while (calls.find()) {
        sum +=
            switch (calls.group(1)) {
              case "publish", "eval", "evalsha", "set", "subscribe" ->
                  Long.parseLong(calls.group(2));
              default -> 0;
            };
      }
      return sum;
    }
  }

  private Jedis client() {
    return new Jedis(
        new HostAndPort("127.0.0.1", port), DefaultJedisClientConfig.builder().resp2().build());
  }

  @Override
  public void close() throws IOException {
    server.stop();
  }
}
