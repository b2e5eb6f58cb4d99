package dev.flyball.planted.scheduler;

import picocli.CommandLine;

/** A scheduler with a dependency. */
public record UsesPicocli(CommandLine command) {}
