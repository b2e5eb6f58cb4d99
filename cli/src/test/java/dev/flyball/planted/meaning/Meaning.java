package dev.flyball.planted.meaning;

/** Innocent. */
public record Meaning() {}
