package dev.flyball.planted.cli.screen;

/** Innocent. */
public record Terminal() {}
