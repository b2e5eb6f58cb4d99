package dev.flyball.review.symbol;

import java.util.Arrays;
import java.util.Optional;

/**
 * The look of a stretch of code in 64 numbers: of each of 64 orders of all its runs of five syntax
 * tokens, the first (MinHash). Two stretches have as many numbers in common as they have runs in
 * common, within about 0.06, however long they are.
 */
public final class CodeSketch {
  /** Stretches of fewer tokens look alike by chance. */
  public static final int FEWEST = 40;

  public static final int NUMBERS = 64;

  private static final int RUN = 5;

  private final int[] firsts;

  private CodeSketch(int[] firsts) {
    this.firsts = firsts;
  }

  /** As {@link #numbers} gave it. */
  public static CodeSketch of(int[] numbers) {
    if (numbers.length != NUMBERS) {
      throw new IllegalArgumentException(
          "a sketch has %d numbers, but there were %d".formatted(NUMBERS, numbers.length));
    }
    return new CodeSketch(numbers.clone());
  }

  public int[] numbers() {
    return firsts.clone();
  }

  /** The share of runs that both have, from 0 to 1. */
  public double alike(CodeSketch other) {
    return (double) (NUMBERS - unlike(other, NUMBERS)) / NUMBERS;
  }

  /** In how many numbers two differ; if in more than some, only that. */
  public int unlike(CodeSketch other, int most) {
    int unlike = 0;
    for (int i = 0; i < NUMBERS && unlike <= most; i++) {
      unlike += firsts[i] == other.firsts[i] ? 0 : 1;
    }
    return unlike;
  }

  public int number(int index) {
    return firsts[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CodeSketch sketch && Arrays.equals(firsts, sketch.firsts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(firsts);
  }

  /** Takes the tokens of one stretch, in their order, and makes its sketch. */
  static final class Drawing {
    private final int[] firsts = new int[NUMBERS];
    private final long[] last = new long[RUN];
    private int tokens;

    Drawing() {
      Arrays.fill(firsts, Integer.MAX_VALUE);
    }

    /** The next token: its kind, or its text where that is what makes it what it is. */
    void add(String token) {
      last[tokens % RUN] = spread(token.hashCode());
      tokens++;
      if (tokens >= RUN) {
        long run = 0;
        for (int i = 0; i < RUN; i++) {
          run = spread(run * 31 + last[(tokens + i) % RUN]);
        }
        for (int i = 0; i < NUMBERS; i++) {
          firsts[i] = Math.min(firsts[i], (int) (spread(run + i * 0x9E3779B97F4A7C15L) >>> 33));
        }
      }
    }

    /** Empty if there were too few tokens to tell. */
    Optional<CodeSketch> drawn() {
      return tokens < FEWEST ? Optional.empty() : Optional.of(new CodeSketch(firsts.clone()));
    }

    private static long spread(long value) {
      long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
      mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
      return mixed ^ (mixed >>> 31);
    }
  }
}
