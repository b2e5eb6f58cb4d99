package dev.flyball.planted.llm;

import dev.flyball.planted.scheduler.Time;

/** A provider that schedules itself. */
public record UsesScheduler(Time time) {}
