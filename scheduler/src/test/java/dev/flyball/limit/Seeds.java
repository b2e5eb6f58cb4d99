package dev.flyball.limit;

import java.util.SplittableRandom;

/** Runs a property from many seeds; a failure names its seed. */
public final class Seeds {
  /** What must hold, whatever the random numbers are. */
  @FunctionalInterface
  public interface Property {
    void check(SplittableRandom random) throws Exception;
  }

  private Seeds() {}

  public static void forAll(int seeds, Property property) {
    for (int seed = 0; seed < seeds; seed++) {
      forSeed(seed, property);
    }
  }

  /** One seed again. */
  public static void forSeed(int seed, Property property) {
    try {
      property.check(new SplittableRandom(seed));
    } catch (Exception | AssertionError broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
  }
}
