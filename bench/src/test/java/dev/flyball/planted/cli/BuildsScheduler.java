package dev.flyball.planted.cli;

import dev.flyball.planted.scheduler.Flyball;

/** A command that schedules. */
public final class BuildsScheduler {
  Flyball built() {
    return Flyball.builder().get();
  }
}
