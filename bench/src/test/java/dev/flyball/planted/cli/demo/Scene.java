package dev.flyball.planted.cli.demo;

import dev.flyball.planted.scheduler.Flyball;

/** Innocent: a demo shows a scheduler at work. */
public final class Scene {
  Flyball built() {
    return Flyball.create();
  }
}
