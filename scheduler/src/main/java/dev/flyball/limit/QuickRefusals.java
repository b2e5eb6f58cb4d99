package dev.flyball.limit;

import java.util.ArrayList;
import java.util.List;

/**
 * The question whether "too busy" came from a limiter. A server that is overloaded is slow to say
 * so, or says it to everybody; a limiter (nginx answers 503 by default) says it at once, to some,
 * while others are let in. So a refusal may be one of a limiter if it took less than half of what
 * answers take, from a provider that was answering when these refusals began; or, as long as
 * nothing was answered, if it came at once and something that was sent no later has not come back.
 *
 * <p>At the beginning of an outage the same is seen: what was sent before is still answered.
 * Nothing tells the two apart but time. So at first it is likely a limiter, and the juries learn
 * from it and say when to ask again, which is what an outage wants too; a call loses no retry by
 * it. When it lasts longer than windows usually do, it was an outage: the breaker takes over, and
 * what was learned meanwhile holds nobody any more ({@link FeltLimit#standAside}). When something
 * was let in that was sent among the refusals, or within a second after them, there was no outage:
 * the limiter is proven. It is too when such a row ends for the second time, and before the first
 * answer as soon as anything was let in. Answers may take long, but refusals do not: what has not
 * come back after several times that time was let in. From then on many more in a row are put up
 * with: a window may be shut for long.
 */
final class QuickRefusals {
  private static final long SECOND = 1_000_000_000L;
  private static final long TOGETHER = 10_000_000;
  private static final long USUAL_DROUGHT = 12 * SECOND;
  private static final int ENOUGH = 10;
  private static final int DOUBTED_IN_A_ROW = 5;
  private static final int PROVEN_ROUNDS = 20;
  private static final long AT_ONCE = SECOND / 10;
  private static final int CONFIRMED_AFTER = 4;

  /** The meanings of a reply that says "too busy". */
  enum Verdict {
    /** A limiter turned it away. */
    LIMITER,
    /** Likely a limiter; or the beginning of an outage. */
    LIKELY,
    /** The provider has too much to do, or is down. */
    FAILURE
  }

  /** What answers take, smoothed; 0 before the first. */
  private double usual;

  /** The last moment at which it was up: something was answered, or let in that was sent then. */
  private long upAt = Long.MIN_VALUE;

  /** Whether something failed since. */
  private boolean failing;

  /** How many came at once since anything was let in that was sent after the first of them. */
  private int inARow;

  /** How often one of them was sent after another was known, and when the last such came. */
  private int rounds;

  private long roundAt;

  /** The moments of sending of the first and the last of these. */
  private long firstSent;

  private long lastSent;

  /** Whether the provider was answering when the first of them came. */
  private boolean answering;

  /** How many such rows were over. */
  private int rows;

  /** Whether something was let in that was sent among them, or there was more than one row. */
  private boolean proven;

  /** Those that were likely turned away by a limiter, in this row. */
  private final List<AttemptCharges> likely = new ArrayList<>();

  /** An attempt was answered, and took so long. */
  void answered(long sentAt, long now) {
    usual = usual == 0 ? now - sentAt : usual + 0.2 * (now - sentAt - usual);
    upAt = Math.max(upAt, now);
    failing = false;
  }

  /** An attempt failed, and no limiter was the reason. */
  void failed() {
    failing = true;
  }

  /** An attempt was let in that was sent then; {@link Long#MIN_VALUE} if none was. */
  void letIn(long sentAt) {
    upAt = Math.max(upAt, sentAt);
    // Before the first answer there was no time in which it was up, and then down.
    proven |= usual == 0 && sentAt != Long.MIN_VALUE;
    if (inARow > 0 && sentAt >= firstSent - TOGETHER) {
      boolean among = sentAt <= lastSent + SECOND;
      rows += answering ? 1 : 0;
      proven |= answering && (among || rows > 1);
      inARow = 0;
      likely.clear();
    }
  }

  /** When something must have been sent to be let in, as one that was refused now shows. */
  static long confirmed(long sentAt, long now) {
    return now - Math.max(AT_ONCE, CONFIRMED_AFTER * (now - sentAt));
  }

  /**
   * The provider said that it has too much to do.
   *
   * @param busy whether something that was sent no later is still under way
   */
  Verdict refused(AttemptCharges attempt, boolean busy, long now) {
    long sentAt = attempt.sentAt();
    long took = now - sentAt;
    boolean quick = usual == 0 ? busy && took <= AT_ONCE : 2 * took < usual;
    if (!quick) {
      return Verdict.FAILURE;
    }
    if (inARow == 0) {
      firstSent = sentAt;
      lastSent = sentAt;
      boolean lately = upAt != Long.MIN_VALUE && now - upAt <= Math.max(SECOND, usual);
      answering = usual == 0 || lately || (!busy && !failing);
      rounds = 0;
    }
    if (rounds == 0 || sentAt > roundAt) {
      rounds++;
      roundAt = now;
    }
    inARow++;
    firstSent = Math.min(firstSent, sentAt);
    lastSent = Math.max(lastSent, sentAt);
    if (!answering || isOutage(now)) {
      return Verdict.FAILURE;
    }
    if (proven) {
      return Verdict.LIMITER;
    }
    if (likely.size() < ENOUGH) {
      likely.add(attempt);
    }
    return Verdict.LIKELY;
  }

  /** Those that were likely turned away by a limiter, and were failures. */
  List<AttemptCharges> failedAfterAll() {
    var failed = List.copyOf(likely);
    likely.clear();
    return failed;
  }

  private boolean isOutage(long now) {
    if (proven) {
      return rounds > PROVEN_ROUNDS;
    }
    return usual == 0
        ? rounds > 1 && inARow > DOUBTED_IN_A_ROW
        : rounds > 1 && now - firstSent > USUAL_DROUGHT;
  }
}
