package dev.flyball.bench.peers;

import java.util.random.RandomGenerator;

/**
 * Exponential pauses before retries.
 *
 * @param base seconds before the first
 * @param cap seconds at most
 * @param jitter by which part of itself a pause varies, up and down
 */
record Backoff(double base, double cap, double jitter, int retries) {
  double pause(int retry, RandomGenerator random) {
    return Math.min(base * Math.pow(2, retry), cap) * (1 + jitter * (2 * random.nextDouble() - 1));
  }
}
