package dev.flyball.simulator.limit;

/**
 * The limits that one reply speaks of.
 *
 * @param admission the limits on admission, which requests are read from
 * @param current the limits when headers are written, which tokens are read from
 */
public record LimitReport(LimitSnapshot admission, LimitSnapshot current) {}
