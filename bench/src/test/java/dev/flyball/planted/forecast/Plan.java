package dev.flyball.planted.forecast;

/** Innocent. */
public record Plan() {}
