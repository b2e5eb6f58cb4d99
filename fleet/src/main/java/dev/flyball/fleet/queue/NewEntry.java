package dev.flyball.fleet.queue;

import java.time.Duration;

/**
 * Work that is to be queued.
 *
 * @param key by which it is known: a queue has one entry of a key. It may be shown to anybody
 * @param kind the sort of work it is, for whoever does it
 * @param digest of what it is, so that a key under which there is something else is noticed
 * @param patience how long it lets others go first: it is overtaken only by what comes less than
 *     its patience later, so nothing starves
 * @param output where its result goes; may be empty
 * @param payload what is to be done, for whoever does it; no secrets
 */
public record NewEntry(
    String key, String kind, String digest, Duration patience, String output, String payload) {
  private static final int LONGEST_KEY = 1_000;

  /** The longest payload, in letters. */
  public static final int LONGEST_PAYLOAD = 8 << 20;

  /**
   * Checks sizes.
   *
   * @throws IllegalArgumentException if the key is empty or too long, or the payload is
   */
  public NewEntry {
    if (key.isBlank() || key.length() > LONGEST_KEY) {
      throw new IllegalArgumentException(
          "a key of a queue has 1 to %,d letters, not %,d".formatted(LONGEST_KEY, key.length()));
    }
    if (payload.length() > LONGEST_PAYLOAD) {
      throw new IllegalArgumentException(
          "an entry of a queue has at most %,d letters, not %,d"
              .formatted(LONGEST_PAYLOAD, payload.length()));
    }
  }
}
