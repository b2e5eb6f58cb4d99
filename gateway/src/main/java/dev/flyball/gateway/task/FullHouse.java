package dev.flyball.gateway.task;

import java.time.Duration;
import java.util.Locale;

/**
 * The state of a place that has no room for one more task.
 *
 * @param scope whose room it is
 * @param limit how many tasks may run there at a time
 * @param inFlight how many do
 * @param retryAfter when it makes sense to ask again
 */
public record FullHouse(CapacityScope scope, int limit, int inFlight, Duration retryAfter) {

  /** Whose room is full: that of this process, of all processes together, or of one tenant. */
  public enum CapacityScope {
    POD,
    FLEET,
    TENANT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
