package dev.flyball.bench.peers;

import dev.flyball.call.Reply;
import dev.flyball.scheduler.VirtualTime;
import dev.flyball.worlds.Job;
import dev.flyball.worlds.Scenario;
import dev.flyball.worlds.ScriptedProvider;
import dev.flyball.worlds.TrueLimit;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** A world in which a peer and not Flyball runs the jobs; the rest of it is the same. */
public final class PeerWorld {
  private static final double FOR_EVER = 1_000_000;

  private final Scenario scenario;
  private final List<Job> jobs;
  private final VirtualTime time = new VirtualTime();
  private final ScriptedProvider provider;
  private final RandomGenerator random;
  private final Set<String> ended = new HashSet<>();
  private int lost;
  private double lastEnd;

  public PeerWorld(Scenario scenario, List<Job> jobs, long seed) {
    this.scenario = scenario;
    this.jobs = List.copyOf(jobs);
    this.provider = new ScriptedProvider(scenario, time, new Random(seed));
    this.random = new SplittableRandom(seed + 2);
  }

  public PeerTrial run(Function<PeerWorld, Peer> peers) {
    var peer = peers.apply(this);
    jobs.forEach(job -> time.in(job.arrives(), () -> peer.take(job)));
    while (ended.size() < jobs.size()) {
      if (!time.step(FOR_EVER)) {
        throw new IllegalStateException(
            jobs.size() - ended.size() + " jobs of " + scenario.name() + " never end");
      }
    }
    return new PeerTrial(lastEnd, provider.throttles(), provider.attempts(), lost);
  }

  /** Sends one attempt; {@code then} is told what came back. */
  void send(Job job, Consumer<Reply<String>> then) {
    provider.attempt(job, headers -> {}, then);
  }

  void in(double seconds, Runnable what) {
    time.in(seconds, what);
  }

  double now() {
    return time.seconds();
  }

  RandomGenerator random() {
    return random;
  }

  /** For peers that were told the truth. */
  List<TrueLimit> limits() {
    return scenario.limits();
  }

  void answered(Job job) {
    end(job);
  }

  void lost(Job job) {
    lost++;
    end(job);
  }

  private void end(Job job) {
    if (!ended.add(job.name())) {
      throw new IllegalStateException(job.name() + " ended twice");
    }
    lastEnd = now();
  }
}
