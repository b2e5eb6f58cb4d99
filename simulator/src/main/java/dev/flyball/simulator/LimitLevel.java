package dev.flyball.simulator;

/** One limit as it was seen: what is left, and the microseconds until nothing is missing. */
record LimitLevel(Limit limit, long level, long untilFull) {}
