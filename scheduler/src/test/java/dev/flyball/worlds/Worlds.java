package dev.flyball.worlds;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.call.Dimension.TOKENS;

import dev.flyball.call.Budget;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Priority;
import dev.flyball.call.Tenant;
import dev.flyball.scheduler.Flyball;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Makes up a world from a seed: any provider, any work, anything that can go wrong. */
public final class Worlds {
  private static final double FOR_EVER = 1_000_000;

  /**
   * A world that is made up, with what can be asked of it.
   *
   * @param quiet whether nothing happens that the provider's replies do not tell
   */
  public record MadeUp(World world, Scenario scenario, List<Job> jobs, boolean quiet) {
    /** What is wrong with how it went; empty when nothing is. */
    public List<String> complaints() {
      var result = world.run(FOR_EVER);
      var complaints = new ArrayList<>(result.broken());
      int free = 3;
      for (var limit : scenario.limits()) {
        // Until the first reply nobody can know that less than four fit.
        free += limit.start() < 20 * (limit.dimension().equals(REQUESTS) ? 1 : 3_000) ? 6 : 0;
      }
      boolean told = scenario.style() == Style.FULL || scenario.style() == Style.ROUNDED;
      boolean half = scenario.style() == Style.STALE || scenario.style() == Style.PARTIAL;
      double part = !quiet ? 0.6 : told ? 0.02 : half ? 0.1 : 0.4;
      double allowed = (quiet && told ? free : 25) + part * result.attempts();
      if (result.throttles() > allowed) {
        complaints.add(result.throttles() + " 429s where " + allowed + " are allowed");
      }
      double slack = 30 + 4 * scenario.latency() + jobs.getLast().arrives();
      if (quiet && told && result.seconds() > 1.5 * result.least() + slack) {
        complaints.add(result.seconds() + " s where " + result.least() + " s are least");
      }
      return complaints;
    }

    @Override
    public String toString() {
      return scenario + " with " + jobs.size() + " jobs";
    }
  }

  private final Random random;
  private boolean quiet = true;

  private Worlds(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
  }

  public static MadeUp of(long seed) {
    return new Worlds(seed).make(seed);
  }

  private MadeUp make(long seed) {
    var scenario = scenario(seed);
    var jobs = jobs(scenario);
    long tokens = jobs.stream().mapToLong(job -> job.input() + job.maxOutput()).sum();
    var budget =
        chance(0.2)
            ? Optional.of(
                Budget.tokens((long) (tokens * (0.3 + random.nextDouble())))
                    .keepingBack(chance(0.5) ? 0.2 : 0))
            : Optional.<Budget>empty();
    var world = new World(scenario, jobs, seed, this::settings, budget).checking();
    if (chance(0.2)) {
      world.cancelling(0.3);
    }
    if (chance(0.15)) {
      world.within(Duration.ofMillis(1 + random.nextInt(60_000)));
      quiet = false;
    }
    if (chance(0.3)) {
      world.misjudging(0.3);
      quiet = false;
    }
    if (chance(0.2)) {
      world.time().in(random.nextDouble() * 20, () -> world.time().stepWall(hours()));
    }
    return new MadeUp(world, scenario, jobs, quiet);
  }

  private Duration hours() {
    return Duration.ofHours(random.nextInt(48) - 24L);
  }

  private Flyball.Builder settings(Flyball.Builder builder) {
    if (chance(0.15)) {
      // Learned of another account, or long ago.
      double rate = Math.pow(10, random.nextDouble() * 3 - 1);
      var memory =
          new LearnedLimits.OfLane(
              List.of(new LearnedLimits.Learned(REQUESTS, Math.max(1, (long) (60 * rate)), rate)),
              chance(0.5) ? new LearnedLimits.Felt(rate, 1 + rate) : LearnedLimits.Felt.NOTHING,
              Map.of("", 100L),
              1,
              Instant.EPOCH);
      builder.memory(new LearnedLimits(Map.of(World.LANE, memory)));
      quiet = false;
    }
    if (chance(0.1)) {
      builder.maxWait(Duration.ofMinutes(15));
    }
    return builder;
  }

  private Scenario scenario(long seed) {
    var limits = new ArrayList<TrueLimit>();
    double perSecond = Math.pow(10, random.nextDouble() * 2 - 0.3);
    double minute = 60 * perSecond;
    boolean window = chance(0.1);
    double burst =
        window
            ? minute
            : chance(0.4) ? minute : Math.max(1, perSecond * (1 + 9 * random.nextDouble()));
    var requests = TrueLimit.bucket(REQUESTS, perSecond, Math.max(1, Math.floor(burst)));
    requests = chance(0.2) ? requests.startingAt(requests.burst() * random.nextDouble()) : requests;
    limits.add(window ? requests.inWindows(60) : requests);
    if (chance(0.5)) {
      limits.add(tokens(INPUT_TOKENS, 3_000));
      if (chance(0.7)) {
        limits.add(tokens(OUTPUT_TOKENS, 1_000).debitedAsProduced());
      }
    } else if (chance(0.4)) {
      limits.add(tokens(TOKENS, 4_000));
    }
    var style = oneOf(Style.values());
    double latency = Math.pow(10, random.nextDouble() * 2.2 - 1.3);
    var scenario =
        Scenario.of("world " + seed, style, latency, limits.toArray(TrueLimit[]::new))
            .jitter(random.nextDouble() * 0.5)
            .refusing(Math.min(latency, 0.02 + random.nextDouble() * 0.3));
    scenario = chance(0.3) ? scenario.stream() : scenario;
    if (chance(0.15)) {
      scenario = scenario.foreign(0.5 * random.nextDouble(), chance(0.5));
      quiet = false;
    }
    if (chance(0.1)) {
      scenario = scenario.inFlight(2 + random.nextInt(20));
      quiet = false;
    }
    if (chance(0.3)) {
      scenario = scenario.faults(fault(), fault());
      quiet = false;
    }
    if (chance(0.15)) {
      double at = random.nextDouble() * 30;
      scenario = scenario.changes(new Scenario.Change(at, chance(0.5) ? 0.5 : 2));
      quiet = false;
    }
    return scenario;
  }

  private TrueLimit tokens(dev.flyball.call.Dimension dimension, long largest) {
    double minute = largest * (1 + 20 * random.nextDouble());
    return TrueLimit.bucket(dimension, minute / 60, Math.floor(minute));
  }

  private Scenario.Fault fault() {
    var kind = oneOf(Scenario.Kind.values());
    double from = random.nextDouble() * 30;
    double length = random.nextDouble() * (chance(0.1) ? 300 : 20);
    return new Scenario.Fault(
        kind, from, from + length, chance(0.4) ? 1 : random.nextDouble() * 0.5);
  }

  private List<Job> jobs(Scenario scenario) {
    int count = 10 + random.nextInt(110);
    boolean same = chance(0.4);
    boolean together = chance(0.6);
    var tenants =
        List.of(Tenant.ONLY, new Tenant("two", 2), new Tenant("four", 4))
            .subList(0, chance(0.7) ? 1 : 3);
    var jobs = new ArrayList<Job>();
    double arrives = 0;
    for (int i = 0; i < count; i++) {
      double size = same ? 0.2 : Math.pow(random.nextDouble(), 3);
      var job = Job.of(i, (long) (1 + 2_900 * size), (long) (1 + 490 * size));
      arrives += together ? 0 : random.nextDouble() * 2 * scenario.latency();
      jobs.add(
          job.on(tenants.get(random.nextInt(tenants.size())))
              .priority(chance(0.9) ? Priority.NORMAL : Priority.INTERACTIVE)
              .slower(same ? 1 : 0.5 + random.nextDouble())
              .arriving(arrives));
    }
    return jobs;
  }

  private <T> T oneOf(T[] all) {
    return List.of(all).get(random.nextInt(all.length));
  }

  private boolean chance(double part) {
    return random.nextDouble() < part;
  }
}
