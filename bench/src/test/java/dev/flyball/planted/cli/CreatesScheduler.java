package dev.flyball.planted.cli;

import dev.flyball.planted.scheduler.Flyball;
import java.util.function.Supplier;

/** A command that has somebody else make its scheduler. */
public final class CreatesScheduler {
  Supplier<Flyball> later() {
    return Flyball::create;
  }
}
