package dev.flyball.worlds;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.LeastTime;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.VirtualTime;
import dev.flyball.scheduler.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One run of jobs through the real scheduler against a scripted provider. */
public final class World {
  /** The lane of every world. */
  public static final LaneId LANE = LaneId.of("world", "model");

  /** Who pays, where a world has a budget. */
  public static final Account RUN = Account.of("run");

  /**
   * How it went.
   *
   * @param seconds until the last call ended
   * @param least the least possible
   * @param admitted at which second each job first went
   * @param broken invariants that did not hold
   */
  public record Result(
      double seconds,
      double least,
      int throttles,
      int attempts,
      Map<String, Outcome<String>> outcomes,
      Map<String, Double> admitted,
      List<String> broken,
      Flyball flyball) {
    public double ratio() {
      return seconds / least;
    }

    /** At which second a job first went; never, if it did not. */
    public double wentAt(Job job) {
      return admitted.getOrDefault(job.name(), Double.POSITIVE_INFINITY);
    }

    public long answered() {
      return outcomes.values().stream().filter(o -> o instanceof Outcome.Done).count();
    }
  }

  private final Scenario scenario;
  private final List<Job> jobs;
  private final VirtualTime time = new VirtualTime();
  private final ScriptedProvider provider;
  private final Flyball flyball;
  private final boolean budgeted;
  private final SplittableRandom network;
  private final Map<String, Outcome<String>> outcomes = new LinkedHashMap<>();
  private final Map<String, Double> admitted = new LinkedHashMap<>();
  private final Map<String, Waiter<String>> waiters = new HashMap<>();
  private final Map<String, Permit<String>> inFlight = new HashMap<>();
  private final Set<String> untold = new HashSet<>();
  private final List<String> broken = new ArrayList<>();
  private double ended;
  private boolean checking;
  private double cancelled;
  private @Nullable Duration within;
  private double misjudged;

  public World(Scenario scenario, List<Job> jobs, long seed) {
    this(scenario, jobs, seed, builder -> builder, Optional.empty());
  }

  public World(
      Scenario scenario,
      List<Job> jobs,
      long seed,
      UnaryOperator<Flyball.Builder> settings,
      Optional<Budget> budget) {
    this.scenario = scenario;
    this.jobs = List.copyOf(jobs);
    this.provider = new ScriptedProvider(scenario, time, new Random(seed));
    this.network = new SplittableRandom(seed + 1);
    this.flyball =
        settings
            .apply(
                Flyball.builder()
                    .time(time)
                    .random(new SplittableRandom(seed + 2))
                    .listenersOn(Runnable::run))
            .build();
    this.budgeted = budget.isPresent();
    budget.ifPresent(most -> flyball.budget(RUN, most));
  }

  public Flyball flyball() {
    return flyball;
  }

  public VirtualTime time() {
    return time;
  }

  /** After every step the invariants are looked at. */
  public World checking() {
    checking = true;
    return this;
  }

  /** Callers lose patience with this part of the calls. */
  public World cancelling(double part) {
    cancelled = part;
    return this;
  }

  /** Each call has so long. */
  public World within(Duration each) {
    within = each;
    return this;
  }

  /** Callers misjudge input by up to this part. */
  public World misjudging(double part) {
    misjudged = part;
    return this;
  }

  public Result run(double mostSeconds) {
    jobs.forEach(job -> time.in(job.arrives(), () -> enter(job)));
    while (outcomes.size() < jobs.size() && time.step(mostSeconds)) {
      if (checking) {
        check();
      }
    }
    if (checking) {
      finish();
    }
    return new Result(
        ended,
        least(),
        provider.throttles(),
        provider.attempts(),
        outcomes,
        admitted,
        broken,
        flyball);
  }

  private void enter(Job job) {
    double error = 1 + misjudged * (2 * network.nextDouble() - 1);
    var call =
        Call.to(LANE)
            .named(job.name())
            .on(job.tenant())
            .priority(job.priority())
            .estimated(Estimate.of(Math.round(job.input() * error), job.maxOutput()));
    call = budgeted ? call.paidBy(RUN) : call;
    call = within == null ? call : call.within(within);
    Waiter<String> waiter = flyball.enter(call, () -> woken(job));
    waiters.put(job.name(), waiter);
    woken(job);
    if (network.nextDouble() < cancelled) {
      time.in(network.nextDouble() * 30, () -> cancel(job, waiter));
    }
  }

  /** Called by the scheduler, and once by us: an admission that came at once had nobody to wake. */
  private void woken(Job job) {
    var waiter = waiters.get(job.name());
    if (waiter != null && !(waiter.admission() instanceof Admission.Wait)) {
      if (waiter.admission() instanceof Admission.Granted && !inFlight.containsKey(job.name())) {
        untold.add(job.name());
      }
      time.in(0, () -> proceed(job));
    }
  }

  private void cancel(Job job, Waiter<String> waiter) {
    if (!outcomes.containsKey(job.name()) && !inFlight.containsKey(job.name())) {
      waiter.withdraw();
      proceed(job);
    }
  }

  private void proceed(Job job) {
    var waiter = waiters.get(job.name());
    if (waiter == null || outcomes.containsKey(job.name()) || inFlight.containsKey(job.name())) {
      return;
    }
    untold.remove(job.name());
    switch (waiter.admission()) {
      case Admission.Wait<String> wait -> {}
      case Admission.Refused<String>(var refused) -> end(job, refused);
      case Admission.Granted<String>(var permit) -> {
        admitted.putIfAbsent(job.name(), time.seconds());
        inFlight.put(job.name(), permit);
        provider.attempt(job, permit::sighted, reply -> settle(job, permit, reply));
      }
    }
  }

  private void settle(Job job, Permit<String> permit, Reply<String> reply) {
    inFlight.remove(job.name());
    switch (permit.settle(reply)) {
      case NextStep.Again<String>() -> {}
      case NextStep.Ended<String>(var outcome) -> end(job, outcome);
    }
  }

  private void end(Job job, Outcome<String> outcome) {
    if (outcomes.put(job.name(), outcome) != null) {
      broken.add(job.name() + " ended twice");
    }
    ended = time.seconds();
  }

  private void check() {
    var snapshot = flyball.snapshot();
    for (var lane : snapshot.lanes()) {
      expect(lane.inFlight() == granted(), "in flight: " + lane.inFlight() + " not " + granted());
      for (var gauge : lane.gauges()) {
        if (gauge.dimension().equals(Dimension.REQUESTS)) {
          expect(gauge.held() == lane.inFlight(), "requests held: " + gauge.held());
        }
        expect(gauge.held() >= 0, gauge.dimension() + " held: " + gauge.held());
        expect(!Double.isNaN(gauge.level()), gauge.dimension() + " level is no number");
      }
    }
    for (var budget : snapshot.budgets()) {
      long most = budget.budget().tokens().orElse(Long.MAX_VALUE);
      long all = budget.tokensHeld() + budget.tokensSpent();
      expect(all <= most + misjudged * all, "budget overspent: " + all + " of " + most);
      expect(budget.holds() == granted(), "holds: " + budget.holds() + " not " + granted());
    }
  }

  /** Permits that were given out and not settled, told or not yet told. */
  private int granted() {
    return inFlight.size() + untold.size();
  }

  private void finish() {
    for (var job : jobs) {
      expect(outcomes.containsKey(job.name()), job.name() + " was lost");
    }
    for (var lane : flyball.snapshot().lanes()) {
      expect(lane.waiting() == 0, "still waiting: " + lane.waiting());
      expect(lane.inFlight() == 0, "still in flight: " + lane.inFlight());
      lane.gauges().forEach(g -> expect(g.held() == 0, "still held: " + g));
      var m = lane.metrics();
      expect(m.completed() + m.errored() == m.total(), "ended: " + m);
      expect(m.attempts() == provider.attempts(), "attempts: " + m);
    }
    flyball.snapshot().budgets().forEach(b -> expect(b.holds() == 0, "still held: " + b));
    inOrder();
    long answered = outcomes.values().stream().filter(o -> o instanceof Outcome.Done).count();
    expect(answered == provider.answers(), "answers thrown away: " + provider.answers());
  }

  /** First in, first out, between jobs that differ in nothing but their arrival. */
  private void inOrder() {
    var last = new HashMap<String, Job>();
    for (var job : jobs) {
      var at = admitted.get(job.name());
      if (at == null || misjudged > 0) {
        continue;
      }
      var rank = job.tenant() + " " + job.priority() + " " + job.input() + " " + job.maxOutput();
      var before = last.put(rank, job);
      if (before != null && before.arrives() <= job.arrives()) {
        var earlier = admitted.getOrDefault(before.name(), 0.0);
        expect(earlier <= at, before.name() + " went after " + job.name());
      }
    }
  }

  private void expect(boolean holds, String what) {
    if (!holds && broken.size() < 20) {
      broken.add("at " + time.seconds() + " s: " + what);
    }
  }

  private double least() {
    var supplies = new ArrayList<LeastTime.Supply>();
    for (var limit : scenario.limits()) {
      supplies.add(
          new LeastTime.Supply(
              limit.dimension(),
              limit.perSecond() * (1 - scenario.foreign()),
              limit.start(),
              limit.asProduced(),
              Duration.ofMillis((long) (limit.window() * 1000))));
    }
    var demands =
        jobs.stream()
            .map(
                job ->
                    new LeastTime.Demand(
                        Duration.ofNanos((long) (scenario.latency() * job.slowness() * 1e9)),
                        Map.of(
                            Dimension.REQUESTS,
                            1L,
                            Dimension.INPUT_TOKENS,
                            job.input(),
                            Dimension.OUTPUT_TOKENS,
                            job.output(),
                            Dimension.TOKENS,
                            job.input() + job.output())))
            .toList();
    int slots = Math.min(512, scenario.inFlight());
    return LeastTime.of(demands, supplies, slots).toNanos() / 1e9;
  }
}
