package dev.flyball.simulator.limit;

/** One limit as it was seen: what is left, and the microseconds until nothing is missing. */
public record LimitLevel(Limit limit, long level, long untilFull) {}
