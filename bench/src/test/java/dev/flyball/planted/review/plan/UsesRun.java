package dev.flyball.planted.review.plan;

import dev.flyball.planted.run.Setup;

/** A plan that runs itself. */
public record UsesRun(Setup setup) {}
