package dev.flyball.planted.llm.token;

/** Innocent. */
public record Count() {}
