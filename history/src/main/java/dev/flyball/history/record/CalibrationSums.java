package dev.flyball.history.record;

import java.time.Instant;

/**
 * The sums over the answered attempts of one run with one model and one lens, from which means,
 * spreads and the line from output to latency can be had. Latencies are in milliseconds.
 *
 * @param input all of it, cached or not
 * @param estimatedInput what was expected of the same attempts
 * @param maxOutput the sum of the most that was allowed
 */
public record CalibrationSums(
    String run,
    Instant started,
    long answered,
    long input,
    long estimatedInput,
    long output,
    long outputSquares,
    long latency,
    long latencySquares,
    long latencyTimesOutput,
    long mostOutput,
    long maxOutput) {}
