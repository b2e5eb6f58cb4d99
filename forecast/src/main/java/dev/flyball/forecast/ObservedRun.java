package dev.flyball.forecast;

import java.util.List;

/**
 * The observations that one run made of a model, in sums.
 *
 * @param estimated input tokens as the characters of prompts alone suggest
 * @param input as they were
 * @param latencies milliseconds of all answers together
 * @param latencyOutputs each answer's milliseconds times its tokens, together
 */
public record ObservedRun(
    long answers,
    double estimated,
    double input,
    double output,
    double outputSquares,
    double latencies,
    double latencySquares,
    double latencyOutputs) {

  /** The observations of several as if they were one. */
  static ObservedRun together(List<ObservedRun> runs) {
    var none = new ObservedRun(0, 0, 0, 0, 0, 0, 0, 0);
    return runs.stream().reduce(none, ObservedRun::plus);
  }

  private ObservedRun plus(ObservedRun other) {
    return new ObservedRun(
        answers + other.answers,
        estimated + other.estimated,
        input + other.input,
        output + other.output,
        outputSquares + other.outputSquares,
        latencies + other.latencies,
        latencySquares + other.latencySquares,
        latencyOutputs + other.latencyOutputs);
  }

  double inputFactor() {
    return estimated > 0 ? input / estimated : 1;
  }

  double meanOutput() {
    return output / answers;
  }

  double meanLatency() {
    return latencies / answers;
  }

  private double outputVariance() {
    return Math.max(0, outputSquares / answers - meanOutput() * meanOutput());
  }

  /** How much answers differ in length, as the sigma of a log-normal factor. */
  double outputSpread() {
    return spread(outputVariance(), meanOutput());
  }

  /** Milliseconds for each token, by the straight line that fits best. */
  double perToken() {
    double together = latencyOutputs / answers - meanLatency() * meanOutput();
    double variance = outputVariance();
    // Answers of one length say nothing about length.
    boolean telling = variance > 1 && Math.sqrt(variance) > 0.02 * meanOutput();
    double slope = telling ? together / variance : 0;
    return Math.clamp(slope, 0, meanOutput() > 0 ? meanLatency() / meanOutput() : 0);
  }

  double first() {
    return Math.max(0, meanLatency() - perToken() * meanOutput());
  }

  double latencySpread() {
    double variance = latencySquares / answers - meanLatency() * meanLatency();
    double explained = perToken() * perToken() * outputVariance();
    return spread(Math.max(0, variance - explained), meanLatency());
  }

  private static double spread(double variance, double mean) {
    return mean > 0 ? Math.min(3, Math.sqrt(Math.log1p(variance / (mean * mean)))) : 0;
  }
}
