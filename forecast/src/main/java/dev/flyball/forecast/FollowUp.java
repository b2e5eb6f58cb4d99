package dev.flyball.forecast;

import java.util.List;
import java.util.stream.LongStream;

/**
 * The calls that come only after all others, because of what these have answered: how many there
 * will be, and how large they are.
 *
 * <p>Whether there are any is chance. Each call may give rise to something that is then asked
 * about, many such things in one call. So the share of earlier runs that had none says how often a
 * call does; from that follow how likely another run has any, and, where there are many things, how
 * many calls they fill.
 *
 * @param calls how many are expected; less than one where there may be none
 * @param input tokens of one, as they are counted beforehand
 * @param output tokens of its answer
 */
public record FollowUp(double calls, long input, long output) {
  private static final int FEWEST = 5;

  public FollowUp {
    if (!(calls >= 0 && calls < 1e9) || input < 0 || output < 0) {
      throw new IllegalArgumentException(
          "what follows is at least 0, but was %s calls of %s and %s tokens"
              .formatted(calls, input, output));
    }
  }

  /**
   * An earlier run.
   *
   * @param before how many calls it had apart from these
   * @param calls how many of these
   * @param input tokens of all these, as they were counted beforehand
   * @param output tokens of all their answers
   */
  public record Past(long before, long calls, long input, long output) {}

  /**
   * As earlier runs had them, once there are five.
   *
   * @param before how many other calls there will be
   * @param together how many things one call asks about
   * @param usual what is assumed without such runs
   */
  public static FollowUp of(List<Past> runs, long before, int together, FollowUp usual) {
    if (runs.size() < FEWEST) {
      return usual;
    }
    double calls = sum(runs.stream().mapToLong(Past::calls));
    if (calls == 0) {
      // None in so many runs: half of one would have been likely too.
      return new FollowUp(0.5 / (runs.size() + 1), usual.input(), usual.output());
    }
    double others = Math.max(1, sum(runs.stream().mapToLong(Past::before)));
    double without = (double) runs.stream().filter(run -> run.calls() == 0).count();
    double things =
        Math.max(
            -Math.log((without + 0.5) / (runs.size() + 1)) * runs.size(),
            together * (calls - (runs.size() - without)));
    double expected = things / others * before;
    return new FollowUp(
        1 - Math.exp(-expected) + Math.max(0, expected - 1) / together,
        Math.round(sum(runs.stream().mapToLong(Past::input)) / calls),
        Math.round(sum(runs.stream().mapToLong(Past::output)) / calls));
  }

  private static double sum(LongStream amounts) {
    return (double) amounts.sum();
  }
}
