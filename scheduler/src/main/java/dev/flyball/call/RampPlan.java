package dev.flyball.call;

import java.time.Duration;

/**
 * A ramp that somebody asks for: a lane begins with a share of its limits, which grows steadily.
 *
 * @param start the share to begin with, above 0 and at most 1
 * @param step what is added to it each period, above 0
 * @param period above 0
 */
public record RampPlan(double start, double step, Duration period) {
  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one of them is outside its bounds
   */
  public RampPlan {
    if (!(start > 0 && start <= 1) || !(step > 0) || !period.isPositive()) {
      throw new IllegalArgumentException(
          "a ramp starts above 0 and at most at 1, and grows, but was "
              + (start + " + " + step + " each " + period));
    }
  }
}
