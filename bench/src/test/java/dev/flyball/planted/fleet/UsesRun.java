package dev.flyball.planted.fleet;

import dev.flyball.planted.run.Setup;

/** A fleet that sets up runs. */
public record UsesRun(Setup setup) {}
