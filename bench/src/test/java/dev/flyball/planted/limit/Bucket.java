package dev.flyball.planted.limit;

/** Innocent. */
public record Bucket() {}
