package dev.flyball.planted.history.store;

/** Innocent. */
public record Table() {}
