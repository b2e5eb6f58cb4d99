package dev.flyball.planted.review.ask;

import dev.flyball.planted.run.Setup;
import dev.flyball.planted.scheduler.Time;

/** Innocent: what asks makes calls. */
public record Question(Setup setup, Time time) {}
