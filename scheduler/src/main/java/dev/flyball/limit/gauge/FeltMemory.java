package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits.Explanation;
import dev.flyball.call.LearnedLimits.Felt;
import dev.flyball.call.LearnedLimits.Kind;
import dev.flyball.call.LearnedLimits.Shape;
import java.util.Comparator;
import java.util.List;

/** What was felt, as one run tells it to the next. */
public final class FeltMemory {
  private static final double ABSURD = 1e6;

  private FeltMemory() {}

  /**
   * What explanations come to.
   *
   * @param explanations by the lane's own clock
   * @param wall what the wall's clock shows when the lane's shows 0
   * @param answer how long answers take
   */
  public static Felt of(List<Explanation> explanations, double wall, double answer) {
    double slowest = 0;
    double burst = 1;
    for (int limit = 0; limit < 2; limit++) {
      int which = limit;
      var leader =
          explanations.stream()
              .filter(each -> each.limit() == which)
              .max(Comparator.comparingDouble(Explanation::say));
      double rate = leader.map(each -> perSecond(each, answer)).orElse(0.0);
      if (rate > 0 && (slowest == 0 || rate < slowest)) {
        slowest = rate;
        burst = Math.max(1, leader.orElseThrow().line());
      }
    }
    return new Felt(slowest, burst, explanations.stream().map(e -> shifted(e, wall)).toList());
  }

  private static double perSecond(Explanation limit, double answer) {
    return switch (limit.shape().kind()) {
      case BUCKET -> 1 / limit.shape().span();
      case IN_FLIGHT -> limit.line() / answer;
      case SLIDING_WINDOW, FIXED_WINDOW, PENALTY_WINDOW, CLOCK_WINDOW, FADING_WINDOW ->
          limit.line() / limit.shape().span();
    };
  }

  /**
   * What an earlier run believed, as far as it makes sense, by the lane's own clock.
   *
   * @param wall what the wall's clock shows when the lane's shows 0
   */
  public static List<Explanation> believed(Felt memory, double wall) {
    var believed =
        memory.explanations().stream()
            .filter(FeltMemory::makesSense)
            .map(each -> shifted(each, -wall))
            .toList();
    double rate = memory.perSecond();
    if (!believed.isEmpty() || !(rate > 1 / ABSURD && rate < ABSURD)) {
      return believed;
    }
    double burst = memory.burst() >= 1 && memory.burst() < ABSURD ? memory.burst() : 1;
    var bucket = new Shape(Kind.BUCKET, 1 / rate, 0, false, false);
    return List.of(new Explanation(0, bucket, burst, 0.5));
  }

  private static boolean makesSense(Explanation each) {
    double span = each.shape().span();
    boolean shaped = each.shape().kind() == Kind.IN_FLIGHT || (span > 1 / ABSURD && span < ABSURD);
    boolean placed = Math.abs(each.shape().extra()) < 10 * ABSURD;
    boolean lined = each.line() >= 0 && each.line() < 1e9;
    boolean said = each.say() > 0 && each.say() <= 1;
    return shaped && placed && lined && said && (each.limit() == 0 || each.limit() == 1);
  }

  /** Windows that follow a clock begin at another moment by another clock. */
  private static Explanation shifted(Explanation each, double by) {
    var shape = each.shape();
    if (shape.kind() != Kind.CLOCK_WINDOW) {
      return each;
    }
    double rest = (shape.extra() + by) % shape.span();
    double phase = rest < 0 ? rest + shape.span() : rest;
    var other =
        new Shape(shape.kind(), shape.span(), phase, shape.countsRefused(), shape.inTokens());
    return new Explanation(each.limit(), other, each.line(), each.say());
  }
}
