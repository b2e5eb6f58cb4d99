package dev.flyball.simulator;

import java.util.List;

/** All limits of a scope as they were seen at one moment, in microseconds since the start. */
record LimitSnapshot(long at, List<LimitLevel> all) {}
