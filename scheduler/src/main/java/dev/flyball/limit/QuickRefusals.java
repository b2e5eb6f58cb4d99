package dev.flyball.limit;

import dev.flyball.call.Signals;
import java.util.ArrayList;
import java.util.List;

/**
 * The question whether "too busy" came from a limiter. A server that is overloaded is slow to say
 * so, or says it to everybody; a limiter (nginx answers 503 by default) says it at once, to some,
 * while others are answered. So a refusal that took less than half of what answers take, from a
 * provider that was answering when these refusals began, may be one of a limiter.
 *
 * <p>At the beginning of an outage the same is seen for a moment: what was sent before is still
 * answered. So the first few in a row, by the moment of sending, are doubted: the lane stops for a
 * moment, a little longer each time, and nothing is learned. When something is answered that was
 * sent among them, or within a second after them, there was no outage: the limiter is proven, and
 * what was doubted is believed now. From then on its refusals are believed at once, and more of
 * them in a row are put up with: a window may be shut for long.
 */
final class QuickRefusals {
  private static final long SECOND = 1_000_000_000L;
  private static final long TOGETHER = 10_000_000;
  private static final long FIRST_STOP = SECOND / 20;
  private static final int DOUBTED_IN_A_ROW = 5;
  private static final int PROVEN_IN_A_ROW = 20;

  /** The meanings of a reply that says "too busy". */
  enum Verdict {
    /** A limiter turned it away. */
    LIMITER,
    /** Perhaps a limiter; it will be known soon. */
    DOUBTFUL,
    /** The provider has too much to do, or is down. */
    FAILURE
  }

  /** One that was doubted, as it came. */
  record Doubted(AttemptCharges attempt, Signals signals) {}

  /** What answers take, smoothed; 0 before the first. */
  private double usual;

  /** The moment at which something was last answered. */
  private long answeredAt = Long.MIN_VALUE;

  /** How many came at once since anything was answered that was sent after the first of them. */
  private int inARow;

  /** The moments of sending of the first and the last of these. */
  private long firstSent;

  private long lastSent;

  /** Whether the provider was answering when the first of them came. */
  private boolean answering;

  /** Whether something was answered that was sent among them. */
  private boolean proven;

  private final List<Doubted> doubted = new ArrayList<>();

  /** An attempt was answered, and took so long. */
  void answered(long sentAt, long now) {
    usual = usual == 0 ? now - sentAt : usual + 0.2 * (now - sentAt - usual);
    answeredAt = now;
  }

  /**
   * An attempt was answered, or its headers came: it was let in.
   *
   * @return what was doubted and is believed now
   */
  List<Doubted> letIn(long sentAt) {
    if (inARow == 0 || sentAt < firstSent - TOGETHER) {
      return List.of();
    }
    boolean among = sentAt <= lastSent + SECOND;
    proven |= among && answering;
    var believed = proven ? List.copyOf(doubted) : List.<Doubted>of();
    inARow = 0;
    doubted.clear();
    return believed;
  }

  /** The provider said that it has too much to do. */
  Verdict refused(AttemptCharges attempt, Signals signals, long now) {
    long sentAt = attempt.sentAt();
    if (usual == 0 || 2 * (now - sentAt) >= usual) {
      return Verdict.FAILURE;
    }
    if (inARow == 0) {
      firstSent = sentAt;
      lastSent = sentAt;
      answering = now - answeredAt <= Math.max(SECOND, usual);
    }
    inARow++;
    firstSent = Math.min(firstSent, sentAt);
    lastSent = Math.max(lastSent, sentAt);
    if (!answering || inARow > (proven ? PROVEN_IN_A_ROW : DOUBTED_IN_A_ROW)) {
      doubted.clear();
      return Verdict.FAILURE;
    }
    if (proven) {
      return Verdict.LIMITER;
    }
    doubted.add(new Doubted(attempt, signals));
    return Verdict.DOUBTFUL;
  }

  /** How long the lane stops after one that is doubted. */
  long stop() {
    return FIRST_STOP << (Math.min(inARow, DOUBTED_IN_A_ROW) - 1);
  }
}
