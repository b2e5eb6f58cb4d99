package dev.flyball.planted.review;

/** Innocent. */
public record Finding() {}
