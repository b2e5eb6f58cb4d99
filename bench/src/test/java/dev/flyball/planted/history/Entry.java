package dev.flyball.planted.history;

/** Innocent. */
public record Entry() {}
