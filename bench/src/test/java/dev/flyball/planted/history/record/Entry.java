package dev.flyball.planted.history.record;

/** Innocent. */
public record Entry() {}
