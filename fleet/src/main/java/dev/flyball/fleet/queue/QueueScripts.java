package dev.flyball.fleet.queue;

import dev.flyball.fleet.redis.RedisScript;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The scripts of the queue: each step that must be one is one of them. */
final class QueueScripts {
  private static final String COMMON = text("common");

  static final RedisScript ADD = script("add");
  static final RedisScript CLAIM = script("claim");
  static final RedisScript EXTEND = script("extend");
  static final RedisScript SETTLE = script("settle");
  static final RedisScript MOVE = script("move");
  static final RedisScript LOOK = script("look");
  static final RedisScript FIGURES = script("figures");

  private QueueScripts() {}

  private static RedisScript script(String name) {
    return RedisScript.of(COMMON + text(name));
  }

  private static String text(String name) {
    try (@Nullable InputStream in = QueueScripts.class.getResourceAsStream(name + ".lua")) {
      if (in == null) {
        throw new IOException("this build has no script " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
