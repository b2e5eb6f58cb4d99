package dev.flyball.limit.gauge;

import java.util.Arrays;

/**
 * When to ask again in a long wait.
 *
 * <p>The gauges name moments at which calls could go again, each with its weight. To wait for the
 * one that most believe in costs time whenever an earlier one is right; to ask at each costs a
 * refusal whenever it is wrong, and more where refusals are punished. So a refusal is given a price
 * in seconds, and of all series of moments the one is taken whose expected cost is least, reckoned
 * from its end as every shortest way is. Its first moment is the answer.
 *
 * <p>A little weight is with moments that no gauge has named, the sparser the longer the silence:
 * so a silence that nothing explains is tried in steps that grow.
 */
final class ProbePlan {
  private static final int STEPS = 96;

  /** The weight of what no gauge explains, as a part of what all have together. */
  private static final double UNEXPLAINED = 0.15;

  /** No silence is held to be shorter. */
  private static final double SHORTEST = 0.05;

  /** The moment of each step: the last that opens in it, or its end. */
  private final double[] moments = new double[STEPS];

  /** Sums up to each step: the weight of what opens, and of it times its moment. */
  private final double[] weight = new double[STEPS];

  private final double[] timed = new double[STEPS];

  /** Sums up to each step: what refusals cost that can be had no longer. */
  private final double[] spared = new double[STEPS];

  /** What is still to be paid if the next question is at a step, but for what is late by then. */
  private final double[] ahead = new double[STEPS];

  /** What a refusal at once would cost, by the weight of all who would give it. */
  private double refusal;

  /**
   * The silence that a call waits in.
   *
   * @param since when it began
   * @param from no call goes sooner
   * @param until none need wait longer
   */
  record Silence(double since, double from, double until) {}

  /**
   * The first moment to ask at.
   *
   * @param price of a refusal, in seconds
   * @param times how often such a wait is still to come; what a penalty teaches is of use in all
   */
  double first(Openings openings, Silence silence, double price, double times) {
    double begin = Math.max(SHORTEST, silence.from() - silence.since());
    double step = Math.log((silence.until() - silence.since()) / begin) / (STEPS - 1);
    if (!(step > 1e-4)) {
      return Math.max(silence.from(), silence.until());
    }
    place(openings, silence, begin, step, price, times);
    look(STEPS - 1, 0);
    for (int i = STEPS - 2; i >= 0; i--) {
      int next = next(i);
      look(i, cost(i, next));
    }
    return Math.clamp(moments[next(-1)], silence.from(), silence.until());
  }

  private void place(
      Openings openings, Silence silence, double begin, double step, double price, double times) {
    Arrays.fill(weight, 0);
    Arrays.fill(timed, 0);
    Arrays.fill(spared, 0);
    Arrays.fill(moments, 0);
    double all = 0;
    refusal = 0;
    for (int i = 0; i < openings.count(); i++) {
      double says = openings.weights[i];
      double refused = says * (price + openings.penalties[i] / times);
      all += says;
      refusal += refused;
      if (openings.moments[i] <= silence.until()) {
        double moment = Math.max(silence.from(), openings.moments[i]);
        double steps = Math.log((moment - silence.since()) / begin) / step;
        int place = Math.clamp((int) Math.ceil(steps - 1e-6), 0, STEPS - 1);
        weight[place] += says;
        timed[place] += says * moment;
        spared[place] += refused;
        moments[place] = Math.max(moments[place], moment);
      }
    }
    double unexplained = UNEXPLAINED * all / STEPS;
    refusal += UNEXPLAINED * all * price;
    for (int i = 0; i < STEPS; i++) {
      double end = silence.since() + begin * Math.exp(i * step);
      moments[i] = moments[i] == 0 ? end : moments[i];
      weight[i] += unexplained + (i == 0 ? 0 : weight[i - 1]);
      timed[i] += unexplained * end + (i == 0 ? 0 : timed[i - 1]);
      spared[i] += unexplained * price + (i == 0 ? 0 : spared[i - 1]);
    }
  }

  /** Asking at a step costs a refusal by all who say that it is too early, and what comes after. */
  private void look(int step, double after) {
    double late = moments[step] * weight[step] - timed[step];
    ahead[step] = late + Math.max(0, refusal - spared[step]) + after;
  }

  /** The best step to ask at after one that was too early. */
  private int next(int last) {
    double opened = last < 0 ? 0 : weight[last];
    int best = STEPS - 1;
    double least = Double.POSITIVE_INFINITY;
    for (int next = last + 1; next < STEPS; next++) {
      // Who had opened before is not late.
      double cost = ahead[next] - moments[next] * opened;
      if (cost < least) {
        least = cost;
        best = next;
      }
    }
    return best;
  }

  /** What it costs to ask at one step after another and at the best ones after it. */
  private double cost(int last, int next) {
    return ahead[next] - moments[next] * weight[last] + timed[last];
  }
}
