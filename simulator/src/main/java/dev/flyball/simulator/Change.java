package dev.flyball.simulator;

import java.time.Duration;

/** A limit that becomes another one while the provider runs. */
public record Change(Duration at, Rate rate) {
  /** Reads {@code 30s:requests=300/min}. */
  public static Change parse(String text) {
    String[] sides = text.split(":", 2);
    Words.check(sides.length == 2, "a change is written 30s:requests=300/min", text);
    return new Change(Words.duration(sides[0]), Rate.parse(sides[1]));
  }
}
