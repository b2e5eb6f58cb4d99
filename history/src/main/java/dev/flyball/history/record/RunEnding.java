package dev.flyball.history.record;

import dev.flyball.call.Cost;
import java.time.Duration;

/** The end of a run: its time, its exit code, its calls and its cost. */
public record RunEnding(
    Duration wall, int exit, long calls, long completed, long errored, Cost cost) {}
