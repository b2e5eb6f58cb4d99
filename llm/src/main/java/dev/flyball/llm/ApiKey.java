package dev.flyball.llm;

import java.util.HexFormat;

/** A secret that opens a provider. Whatever shows it shows its fingerprint. */
public final class ApiKey {
  /** What is shown to servers that need no key; it opens nothing. */
  public static final ApiKey NONE = new ApiKey("none");

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
    return HexFormat.of().formatHex(Sha256.of(secret), 0, 4);
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
