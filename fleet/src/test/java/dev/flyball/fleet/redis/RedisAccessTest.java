package dev.flyball.fleet.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

/** A real Redis, and what it says when it cannot be used. */
class RedisAccessTest {
  private static int port;
  private static RedisServer server;

  @BeforeAll
  static void start() throws IOException {
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server =
        RedisServer.newRedisServer()
            .port(port)
            .setting("bind 127.0.0.1")
            .setting("save \"\"")
            .setting("requirepass a:b@c")
            .build();
    server.start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.stop();
  }

  private static URI with(String user) {
    return URI.create("redis://" + user + "127.0.0.1:" + port);
  }

  @Test
  void a_script_is_run_though_the_server_has_forgotten_it() throws IOException {
    try (var redis = RedisAccess.open(with(":a%3Ab%40c@"))) {
      var script = RedisScript.of("return redis.call('INCR', KEYS[1])");
      var flush = RedisScript.of("redis.call('DEL', KEYS[1]) return 0");
      assertThat(redis.run(flush, List.of("n"), List.of())).isEqualTo(0L);
      assertThat(redis.run(script, List.of("n"), List.of())).isEqualTo(1L);
      assertThat(redis.run(script, List.of("n"), List.of())).isEqualTo(2L);
    }
  }

  @Test
  void a_password_that_is_missing_or_wrong_is_said_and_never_shown() {
    assertThatThrownBy(() -> RedisAccess.open(with("")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("needs a password");
    assertThatThrownBy(() -> RedisAccess.open(with(":secret-of-mine@")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("refuses this user or password")
        .hasMessageNotContaining("secret-of-mine");
  }

  @Test
  void nobody_there_is_said_in_one_line() {
    assertThatThrownBy(() -> RedisAccess.open(URI.create("redis://127.0.0.1:1")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the Redis at redis://127.0.0.1:1 cannot be reached; check address and network");
  }
}
