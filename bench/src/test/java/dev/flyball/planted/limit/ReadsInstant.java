package dev.flyball.planted.limit;

import java.time.Instant;

/** Looks at the calendar instead of being told the time. */
public final class ReadsInstant {
  Instant now() {
    return Instant.now();
  }
}
