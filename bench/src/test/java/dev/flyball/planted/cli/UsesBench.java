package dev.flyball.planted.cli;

import dev.flyball.planted.bench.Measurement;

/** A command that measures. */
public record UsesBench(Measurement measurement) {}
