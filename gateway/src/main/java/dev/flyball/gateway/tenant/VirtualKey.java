package dev.flyball.gateway.tenant;

import dev.flyball.llm.Sha256;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A key that a tenant is given instead of a provider's. It has 256 random bits, so one round of
 * SHA-256 is enough to keep it by: nobody tries them all. Its text is shown once, to whoever made
 * it, and is kept nowhere.
 */
public final class VirtualKey {
  /** What every key begins with, so that scanners for secrets can know one. */
  public static final String PREFIX = "flyball_";

  private static final int BYTES = 32;
  private static final int HINT = PREFIX.length() + 4;

  private final String text;

  private VirtualKey(String text) {
    this.text = text;
  }

  /** A new one. */
  public static VirtualKey make(SecureRandom random) {
    var bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new VirtualKey(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** The key itself, to be shown once. */
  public String text() {
    return text;
  }

  /** What it is kept by. */
  public String hash() {
    return hash(text);
  }

  /** How it begins, so that people can tell it from others. */
  public String hint() {
    return text.substring(0, HINT);
  }

  /** What a key is kept by. */
  static String hash(String key) {
    return HexFormat.of().formatHex(Sha256.of(key));
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "VirtualKey[" + hint() + "]";
  }
}
