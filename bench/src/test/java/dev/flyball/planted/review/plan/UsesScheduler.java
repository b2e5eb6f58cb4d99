package dev.flyball.planted.review.plan;

import dev.flyball.planted.scheduler.Time;

/** A plan that waits. */
public record UsesScheduler(Time time) {}
