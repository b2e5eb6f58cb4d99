package dev.flyball.planted.publish;

import dev.flyball.planted.run.Setup;

/** A post that runs what it is about. */
public record UsesRun(Setup setup) {}
