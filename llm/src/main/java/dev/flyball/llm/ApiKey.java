package dev.flyball.llm;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A secret that opens a provider. Whatever shows it shows its fingerprint. */
public final class ApiKey {
  private final String secret;
  private final String fingerprint;

  private ApiKey(String secret) {
    this.secret = secret;
    this.fingerprint = fingerprint(secret);
  }

  public static ApiKey of(String secret) {
    var stripped = secret.strip();
    if (stripped.isEmpty() || !stripped.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException("a key is of printable characters, without spaces");
    }
    return new ApiKey(stripped);
  }

  private static String fingerprint(String secret) {
    try {
      var digest =
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Eight hexadecimal digits that tell keys apart and open nothing. */
  public String fingerprint() {
    return fingerprint;
  }

  String secret() {
    return secret;
  }

  @Override
  public String toString() {
    return "key " + fingerprint;
  }
}
