package dev.flyball.planted.simulator;

/** Innocent. */
public record Provider() {}
