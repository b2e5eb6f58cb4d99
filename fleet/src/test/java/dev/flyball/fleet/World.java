package dev.flyball.fleet;

import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.VirtualTime;
import dev.flyball.scheduler.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Some processes with one key, a provider that counts, and what lies between, in virtual time. */
final class World {
  static final LaneId LANE = LaneId.of("provider", "model");

  /** What a provider says about its limits. */
  enum Says {
    ALL,
    RETRY_AFTER,
    NOTHING
  }

  /**
   * A provider's limits.
   *
   * @param tokensPerSecond 0 for no such limit
   */
  record Limits(double perSecond, double burst, double tokensPerSecond, Says says) {
    static Limits of(double perSecond, double burst) {
      return new Limits(perSecond, burst, 0, Says.ALL);
    }

    Limits saying(Says other) {
      return new Limits(perSecond, burst, tokensPerSecond, other);
    }
  }

  /** The witness. */
  static final class Provider {
    private final VirtualTime time;
    final Limits limits;
    private double level;
    private double tokens;
    private double at;
    private double pausedUntil;
    int refused;
    final Map<Integer, Integer> letIn = new HashMap<>();
    final List<double[]> log = new ArrayList<>();
    final Map<String, Integer> answered = new HashMap<>();

    Provider(VirtualTime time, Limits limits) {
      this.time = time;
      this.limits = limits;
      this.level = limits.burst();
      this.tokens = limits.tokensPerSecond();
    }

    void refill() {
      double passed = time.seconds() - at;
      level = Math.min(limits.burst(), level + limits.perSecond() * passed);
      tokens = Math.min(limits.tokensPerSecond(), tokens + limits.tokensPerSecond() * passed);
      at = time.seconds();
    }

    /** Turns everything away until then, and says so. */
    void pauseUntil(double moment) {
      pausedUntil = moment;
    }

    boolean takes(int who, String call, long size) {
      refill();
      boolean room =
          time.seconds() >= pausedUntil
              && level >= 1 - 1e-9
              && (limits.tokensPerSecond() == 0 || tokens >= size - 1e-6);
      if (room) {
        level--;
        tokens -= size;
        letIn.merge(who, 1, Integer::sum);
        log.add(new double[] {time.seconds(), who, size});
      } else {
        refused++;
      }
      return room;
    }

    Signals signals(boolean refusal, long size) {
      var signals = Signals.NONE;
      if (limits.says() == Says.ALL) {
        var sightings = new ArrayList<Sighting>();
        sightings.add(
            Sighting.of(Dimension.REQUESTS, Math.round(60 * limits.perSecond()), (long) level)
                .resetIn(
                    Duration.ofMillis(
                        (long) ((limits.burst() - level) / limits.perSecond() * 1000)))
                .at(Sighting.Snapshot.ADMISSION));
        if (limits.tokensPerSecond() > 0) {
          sightings.add(
              Sighting.of(
                      Dimension.TOKENS, Math.round(60 * limits.tokensPerSecond()), (long) tokens)
                  .resetIn(
                      Duration.ofMillis(
                          (long)
                              ((limits.tokensPerSecond() - tokens)
                                  / limits.tokensPerSecond()
                                  * 1000)))
                  .at(Sighting.Snapshot.ADMISSION));
        }
        signals = Signals.of(sightings.toArray(Sighting[]::new));
      }
      if (refusal && limits.says() != Says.NOTHING) {
        double wait = Math.max(0, (1 - level) / limits.perSecond());
        wait = Math.max(wait, pausedUntil - time.seconds());
        if (limits.tokensPerSecond() > 0) {
          wait = Math.max(wait, (size - tokens) / limits.tokensPerSecond());
        }
        signals = signals.retryAfter(Duration.ofNanos((long) (wait * 1e9) + 1));
      }
      return signals;
    }
  }

  /** One process: a scheduler, and what it has to do. */
  final class Member {
    final int number;
    final double weight;
    final List<String> todo = new ArrayList<>();
    final List<String> open = new ArrayList<>();
    Replica replica;
    Flyball flyball;
    boolean alive;
    int life;

    Member(int number, double weight) {
      this.number = number;
      this.weight = weight;
      start();
    }

    String id() {
      return "p" + number + "." + life;
    }

    void start() {
      life++;
      alive = true;
      replica = new Replica(time, id(), id(), weight, standing -> note(number + " " + standing));
      flyball =
          Flyball.builder()
              .time(time)
              .random(new SplittableRandom(seed * 31 + number))
              .sharedLimit(replica)
              .build();
    }

    void enter(String name) {
      open.add(name);
      enter(name, life);
    }

    private void enter(String name, int in) {
      long size = size(name);
      var call =
          Call.to(LANE)
              .estimated(Estimate.of(size * 9 / 10, size / 10).expecting(size / 10))
              .named(name);
      var place = new ArrayList<Waiter<String>>();
      place.add(flyball.enter(call, () -> place.forEach(waiter -> look(waiter, name, in))));
      look(place.getFirst(), name, in);
    }

    private void look(Waiter<String> waiter, String name, int in) {
      if (alive
          && in == life
          && waiter.admission() instanceof Admission.Granted<String>(var permit)) {
        attempt(permit, name, in);
      }
    }

    private void attempt(Permit<String> permit, String name, int in) {
      sent++;
      if (first < 0) {
        first = time.seconds();
      }
      long size = size(name);
      time.in(
          network(),
          () -> {
            boolean room = provider.takes(number, name, size);
            var signals = provider.signals(!room, size);
            Reply<String> reply =
                room
                    ? Reply.answered("ok", Usage.of(size * 9 / 10, size / 10), signals)
                    : Reply.throttled(signals);
            time.in(
                (room ? latency : 0.02) + network(),
                () -> {
                  if (alive && in == life) {
                    if (permit.settle(reply) instanceof NextStep.Ended<String>) {
                      open.remove(name);
                      last = time.seconds();
                      done++;
                      provider.answered.merge(name, 1, Integer::sum);
                    }
                  }
                });
          });
    }

    /** Killed; what was not answered is asked again by the next. */
    void kill() {
      alive = false;
    }

    void goOn() {
      List.copyOf(open).forEach(name -> enter(name, life));
    }
  }

  final VirtualTime time = new VirtualTime();
  final long seed;
  final SplittableRandom random;
  final Provider provider;
  final List<Member> processes = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  double latency = 0.2;
  boolean varied;
  int total;
  int done;
  int sent;
  double first = -1;
  double last;

  World(long seed, Limits limits) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.provider = new Provider(time, limits);
  }

  void note(String what) {
    notes.add(String.format("%.3f %s", time.seconds(), what));
  }

  double network() {
    return 0.005 + 0.02 * random.nextDouble();
  }

  long size(String name) {
    return varied ? 100 + Math.floorMod(name.hashCode() * 31L, 1900) : 1000;
  }

  Member process(double weight) {
    var process = new Member(processes.size(), weight);
    processes.add(process);
    return process;
  }

  /** The least time that anybody could have needed, from the first request to the last answer. */
  double least() {
    double least = (total - provider.limits.burst()) / provider.limits.perSecond();
    if (provider.limits.tokensPerSecond() > 0) {
      double tokens = provider.log.stream().mapToDouble(entry -> entry[2]).sum();
      least = Math.max(least, tokens / provider.limits.tokensPerSecond() - 1);
    }
    return Math.max(0, least) + latency + 0.01;
  }

  double timesLeast() {
    return (last - first) / least();
  }

  /** Lets it run until everything is done, or so much time has passed. */
  void run(double seconds) {
    while (done < total && time.step(seconds)) {}
  }
}
