package dev.flyball.fleet.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script that a Redis runs as one step.
 *
 * @param text in Lua
 * @param digest by which a Redis knows it that has run it before
 */
public record RedisScript(String text, String digest) {
  /** {@return a script with its digest} */
  public static RedisScript of(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return new RedisScript(text, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-1", impossible);
    }
  }
}
