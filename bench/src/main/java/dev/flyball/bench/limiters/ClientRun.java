package dev.flyball.bench.limiters;

/**
 * One run of a client against a limiter.
 *
 * @param exit how its process ended
 * @param load of the machine at its end
 */
public record ClientRun(RunTally tally, String exit, double load) {}
