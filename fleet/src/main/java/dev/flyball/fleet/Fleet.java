package dev.flyball.fleet;

import dev.flyball.fleet.redis.RedisAccess;
import dev.flyball.scheduler.SharedLimit;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The front door: processes that use the same lanes share their limits as if they were one.
 *
 * <pre>{@code
 * try (var fleet = Fleet.onThisMachine(folder, Fleet.Settings.USUAL);
 *     var flyball = Flyball.builder().sharedLimit(fleet.limit()).build()) {
 *   ...
 * }
 * }</pre>
 */
public final class Fleet implements AutoCloseable {
  /**
   * How one takes part.
   *
   * @param weight of this one's share, above 0: one of weight 2 gets twice as much as one of weight
   *     1 while both have enough to do
   * @param news is told, in a sentence, when the fleet is lost or found; must not block
   * @param time the clock
   */
  public record Settings(double weight, Consumer<String> news, Time time) {
    /** Of weight 1, telling nobody. */
    public static final Settings USUAL = new Settings(1, what -> {}, Time.system());

    /**
     * Checks the weight.
     *
     * @throws IllegalArgumentException if it is not a number above 0 and at most a million
     */
    public Settings {
      if (!(weight > 0 && weight <= 1_000_000)) {
        throw new IllegalArgumentException(
            "a weight in a fleet is above 0 and at most 1000000, but was " + weight);
      }
    }
  }

  /** How long the first word of a fleet is waited for. */
  private static final Duration BEGINNING = Duration.ofSeconds(2);

  private static final Duration LOOK = Duration.ofSeconds(2);

  private final Replica replica;
  private final AutoCloseable meeting;

  private Fleet(Replica replica, AutoCloseable meeting) {
    this.replica = replica;
    this.meeting = meeting;
  }

  private static Replica replica(Settings settings, String id, String name) {
    return new Replica(settings.time(), id, name, settings.weight(), new News(settings));
  }

  /** What is told of a fleet that is lost: not before it has had time to find a new keeper. */
  private static final class News implements Consumer<Replica.Standing> {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private final Settings settings;
    private final AtomicBoolean lost = new AtomicBoolean();
    private final AtomicBoolean told = new AtomicBoolean();

    News(Settings settings) {
      this.settings = settings;
    }

    @Override
    public void accept(Replica.Standing standing) {
      lost.set(standing == Replica.Standing.CUT_OFF);
      if (lost.get()) {
        var time = settings.time();
        time.alarm(time.nanos() + PATIENCE.toNanos(), this::tell);
      } else if (told.getAndSet(false)) {
        settings.news().accept("limits are shared with the other processes again");
      }
    }

    private void tell() {
      if (lost.get() && !told.getAndSet(true)) {
        settings
            .news()
            .accept(
                "the processes that share these limits cannot be reached; continuing with this"
                    + " one's share");
      }
    }
  }

  /** Who this is, for people. */
  private static String name() {
    return "process " + ProcessHandle.current().pid();
  }

  /**
   * Shares limits with the other processes that name the same folder.
   *
   * @param folder there already, on a local disk, and nobody else's: who can write there can have a
   *     say in the limits
   * @param settings how
   * @return what schedulers go by
   * @throws IOException if processes cannot meet there, because nothing can be written or the path
   *     is too long
   */
  public static Fleet onThisMachine(Path folder, Settings settings) throws IOException {
    var replica = replica(settings, UUID.randomUUID().toString(), name());
    return new Fleet(replica, MachineFleet.join(folder, settings.time(), name(), replica));
  }

  /**
   * Shares limits with all that name the same Redis and fleet.
   *
   * @param place where
   * @param settings how
   * @return what schedulers go by
   * @throws IOException if that Redis cannot be used; the message says why, in one line and without
   *     the password
   */
  public static Fleet at(FleetPlace.AtRedis place, Settings settings) throws IOException {
    var fleet = over(RedisAccess.open(place.address()), place, settings);
    var remote = (RemoteFleet) fleet.meeting;
    remote.start();
    long until = settings.time().nanos() + BEGINNING.toNanos();
    while (!remote.hasPlace() && settings.time().nanos() < until) {
      try {
        Thread.sleep(2);
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return fleet;
  }

  /**
   * Takes part in a fleet that cannot be reached yet: it goes by its part of what was remembered of
   * the limits, and shares them as soon as it can.
   *
   * @param place where
   * @param settings how
   * @param replicas how many took part when it was there last
   * @return what schedulers go by
   */
  public static Fleet cutOff(FleetPlace.AtRedis place, Settings settings, int replicas) {
    var fleet = over(RedisAccess.unchecked(place.address()), place, settings);
    fleet.replica.cutOffFromTheStart(replicas);
    ((RemoteFleet) fleet.meeting).start();
    return fleet;
  }

  private static Fleet over(RedisAccess redis, FleetPlace.AtRedis place, Settings settings) {
    var exchange = new RedisExchange(redis, place.fleet());
    var id = UUID.randomUUID().toString();
    var name = host() + ", " + name();
    var replica = replica(settings, id, name);
    return new Fleet(
        replica, new RemoteFleet(exchange, settings.time(), id, name, place.place(), replica));
  }

  /** {@return how many take part, with this one, as far as is known} */
  public int replicas() {
    return replica.count();
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "a machine";
    }
  }

  /**
   * Looks at the fleet that meets in a folder.
   *
   * @param folder where
   * @return what is there, or nothing if nobody is
   */
  public static Optional<FleetView> look(Path folder) {
    return MachineFleet.look(folder, LOOK);
  }

  /**
   * Looks at the fleet that meets at a Redis.
   *
   * @param place where
   * @return what is there, or nothing if nobody is
   * @throws IOException if that Redis cannot be used; the message says why, in one line
   */
  public static Optional<FleetView> look(FleetPlace.AtRedis place) throws IOException {
    var access = RedisAccess.open(place.address());
    try (var exchange = new RedisExchange(access, place.fleet())) {
      return new RemoteLook(exchange, Time.system()).look(LOOK);
    }
  }

  /** {@return the limit, for {@code Flyball.Builder.sharedLimit} of one scheduler} */
  public SharedLimit limit() {
    return replica;
  }

  /** Leaves the fleet. The scheduler that goes by it is to be closed before. */
  @Override
  public void close() {
    try {
      meeting.close();
    } catch (Exception unexpected) {
      throw new IllegalStateException("the fleet could not be left", unexpected);
    }
  }
}
