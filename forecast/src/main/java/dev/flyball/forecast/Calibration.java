package dev.flyball.forecast;

import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The lessons of earlier runs for the next one: medians of the last twenty, once there are five. Of
 * runs with a handful of answers each, medians say little: their answers are taken together, and
 * how long answers take is learned from all that the model was asked.
 *
 * @param runs how many taught it; with fewer than five it is guessed, and 0 where defaults hold
 * @param inputFactor how many times what characters suggest the real input is
 */
public record Calibration(int runs, ModelBehaviour behaviour, double inputFactor) {
  private static final int FEWEST = 5;
  private static final long HANDFUL = 10;
  public static final int LAST = 20;

  /** From the runs of one model, the newest first; with too few of them, what is usual. */
  public static Calibration of(List<ObservedRun> runs, ModelBehaviour usual) {
    return latest(runs).size() < FEWEST ? new Calibration(0, usual, 1) : of(runs, runs, usual);
  }

  /**
   * From its runs in a part of what it is asked. Too few of them teach how long its answers are at
   * least as well as a plan does.
   *
   * @param alike those in all parts
   */
  public static Calibration of(
      List<ObservedRun> runs, List<ObservedRun> alike, ModelBehaviour usual) {
    var last = latest(runs);
    var together = ObservedRun.together(last);
    if (last.size() >= FEWEST && together.answers() >= HANDFUL * last.size()) {
      return ofMedians(last);
    }
    var all = alike.stream().filter(run -> run.answers() > 0).toList();
    var latency = all.size() < FEWEST ? usual.latency() : latency(ObservedRun.together(all));
    if (last.isEmpty()) {
      return new Calibration(0, new ModelBehaviour(latency, usual.lengths()), 1);
    }
    if (last.size() < FEWEST) {
      var guess = usual.lengths();
      var lengths = new AnswerLengths(together.meanOutput(), guess.spread(), guess.doubt());
      return new Calibration(last.size(), new ModelBehaviour(latency, lengths), 1);
    }
    var lengths = new AnswerLengths(together.meanOutput(), together.outputSpread(), doubt(last));
    return new Calibration(
        last.size(), new ModelBehaviour(latency, lengths), together.inputFactor());
  }

  private static List<ObservedRun> latest(List<ObservedRun> runs) {
    return runs.stream().filter(run -> run.answers() > 0).limit(LAST).toList();
  }

  private static AnswerLatency latency(ObservedRun run) {
    return new AnswerLatency(millis(run.first()), millis(run.perToken()), run.latencySpread());
  }

  private static Calibration ofMedians(List<ObservedRun> last) {
    double length = median(last, ObservedRun::meanOutput);
    return new Calibration(
        last.size(),
        new ModelBehaviour(
            new AnswerLatency(
                millis(median(last, ObservedRun::first)),
                millis(median(last, ObservedRun::perToken)),
                median(last, ObservedRun::latencySpread)),
            new AnswerLengths(length, median(last, ObservedRun::outputSpread), doubt(last))),
        median(last, ObservedRun::inputFactor));
  }

  public boolean taught() {
    return runs >= FEWEST;
  }

  /** The calibration as screens say it. */
  public String words() {
    return runs == 0
        ? "default"
        : (taught() ? "calibrated on " : "guessed from ") + runs + (runs == 1 ? " run" : " runs");
  }

  /** How far runs are from one another: the answers of one are alike long or alike short. */
  private static double doubt(List<ObservedRun> last) {
    double length = median(last, ObservedRun::meanOutput);
    var deviations =
        last.stream().map(run -> Math.abs(Math.log(run.meanOutput() / length))).sorted().toList();
    return length > 0 ? Math.min(3, deviations.get(last.size() / 2)) : 0;
  }

  private static Duration millis(double amount) {
    return Duration.ofNanos(Math.round(amount * 1e6));
  }

  private static double median(List<ObservedRun> runs, ToDoubleFunction<ObservedRun> measure) {
    var sorted = runs.stream().mapToDouble(measure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
