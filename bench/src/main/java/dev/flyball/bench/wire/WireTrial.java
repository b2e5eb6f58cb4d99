package dev.flyball.bench.wire;

/**
 * One run over the wire, and how it went.
 *
 * @param seconds until the last call ended
 * @param start what the process took besides, in seconds
 * @param answers that the caller has
 * @param judged what the simulator says of it
 */
public record WireTrial(double seconds, double start, long answers, Judgement judged) {}
