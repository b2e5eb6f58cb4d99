package dev.flyball.simulator.limit;

import java.util.List;

/** All limits of a scope as they were seen at one moment, in microseconds since the start. */
public record LimitSnapshot(long at, List<LimitLevel> all) {}
