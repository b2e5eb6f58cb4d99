package dev.flyball.bench.fleet;

import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.fleet.Fleet;
import dev.flyball.fleet.FleetPlace;
import dev.flyball.scheduler.Flyball;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Replicas as threads of one process, each with a scheduler and a fleet of its own, over a real
 * Redis; a bucket is the provider and the judge. The first has as much to do as all others
 * together.
 */
final class Replicas {
  private static final LaneId LANE = LaneId.of("provider", "model");
  private static final Duration LATENCY = Duration.ofMillis(200);

  /**
   * What came of it.
   *
   * @param used the part of the limit that was used from the first call to the last
   */
  record Result(int replicas, double timesLeast, double used, int refused, double commands) {}

  private final double perSecond;
  private final double burst;
  private final ReentrantLock lock = new ReentrantLock();
  private double level;
  private long refilled = System.nanoTime();
  private long first;
  private long last;
  private int refused;

  private Replicas(double perSecond, double burst) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.level = burst;
  }

  static Result run(
      int replicas, int calls, double perSecond, double burst, FleetPlace place, RealRedis redis)
      throws IOException, InterruptedException {
    var all = new Replicas(perSecond, burst);
    long before = redis.commands();
    all.run(replicas, calls, place);
    double seconds = (all.last - all.first) / 1e9;
    double least = (calls - burst) / perSecond + LATENCY.toMillis() / 1000.0;
    return new Result(
        replicas,
        seconds / least,
        (calls - burst) / perSecond / (seconds - LATENCY.toMillis() / 1000.0),
        all.refused,
        (double) (redis.commands() - before) / calls);
  }

  private void run(int replicas, int calls, FleetPlace place)
      throws IOException, InterruptedException {
    var fleets = new ArrayList<Fleet>();
    var schedulers = new ArrayList<Flyball>();
    for (int i = 0; i < replicas; i++) {
      var fleet = Fleet.at((FleetPlace.AtRedis) place, Fleet.Settings.USUAL);
      fleets.add(fleet);
      schedulers.add(Flyball.builder().sharedLimit(fleet.limit()).build());
    }
    var failed = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < calls; i++) {
        var scheduler = schedulers.get(i % 2 == 0 ? 0 : i % replicas);
        threads.execute(
            () -> {
              try {
                scheduler.answer(Call.to(LANE).estimated(Estimate.of(900, 100)), call -> attempt());
              } catch (InterruptedException | RuntimeException lost) {
                failed.incrementAndGet();
              }
            });
      }
    }
    schedulers.forEach(Flyball::close);
    fleets.forEach(Fleet::close);
    if (failed.get() > 0) {
      throw new IOException(failed + " calls had no answer");
    }
  }

  private Reply<String> attempt() throws InterruptedException {
    boolean room;
    Signals signals;
    lock.lock();
    try {
      long now = System.nanoTime();
      first = first == 0 ? now : first;
      level = Math.min(burst, level + perSecond * (now - refilled) / 1e9);
      refilled = now;
      room = level >= 1;
      level -= room ? 1 : 0;
      refused += room ? 0 : 1;
      signals =
          Signals.of(
              Sighting.of(Dimension.REQUESTS, Math.round(60 * perSecond), (long) level)
                  .resetIn(Duration.ofNanos((long) ((burst - level) / perSecond * 1e9)))
                  .at(Sighting.Snapshot.ADMISSION));
      if (!room) {
        signals = signals.retryAfter(Duration.ofNanos((long) ((1 - level) / perSecond * 1e9) + 1));
      }
    } finally {
      lock.unlock();
    }
    Thread.sleep(room ? LATENCY : Duration.ofMillis(20));
    lock.lock();
    try {
      last = System.nanoTime();
    } finally {
      lock.unlock();
    }
    return room ? Reply.answered("ok", Usage.of(900, 100), signals) : Reply.throttled(signals);
  }
}
