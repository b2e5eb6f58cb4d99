package dev.flyball.bench;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;

import dev.flyball.bench.peers.AimdSlots;
import dev.flyball.bench.peers.FixedPool;
import dev.flyball.bench.peers.Peer;
import dev.flyball.bench.peers.PeerTrial;
import dev.flyball.bench.peers.PeerWorld;
import dev.flyball.bench.peers.TokenBuckets;
import dev.flyball.call.Tenant;
import dev.flyball.worlds.Job;
import dev.flyball.worlds.Scenario;
import dev.flyball.worlds.Scenario.Change;
import dev.flyball.worlds.Scenario.Fault;
import dev.flyball.worlds.Scenario.Kind;
import dev.flyball.worlds.Scenarios;
import dev.flyball.worlds.Style;
import dev.flyball.worlds.TrueLimit;
import dev.flyball.worlds.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Flyball and plain peers on the same worlds: the same providers, jobs and seeds. */
final class SideBySide {
  /**
   * A provider and work for it.
   *
   * @param least the least possible time, of that which takes no account of faults and changes
   */
  record Case(Scenario scenario, List<Job> jobs, DoubleUnaryOperator least) {
    static Case of(Scenario scenario, List<Job> jobs) {
      return new Case(scenario, jobs, plain -> plain);
    }

    /** That a limit becomes a multiple of itself at some moment stretches what is left then. */
    static Case changing(String name, double at, double factor) {
      var scenario = Scenario.of(name, Style.FULL, LATENCY, TEN_A_SECOND).jitter(JITTER);
      return new Case(
          scenario.changes(new Change(at, factor)),
          small(300),
          plain -> LATENCY + at + (plain - LATENCY - at) / factor);
    }
  }

  /** Medians over the seeds. */
  record Score(double ratio, double throttles, double lost, double attempts) {
    @Override
    public String toString() {
      return String.format("%.3f / %.0f / %.0f", ratio, throttles, lost);
    }
  }

  private static final double LATENCY = 0.2;
  private static final double JITTER = 0.3;
  private static final double FOR_EVER = 1_000_000;
  private static final double OUTAGE = 60;
  private static final TrueLimit TEN_A_SECOND = TrueLimit.bucket(REQUESTS, 10, 10);
  private static final Job HUGE = Job.of(1_000, 28_000, 50);
  private static final double TOKENS_A_SECOND = 500;

  static final Map<String, Function<PeerWorld, Peer>> PEERS = new LinkedHashMap<>();

  static {
    PEERS.put("pool of 4", FixedPool.of(4));
    PEERS.put("pool of 10", FixedPool.of(10));
    PEERS.put("AIMD slots", AimdSlots::new);
    PEERS.put("token buckets", TokenBuckets::new);
  }

  private static final Case OUTAGE_OF_A_MINUTE =
      new Case(
          Scenario.of("overloaded for 60 s", Style.FULL, LATENCY, TEN_A_SECOND)
              .jitter(JITTER)
              .faults(new Fault(Kind.OVERLOADED, 20, 20 + OUTAGE, 1)),
          small(400),
          plain -> plain + OUTAGE - TEN_A_SECOND.burst() / TEN_A_SECOND.perSecond());

  private static final Case MIXED_SIZES =
      Case.of(
          Scenario.of(
                  "28,000 tokens among 500s",
                  Style.FULL,
                  0.5,
                  TrueLimit.bucket(REQUESTS, 50, 3_000),
                  TrueLimit.bucket(INPUT_TOKENS, TOKENS_A_SECOND, 30_000))
              .jitter(JITTER),
          mixed());

  private static final Case THREE_TENANTS =
      Case.of(
          Scenario.of("three tenants, 1:2:4", Style.FULL, LATENCY, TEN_A_SECOND).jitter(JITTER),
          IntStream.range(0, 900)
              .mapToObj(i -> Job.of(i, 300 + 200 * (i % 2), 50).on(tenant(1 << i % 3)))
              .toList());

  private static final Case SPEND_CAP =
      Case.of(
          Scenario.of("spend cap", Style.FULL, LATENCY, TEN_A_SECOND)
              .jitter(JITTER)
              .faults(new Fault(Kind.SPEND_CAP, 10, FOR_EVER, 1)),
          small(300));

  private SideBySide() {}

  static Optional<BenchReport> run(String[] args) {
    int seeds = args.length == 0 ? 11 : Integer.parseInt(args[0]);
    var report =
        new BenchReport("Side by side in virtual time")
            .say(
                """
                Time ÷ least possible time / 429s / lost answers: medians of %d seeds, the same \
                providers, jobs and seeds for all. Flyball is told nothing; the token buckets are \
                told the true limits and sizes. A time is that until the last call ended, so one \
                that loses calls may seem fast.\
                """
                    .formatted(seeds));
    report.table(head("provider", "promised", "flyball", "attempts a call"), rows(seeds));
    huge(report, seeds);
    tenants(report, seeds);
    spendCap(report, seeds);
    return Optional.of(report);
  }

  private static List<String> head(String... first) {
    var head = new ArrayList<>(List.of(first));
    head.addAll(PEERS.keySet());
    return head;
  }

  private static List<List<String>> rows(int seeds) {
    var rows = new ArrayList<List<String>>();
    for (var row : Scenarios.ROWS) {
      var most = row.throttles() == Integer.MAX_VALUE ? "any" : String.valueOf(row.throttles());
      rows.add(row(Case.of(row.scenario(), row.jobs()), row.ratio() + " / " + most, seeds));
    }
    for (var more :
        List.of(
            MIXED_SIZES,
            THREE_TENANTS,
            OUTAGE_OF_A_MINUTE,
            Case.changing("limit halved after 15 s", 15, 0.5),
            Case.changing("limit doubled after 15 s", 15, 2))) {
      rows.add(row(more, "", seeds));
    }
    return rows;
  }

  private static List<String> row(Case each, String promised, int seeds) {
    var flyball = flyball(each, seeds);
    var cells = new ArrayList<String>();
    cells.add(each.scenario().name());
    cells.add(promised);
    cells.add(flyball.toString());
    cells.add(String.format("%.3f", flyball.attempts()));
    PEERS.values().forEach(peer -> cells.add(peer(each, peer, seeds).toString()));
    return cells;
  }

  static Score flyball(Case each, int seeds) {
    return score(each, seeds, seed -> trial(world(each, seed), each));
  }

  static Score peer(Case each, Function<PeerWorld, Peer> peer, int seeds) {
    return score(each, seeds, seed -> new PeerWorld(each.scenario(), each.jobs(), seed).run(peer));
  }

  private static World.Result world(Case each, long seed) {
    return new World(each.scenario(), each.jobs(), seed).run(FOR_EVER);
  }

  private static PeerTrial trial(World.Result result, Case each) {
    int lost = each.jobs().size() - (int) result.answered();
    return new PeerTrial(result.seconds(), result.throttles(), result.attempts(), lost);
  }

  private static Score score(Case each, int seeds, Function<Integer, PeerTrial> run) {
    double least = each.least().applyAsDouble(world(each, 0).least());
    var trials = IntStream.range(0, seeds).boxed().map(run).toList();
    return new Score(
        median(trials, trial -> trial.seconds() / least),
        median(trials, PeerTrial::throttles),
        median(trials, PeerTrial::lost),
        median(trials, trial -> trial.attempts() / (double) each.jobs().size()));
  }

  private static <T> double median(List<T> all, ToDoubleFunction<T> of) {
    return all.stream().mapToDouble(of).sorted().skip(all.size() / 2).findFirst().orElse(0);
  }

  /** When the huge call went, beside the latest moment that the order of calls allows. */
  private static void huge(BenchReport report, int seeds) {
    var results = IntStream.range(0, seeds).mapToObj(seed -> world(MIXED_SIZES, seed)).toList();
    var before = MIXED_SIZES.jobs().get(MIXED_SIZES.jobs().indexOf(HUGE) - 1);
    double turn = median(results, result -> result.wentAt(before));
    double longest = 2 * (HUGE.input() + HUGE.maxOutput()) / TOKENS_A_SECOND;
    report.say(
        """
        The call of 28,000 tokens went after %.1f s. Its turn came after %.1f s, and it may be \
        overtaken until others have used as much as it needs: it must go by %.1f s.\
        """
            .formatted(median(results, result -> result.wentAt(HUGE)), turn, turn + longest));
  }

  /** What each tenant got while all of them had calls waiting. */
  private static void tenants(BenchReport report, int seeds) {
    var results = IntStream.range(0, seeds).mapToObj(seed -> world(THREE_TENANTS, seed)).toList();
    var rows = new ArrayList<List<String>>();
    for (int weight = 1; weight <= 4; weight *= 2) {
      var tenant = tenant(weight);
      double share = median(results, result -> share(result, tenant));
      rows.add(
          List.of(
              String.valueOf(weight),
              String.format("%.1f %%", 100 * weight / 7.0),
              String.format("%.1f %%", 100 * share)));
    }
    report
        .say("Tokens of each tenant, while all three had calls waiting:")
        .table(List.of("weight", "share due", "share got"), rows);
  }

  private static double share(World.Result result, Tenant tenant) {
    var jobs = THREE_TENANTS.jobs();
    double contended =
        jobs.stream()
            .filter(job -> job.tenant().equals(tenant(4)))
            .mapToDouble(result::wentAt)
            .max()
            .orElse(0);
    double all = 0;
    double own = 0;
    for (var job : jobs) {
      if (result.wentAt(job) <= contended) {
        long tokens = job.input() + job.output();
        all += tokens;
        own += job.tenant().equals(tenant) ? tokens : 0;
      }
    }
    return own / all;
  }

  /** What is still sent after the provider has said that it will answer no more. */
  private static void spendCap(BenchReport report, int seeds) {
    var rows = new ArrayList<List<String>>();
    rows.add(capped("flyball", seeds, seed -> trial(world(SPEND_CAP, seed), SPEND_CAP)));
    PEERS.forEach(
        (name, peer) ->
            rows.add(
                capped(
                    name,
                    seeds,
                    seed ->
                        new PeerWorld(SPEND_CAP.scenario(), SPEND_CAP.jobs(), seed).run(peer))));
    report
        .say("A spend cap after 10 s: it is final, and what is sent after it is sent in vain.")
        .table(List.of("who", "sent in vain", "answered", "ended after"), rows);
  }

  private static List<String> capped(String who, int seeds, Function<Integer, PeerTrial> run) {
    int jobs = SPEND_CAP.jobs().size();
    var trials = IntStream.range(0, seeds).boxed().map(run).toList();
    return List.of(
        who,
        String.format("%.0f", median(trials, t -> t.attempts() - t.throttles() - jobs + t.lost())),
        String.format("%.0f", median(trials, trial -> jobs - trial.lost())),
        String.format("%.1f s", median(trials, PeerTrial::seconds)));
  }

  private static Tenant tenant(int weight) {
    return new Tenant("weight " + weight, weight);
  }

  private static List<Job> small(int count) {
    return IntStream.range(0, count).mapToObj(i -> Job.of(i, 570, 400)).toList();
  }

  private static List<Job> mixed() {
    var jobs = new ArrayList<Job>();
    IntStream.range(0, 300).forEach(i -> jobs.add(Job.of(i, 500, 50)));
    jobs.add(100, HUGE);
    return List.copyOf(jobs);
  }
}
