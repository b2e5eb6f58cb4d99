package dev.flyball.planted.call;

/** Innocent. */
public record Call() {}
