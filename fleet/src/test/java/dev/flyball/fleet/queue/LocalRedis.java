package dev.flyball.fleet.queue;

import dev.flyball.fleet.FleetPlace;
import dev.flyball.fleet.redis.RedisAccess;
import dev.flyball.fleet.redis.RedisScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.embedded.RedisServer;

/** A real Redis of this machine, for a test. */
public final class LocalRedis implements AutoCloseable {
  private static final RedisScript ANY =
      RedisScript.of("return redis.call(ARGV[1], unpack(ARGV, 2))");

  private static final RedisScript EVERYTHING =
      RedisScript.of(
          """
          local all = {}
          for _, key in ipairs(redis.call('KEYS', '*')) do
            local sort = redis.call('TYPE', key).ok
            all[#all + 1] = key
            if sort == 'hash' then
              all[#all + 1] = redis.call('HGETALL', key)
            elseif sort == 'zset' then
              all[#all + 1] = redis.call('ZRANGE', key, 0, -1)
            elseif sort == 'string' then
              all[#all + 1] = redis.call('GET', key)
            end
          end
          return all
          """);

  private final RedisServer server;
  public final FleetPlace.AtRedis place;
  private final RedisAccess access;

  public LocalRedis() throws IOException {
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server =
        RedisServer.newRedisServer()
            .port(port)
            .setting("bind 127.0.0.1")
            .setting("save \"\"")
            .build();
    server.start();
    place = (FleetPlace.AtRedis) FleetPlace.of("redis://127.0.0.1:" + port);
    access = RedisAccess.open(place.address());
  }

  /** Any command that a script may use. */
  public Object say(String... words) throws IOException {
    return access.run(ANY, List.of(), List.of(words));
  }

  /** {@return how it is named on a command line} */
  public String url() {
    return place.address().toString();
  }

  /** {@return all keys and what they hold} */
  public String everything() throws IOException {
    return String.valueOf(access.run(EVERYTHING, List.of(), List.of()));
  }

  /** As a restart of the server would. */
  public void forgetScripts() {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), place.address().getPort())) {
      socket.getOutputStream().write("SCRIPT FLUSH\r\n".getBytes(StandardCharsets.UTF_8));
      if (socket.getInputStream().read() != '+') {
        throw new IllegalStateException("it has not forgotten them");
      }
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  @Override
  public void close() {
    access.close();
    try {
      server.stop();
    } catch (IOException gone) {
      throw new IllegalStateException(gone);
    }
  }
}
