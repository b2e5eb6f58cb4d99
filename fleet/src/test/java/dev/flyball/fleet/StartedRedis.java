package dev.flyball.fleet;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;

/** A real Redis that a test has for itself, and may stop. */
final class StartedRedis implements AutoCloseable {
  private final int port;
  private final List<String> settings;
  private RedisServer server;

  StartedRedis(String... settings) throws IOException {
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    this.settings = List.of(settings);
    server = started();
  }

  private RedisServer started() throws IOException {
    var made =
        RedisServer.newRedisServer().port(port).setting("bind 127.0.0.1").setting("save \"\"");
    settings.forEach(made::setting);
    var built = made.build();
    built.start();
    return built;
  }

  int port() {
    return port;
  }

  FleetPlace.AtRedis place() {
    return (FleetPlace.AtRedis) FleetPlace.of("redis://127.0.0.1:" + port);
  }

  /** Has it do something. */
  void command(String... words) {
    try (var redis =
        new Jedis(
            new HostAndPort("127.0.0.1", port),
            DefaultJedisClientConfig.builder().resp2().build())) {
      var all = Arrays.stream(words).skip(1).toArray(String[]::new);
      redis.sendCommand(() -> words[0].getBytes(StandardCharsets.US_ASCII), all);
    }
  }

  void stop() throws IOException {
    server.stop();
  }

  void start() throws IOException {
    server = started();
  }

  @Override
  public void close() throws IOException {
    server.stop();
  }
}
