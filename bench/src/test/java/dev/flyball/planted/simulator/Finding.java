package dev.flyball.planted.simulator;

/** Innocent: the island has its own words. */
public record Finding() {}
