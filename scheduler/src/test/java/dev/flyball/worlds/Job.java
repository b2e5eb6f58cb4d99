package dev.flyball.worlds;

import dev.flyball.call.Priority;
import dev.flyball.call.Tenant;

/**
 * A call of a world, as it really is.
 *
 * @param slowness by how much slower than the mean its answer comes
 * @param arrives when it comes in, in seconds
 */
public record Job(
    String name,
    long input,
    long output,
    long maxOutput,
    double slowness,
    double arrives,
    Tenant tenant,
    Priority priority) {
  public static Job of(int number, long input, long output) {
    return new Job("job-" + number, input, output, 2 * output, 1, 0, Tenant.ONLY, Priority.NORMAL);
  }

  public Job on(Tenant other) {
    return new Job(name, input, output, maxOutput, slowness, arrives, other, priority);
  }

  public Job arriving(double second) {
    return new Job(name, input, output, maxOutput, slowness, second, tenant, priority);
  }

  public Job priority(Priority other) {
    return new Job(name, input, output, maxOutput, slowness, arrives, tenant, other);
  }

  public Job slower(double times) {
    return new Job(name, input, output, maxOutput, times, arrives, tenant, priority);
  }
}
