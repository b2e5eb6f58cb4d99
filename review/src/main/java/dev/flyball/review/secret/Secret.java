package dev.flyball.review.secret;

/**
 * A place in a text where a secret is written.
 *
 * @param start of its first character
 * @param end behind its last one
 * @param kind what it is, such as {@code GitHub token}
 */
public record Secret(int start, int end, String kind, Sign sign) {
  /** What a secret is known by, the surest first. */
  public enum Sign {
    /** Whoever issues it gives it a form that nothing else has. */
    FORM,
    /** Its name, or its place in an address, says that it is one; not that it opens anything. */
    NAME,
    /** It looks like a piece of a key; nothing says so. */
    LOOK
  }

  public Secret {
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException(
          "a secret has a first character and an end behind it, but were %d and %d"
              .formatted(start, end));
    }
  }
}
