package dev.flyball.planted.run;

/** Innocent. */
public record Setup() {}
