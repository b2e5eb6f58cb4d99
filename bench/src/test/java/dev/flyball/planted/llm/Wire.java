package dev.flyball.planted.llm;

/** Innocent. */
public record Wire() {}
