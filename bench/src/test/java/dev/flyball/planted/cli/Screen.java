package dev.flyball.planted.cli;

/** Innocent. */
public record Screen() {}
