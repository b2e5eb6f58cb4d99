package dev.flyball.limit;

/**
 * The question whether "too busy" came from a limiter. A server that is overloaded is slow to say
 * so, or says it to everybody; a limiter (nginx answers 503 by default) says it at once, to some,
 * while others are answered. So a refusal that took less than half of what answers take, from a
 * provider that was answering when these refusals began, is one of a limiter.
 *
 * <p>At the beginning of an outage the same is seen for a moment: what was sent before is still
 * answered. So the benefit of the doubt ends with the fifth refusal in a row, by the moment of
 * sending. Once something was answered that was sent within a second of a refusal and not before
 * it, the limiter is proven, and more in a row are put up with: a window may be shut for long.
 *
 * <p>Before the first answer nobody knows what answers take, and a refusal counts as failed.
 */
final class QuickRefusals {
  private static final long SECOND = 1_000_000_000L;
  private static final long TOGETHER = 10_000_000;
  private static final int DOUBTED_IN_A_ROW = 5;
  private static final int PROVEN_IN_A_ROW = 20;

  /** What answers take, smoothed; 0 before the first. */
  private double usual;

  /** The moment at which something was last answered. */
  private long answeredAt = Long.MIN_VALUE;

  /**
   * How many were refused at once since anything that was sent later than the first was answered.
   */
  private int inARow;

  /** The moments of sending of the first and the last of these. */
  private long firstSent;

  private long lastSent;

  /** The longest that one of them took. */
  private long slowest;

  /** Whether the provider was answering when the first of them came. */
  private boolean answering;

  /** Whether one of them was sent in the same second as something that was answered. */
  private boolean proven;

  void answered(long sentAt, long now) {
    long took = now - sentAt;
    usual = usual == 0 ? took : usual + 0.2 * (took - usual);
    answeredAt = now;
    if (inARow > 0 && sentAt >= firstSent - TOGETHER) {
      proven |= sentAt <= lastSent + SECOND && 2 * slowest <= took;
      inARow = 0;
    }
  }

  /** The provider said that it has too much to do. True when that was a limiter. */
  boolean refused(long sentAt, long now) {
    long took = now - sentAt;
    if (usual > 0 && 2 * took > usual) {
      return false;
    }
    if (inARow == 0) {
      firstSent = sentAt;
      lastSent = sentAt;
      slowest = 0;
      answering = usual > 0 && now - answeredAt <= Math.max(SECOND, usual);
    }
    inARow++;
    firstSent = Math.min(firstSent, sentAt);
    lastSent = Math.max(lastSent, sentAt);
    slowest = Math.max(slowest, took);
    return answering && inARow <= (proven ? PROVEN_IN_A_ROW : DOUBTED_IN_A_ROW);
  }
}
