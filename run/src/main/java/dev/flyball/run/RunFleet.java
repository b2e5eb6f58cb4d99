package dev.flyball.run;

import dev.flyball.fleet.Fleet;
import dev.flyball.fleet.FleetPlace;
import dev.flyball.run.file.RememberedFleets;
import dev.flyball.run.file.StateFolder;
import dev.flyball.scheduler.SharedLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The other processes that use the same limits, as one run knows them. On one machine they are
 * found when the run begins to send, and where that can be: a folder in which nothing can be
 * written is no reason not to run. For one thread.
 */
public final class RunFleet implements AutoCloseable {
  static final RunFleet NONE = new RunFleet(Optional::empty);

  private final Supplier<Optional<Fleet>> meeting;
  private Optional<Fleet> fleet = Optional.empty();
  private boolean met;
  private Optional<RememberedFleets> remembers = Optional.empty();

  private RunFleet(Supplier<Optional<Fleet>> meeting) {
    this.meeting = meeting;
  }

  /**
   * Refuses at once, with {@link BadSettings}, a Redis that cannot be used; unless it is remembered
   * how many shared there, and what the limits were.
   */
  static RunFleet of(FleetPlace place, RunSetup.Builder from, BooleanSupplier hasLearned) {
    return switch (place) {
      case FleetPlace.Nowhere nowhere -> NONE;
      case FleetPlace.ThisMachine(double weight) ->
          new RunFleet(
              () -> onThisMachine(new Fleet.Settings(weight, from::warn, from.time()), from));
      case FleetPlace.AtRedis redis -> {
        var fleet = new RunFleet(Optional::empty);
        fleet.fleet = Optional.of(atRedis(redis, from, hasLearned));
        fleet.met = true;
        fleet.remembers = Optional.of(RememberedFleets.of(from.environment(), redis.place()));
        yield fleet;
      }
    };
  }

  private static Fleet atRedis(
      FleetPlace.AtRedis redis, RunSetup.Builder from, BooleanSupplier hasLearned) {
    var settings = new Fleet.Settings(redis.weight(), from::warn, from.time());
    try {
      return Fleet.at(redis, settings);
    } catch (IOException refused) {
      var replicas = RememberedFleets.of(from.environment(), redis.place()).replicas();
      if (replicas.isEmpty() || !hasLearned.getAsBoolean()) {
        throw new BadSettings("--fleet: " + refused.getMessage());
      }
      from.warn(
          "--fleet: %s; going on with one of %,d parts of what was learned of the limits"
              .formatted(refused.getMessage(), replicas.getAsInt()));
      return Fleet.cutOff(redis, settings, replicas.getAsInt());
    }
  }

  private static Optional<Fleet> onThisMachine(Fleet.Settings settings, RunSetup.Builder from) {
    try {
      return Optional.of(Fleet.onThisMachine(folder(from.environment()), settings));
    } catch (IOException | RuntimeException nobodyCanMeet) {
      return Optional.empty();
    }
  }

  /** Where the processes of this user meet on this machine; made if it is not there. */
  public static Path folder(Map<String, String> environment) throws IOException {
    var folder = StateFolder.of(environment).folder("fleet");
    folder.made("keeper-1.lock");
    return folder.path();
  }

  Optional<SharedLimit> limit() {
    if (!met) {
      fleet = meeting.get();
      met = true;
    }
    return fleet.map(Fleet::limit);
  }

  @Override
  public void close() {
    fleet.ifPresent(
        each -> {
          remembers.ifPresent(it -> it.remember(each.replicas()));
          each.close();
        });
  }
}
