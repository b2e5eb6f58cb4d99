package dev.flyball.bench;

import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.LeastTime;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Flyball, told nothing, beside Resilience4j, told the limit, on a real clock. */
final class RealTime {
  private static final int CALLS = 150;
  private static final int PER_SECOND = 10;
  private static final Duration QUICKEST = Duration.ofMillis(50);
  private static final Duration SLOWEST = Duration.ofMillis(200);

  /** A provider with a true bucket of requests and full headers. */
  private static final class Provider {
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger throttles = new AtomicInteger();
    private double level = PER_SECOND;
    private long at = System.nanoTime();

    Reply<String> attempt() throws InterruptedException {
      attempts.incrementAndGet();
      double left = take();
      var signals = Signals.of(sighting(Math.max(0, left)));
      if (left < 0) {
        throttles.incrementAndGet();
        Thread.sleep(QUICKEST);
        return Reply.throttled(signals.retryAfter(Duration.ofSeconds(1)));
      }
      Thread.sleep(
          Duration.ofMillis(
              ThreadLocalRandom.current().nextLong(QUICKEST.toMillis(), SLOWEST.toMillis() + 1)));
      return Reply.answered("answer", Usage.NONE, signals);
    }

    /** What is left after one was taken; below zero, and nothing was. */
    private double take() {
      lock.lock();
      try {
        long now = System.nanoTime();
        level = Math.min(PER_SECOND, level + (now - at) / 1e9 * PER_SECOND);
        at = now;
        if (level < 1) {
          return level - 1;
        }
        return level -= 1;
      } finally {
        lock.unlock();
      }
    }

    private static Sighting sighting(double left) {
      var full = Duration.ofMillis((long) Math.ceil((PER_SECOND - left) * 1_000 / PER_SECOND));
      return Sighting.of(Dimension.REQUESTS, 60L * PER_SECOND, (long) left)
          .resetIn(full)
          .at(Snapshot.ADMISSION);
    }
  }

  /** Runs one call against a provider; true when it was answered. */
  private interface Contender {
    boolean call(Provider provider) throws InterruptedException;
  }

  private RealTime() {}

  static Optional<BenchReport> run(String[] args) throws InterruptedException {
    var rows = new ArrayList<List<String>>();
    try (var flyball = Flyball.create()) {
      rows.add(row("Flyball, told nothing", provider -> flyball(flyball, provider)));
    }
    rows.add(row("Resilience4j, told the limit", resilience4j()));
    return Optional.of(
        new BenchReport("Side by side on a real clock")
            .say(
                """
                %d calls at once to a provider in this process: %d requests a second, as many at \
                once, answers after %d to %d ms, full headers. Resilience4j: a RateLimiter at the \
                provider's limit inside a Retry with exponential backoff, five attempts.\
                """
                    .formatted(CALLS, PER_SECOND, QUICKEST.toMillis(), SLOWEST.toMillis()))
            .table(
                List.of("who", "time ÷ least", "time", "429s", "requests a call", "lost"), rows));
  }

  private static List<String> row(String who, Contender contender) throws InterruptedException {
    var provider = new Provider();
    var answered = new AtomicInteger();
    long started = System.nanoTime();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < CALLS; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  answered.addAndGet(contender.call(provider) ? 1 : 0);
                } catch (InterruptedException interrupted) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    for (var thread : threads) {
      thread.join();
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    return List.of(
        who,
        String.format("%.3f", seconds / least()),
        String.format("%.2f s", seconds),
        String.valueOf(provider.throttles.get()),
        String.format("%.3f", provider.attempts.get() / (double) CALLS),
        String.valueOf(CALLS - answered.get()));
  }

  private static double least() {
    var demand = new LeastTime.Demand(QUICKEST, Map.of(Dimension.REQUESTS, 1L));
    var supply = LeastTime.Supply.steady(Dimension.REQUESTS, PER_SECOND, PER_SECOND);
    return LeastTime.of(Collections.nCopies(CALLS, demand), List.of(supply), CALLS).toNanos() / 1e9;
  }

  private static boolean flyball(Flyball flyball, Provider provider) throws InterruptedException {
    var call = Call.to(LaneId.of("realtime", "model"));
    return flyball.run(call, attempt -> provider.attempt()) instanceof Outcome.Done;
  }

  /** A 429 as code around Resilience4j would throw it. */
  private static final class TooManyRequests extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static Contender resilience4j() {
    var limiter =
        RateLimiter.of(
            "provider",
            RateLimiterConfig.custom()
                .limitForPeriod(PER_SECOND)
                .limitRefreshPeriod(Duration.ofSeconds(1))
                .timeoutDuration(Duration.ofMinutes(10))
                .build());
    var retry =
        Retry.of(
            "provider",
            RetryConfig.custom()
                .maxAttempts(5)
                .intervalFunction(IntervalFunction.ofExponentialRandomBackoff())
                .build());
    return provider -> {
      var limited =
          RateLimiter.decorateCallable(
              limiter,
              () -> {
                var reply = provider.attempt();
                if (reply instanceof Reply.Answered) {
                  return reply;
                }
                throw new TooManyRequests();
              });
      try {
        Retry.decorateCallable(retry, limited).call();
        return true;
      } catch (InterruptedException interrupted) {
        throw interrupted;
      } catch (Exception exhausted) {
        return false;
      }
    };
  }
}
