package dev.flyball.planted.batch;

/** Innocent. */
public record Line() {}
