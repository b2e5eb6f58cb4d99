package dev.flyball.gateway.tenant;

import dev.flyball.llm.Sha256;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/** The token of those who may see and steer the server. Nothing prints it but {@link #text}. */
public final class AdminToken {
  /** The variable that says it. */
  public static final String VARIABLE = "FLYBALL_ADMIN_TOKEN";

  private static final int SHORTEST = 16;
  private static final int BYTES = 24;

  private final String text;
  private final byte[] hash;
  private final boolean given;

  private AdminToken(String text, boolean given) {
    this.text = text;
    this.hash = Sha256.of(text);
    this.given = given;
  }

  /**
   * The one that the environment says, else a new one.
   *
   * @throws IllegalArgumentException if it is too short to be a secret
   */
  public static AdminToken of(Map<String, String> environment, SecureRandom random) {
    var said = environment.getOrDefault(VARIABLE, "").strip();
    if (said.isEmpty()) {
      var bytes = new byte[BYTES];
      random.nextBytes(bytes);
      return new AdminToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes), false);
    }
    if (said.length() < SHORTEST) {
      throw new IllegalArgumentException(
          "%s must have at least %d characters, but has %d; without it one is created"
              .formatted(VARIABLE, SHORTEST, said.length()));
    }
    return new AdminToken(said, true);
  }

  /** Whether somebody has it already; one that was made is printed once. */
  public boolean isGiven() {
    return given;
  }

  /** The token itself. */
  public String text() {
    return text;
  }

  /** Whether that is it; how long this takes does not depend on how much of it is right. */
  public boolean is(String presented) {
    return MessageDigest.isEqual(hash, Sha256.of(presented));
  }

  @Override
  public String toString() {
    return "AdminToken";
  }
}
