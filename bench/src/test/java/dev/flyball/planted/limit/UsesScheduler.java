package dev.flyball.planted.limit;

import dev.flyball.planted.scheduler.Time;

/** A limit that asks for the time. */
public record UsesScheduler(Time time) {}
