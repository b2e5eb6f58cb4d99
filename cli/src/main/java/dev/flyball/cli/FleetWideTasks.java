package dev.flyball.cli;

import dev.flyball.fleet.FleetPlace;
import dev.flyball.fleet.SharedSlots;
import dev.flyball.gateway.task.FullHouse;
import dev.flyball.gateway.task.TaskLimit;
import dev.flyball.gateway.task.WiderSlots;
import dev.flyball.run.BadSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The most reviews that all servers of a fleet may run at a time, as one server keeps it: by leases
 * in the Redis at which they meet. Without a limit that somebody has set, it is not there.
 */
final class FleetWideTasks implements AutoCloseable {
  /** The variable that the limit is read from. */
  static final String VARIABLE = "FLYBALL_FLEET_MAX_CONCURRENT_TASKS";

  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final Optional<SharedSlots> slots;

  private FleetWideTasks(Optional<SharedSlots> slots) {
    this.slots = slots;
  }

  /** Refuses, with {@link BadSettings}, a limit that is none or that has nowhere to be kept. */
  static FleetWideTasks of(FleetPlace place, Map<String, String> environment) {
    var limit = TaskLimit.of(VARIABLE, environment);
    if (limit.isEmpty()) {
      return new FleetWideTasks(Optional.empty());
    }
    return switch (place) {
      case FleetPlace.AtRedis redis -> {
        try {
          yield new FleetWideTasks(
              Optional.of(SharedSlots.at(redis, "tasks", limit.get().tasks())));
        } catch (IOException refused) {
          throw new BadSettings(VARIABLE + ": " + refused.getMessage());
        }
      }
      case FleetPlace.ThisMachine machine -> throw nowhere();
      case FleetPlace.Nowhere none -> throw nowhere();
    };
  }

  private static BadSettings nowhere() {
    return new BadSettings(
        VARIABLE + " needs a Redis where the servers meet: --fleet redis://host:6379");
  }

  WiderSlots slots() {
    return slots
        .map(room -> WiderSlots.of((task, tenant) -> take(room, task)))
        .orElse(WiderSlots.ALONE);
  }

  private static WiderSlots.Answer take(SharedSlots room, String task) {
    return switch (room.take(task)) {
      case SharedSlots.Taken taken ->
          new WiderSlots.Taken(() -> Thread.ofVirtual().start(() -> room.giveBack(task)));
      case SharedSlots.Full(int limit, int held) ->
          new WiderSlots.NoRoom(new FullHouse(FullHouse.CapacityScope.FLEET, limit, held, AGAIN));
    };
  }

  @Override
  public void close() {
    slots.ifPresent(SharedSlots::close);
  }
}
