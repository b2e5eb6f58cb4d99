package dev.flyball.planted.scheduler;

import java.util.function.Supplier;

/** Innocent. */
public final class Flyball {
  private Flyball() {}

  public static Flyball create() {
    return new Flyball();
  }

  public static Supplier<Flyball> builder() {
    return Flyball::new;
  }
}
