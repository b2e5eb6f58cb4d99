package dev.flyball.bench.wire;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Medians of some runs of a row, each number by itself.
 *
 * @param ratio × the least possible time
 * @param throttles attempts that were turned away
 * @param requests a call
 * @param lost calls without an answer
 * @param askedAgain answers of calls that had one already
 * @param start of the process, in seconds
 */
public record Score(
    double ratio, double throttles, double requests, double lost, double askedAgain, double start) {

  public static Score of(WireRow row, List<WireTrial> trials) {
    double least = row.least().toNanos() / 1e9;
    return new Score(
        median(trials, trial -> trial.seconds() / least),
        median(trials, trial -> trial.judged().throttles()),
        median(trials, trial -> trial.judged().requests() / (double) row.calls()),
        median(trials, trial -> row.calls() - trial.answers()),
        median(trials, trial -> trial.judged().askedAgain()),
        median(trials, WireTrial::start));
  }

  private static double median(List<WireTrial> all, ToDoubleFunction<WireTrial> of) {
    return all.stream().mapToDouble(of).sorted().skip(all.size() / 2).findFirst().orElse(0);
  }

  @Override
  public String toString() {
    return String.format("%.3f / %.0f / %.0f", ratio, throttles, lost);
  }
}
