package dev.flyball.worlds;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;

/**
 * A limiter that nobody states, and how much work it is tried with.
 *
 * @param limiter by seed
 * @param work how many calls, by how long an answer takes
 * @param steadiness what may be expected of whoever finds out
 */
public record UnstatedCase(
    String name, LongFunction<HiddenLimiter> limiter, Work work, Steadiness steadiness) {
  /** How hard it is. */
  public enum Steadiness {
    /** One limit that stays as it is. */
    STEADY(12),
    /** The same, over a minute: its end is found by trying. */
    MINUTE(20),
    /** It changes, somebody else uses it too, or there are two. */
    CHANGING(45);

    private final int refusals;

    Steadiness(int refusals) {
      this.refusals = refusals;
    }

    /** How many refusals are put up with. */
    public int refusals() {
      return refusals;
    }
  }

  /** How many calls. */
  interface Work {
    int calls(double latency);
  }

  /** How long answers take in every table. */
  public static final List<Double> LATENCIES = List.of(0.02, 0.2, 2.0, 15.0);

  HiddenLimiter limiter(long seed) {
    return limiter.apply(seed);
  }

  int calls(double latency) {
    return work.calls(latency);
  }

  private static UnstatedCase steady(String name, int calls, LongFunction<HiddenLimiter> limiter) {
    return new UnstatedCase(name, limiter, latency -> calls, Steadiness.STEADY);
  }

  private static UnstatedCase minute(String name, int calls, LongFunction<HiddenLimiter> limiter) {
    return new UnstatedCase(name, limiter, latency -> calls, Steadiness.MINUTE);
  }

  private static UnstatedCase changing(
      String name, int calls, LongFunction<HiddenLimiter> limiter) {
    return new UnstatedCase(name, limiter, latency -> calls, Steadiness.CHANGING);
  }

  private static UnstatedCase inFlight(int most) {
    return new UnstatedCase(
        "in flight " + most,
        seed -> HiddenLimiter.slots(most),
        latency -> {
          double least = 12 * most / (latency > 10 ? 1 : 0.3);
          return (int) Math.max(least, Math.min(12_000, 30 * most / latency));
        },
        Steadiness.STEADY);
  }

  /** Seeds 0 and 1 have windows that begin with a call; the others follow a clock. */
  private static double phase(long seed, double window) {
    return seed % 1000 < 2 ? -1 : new Random(seed * 31 + 7).nextDouble() * window;
  }

  private static LongFunction<HiddenLimiter> fixed(int most, double window) {
    return seed -> HiddenLimiter.fixed(most, window, phase(seed, window), 0);
  }

  /** The limiters that people meet. */
  public static List<UnstatedCase> usual() {
    var all = new ArrayList<UnstatedCase>();
    all.add(steady("bucket 10/s, burst 10", 300, seed -> HiddenLimiter.bucket(10, 10)));
    all.add(steady("bucket 10/s, burst 1", 300, seed -> HiddenLimiter.bucket(10, 1)));
    all.add(steady("bucket 2/s, burst 1", 100, seed -> HiddenLimiter.bucket(2, 1)));
    all.add(steady("bucket 2/s, burst 20", 120, seed -> HiddenLimiter.bucket(2, 20)));
    all.add(steady("bucket 100/s, burst 50", 3000, seed -> HiddenLimiter.bucket(100, 50)));
    all.add(minute("bucket 600/min, burst 600", 1200, seed -> HiddenLimiter.bucket(10, 600)));
    all.add(steady("fixed 100 in 10 s", 600, fixed(100, 10)));
    all.add(minute("fixed 60 in 60 s", 200, fixed(60, 60)));
    all.add(steady("fixed 10 in 1 s", 300, fixed(10, 1)));
    all.add(steady("fixed 50 in 5 s, shut 10 s", 600, seed -> HiddenLimiter.fixed(50, 5, -1, 10)));
    all.add(steady("sliding 100 in 10 s", 600, seed -> HiddenLimiter.sliding(100, 10)));
    all.add(steady("HAProxy 100 in 10 s", 600, seed -> HiddenLimiter.counter(100, 10, true)));
    all.add(inFlight(1));
    all.add(inFlight(4));
    all.add(inFlight(16));
    all.add(
        steady("bucket 10/s that charges refusals", 300, s -> HiddenLimiter.strictBucket(10, 10)));
    all.add(changing("halved to 5/s at 10 s", 300, s -> HiddenLimiter.changing(10, 10, 5, 10)));
    all.add(changing("doubled to 20/s at 10 s", 800, s -> HiddenLimiter.changing(10, 10, 20, 10)));
    all.add(changing("10/s, 40 % foreign", 300, seed -> HiddenLimiter.shared(10, 10, 4, seed)));
    all.add(
        changing(
            "10/s and 300 in 60 s",
            700,
            seed ->
                HiddenLimiter.both(
                    HiddenLimiter.bucket(10, 10), HiddenLimiter.fixed(300, 60, -1, 0))));
    all.add(
        new UnstatedCase(
            "in flight 8 and 10/s",
            seed -> HiddenLimiter.both(HiddenLimiter.slots(8), HiddenLimiter.bucket(10, 10)),
            latency -> latency > 10 ? 80 : latency > 1 ? 200 : 300,
            Steadiness.CHANGING));
    return all;
  }

  /** The same kinds in short runs, as real ones were met. */
  public static List<UnstatedCase> brief() {
    return List.of(
        steady("brief 10/s, burst 11", 300, seed -> HiddenLimiter.bucket(10, 11)),
        steady("brief 10/s, burst 1", 250, seed -> HiddenLimiter.bucket(10, 1)),
        steady("brief 120/min, burst 1", 60, seed -> HiddenLimiter.bucket(2, 1)),
        steady("brief 120/min, burst 21", 80, seed -> HiddenLimiter.bucket(2, 21)),
        steady("brief fixed 100 in 10 s", 300, fixed(100, 10)),
        steady("brief 50 in 5 s, shut 10 s", 200, seed -> HiddenLimiter.fixed(50, 5, -1, 10)),
        steady("brief HAProxy 100 in 10 s", 300, seed -> HiddenLimiter.counter(100, 10, true)),
        steady("brief HAProxy 10 in 1 s", 300, seed -> HiddenLimiter.counter(10, 1, true)),
        steady("brief sliding 100 in 10 s", 300, seed -> HiddenLimiter.sliding(100, 10)));
  }

  /**
   * Numbers that no gauge was made for; once written down before they were run, and known since.
   */
  public static List<UnstatedCase> odd() {
    return List.of(
        steady("bucket 17/s, burst 4", 500, seed -> HiddenLimiter.bucket(17, 4)),
        steady("bucket 0.8/s, burst 6", 60, seed -> HiddenLimiter.bucket(0.8, 6)),
        steady("bucket 55/s, burst 200", 2000, seed -> HiddenLimiter.bucket(55, 200)),
        steady("fixed 45 in 12 s", 260, fixed(45, 12)),
        steady("fixed 8 in 3 s", 120, fixed(8, 3)),
        steady("sliding 25 in 4 s", 250, seed -> HiddenLimiter.sliding(25, 4)),
        minute("sliding 150 in 45 s", 500, seed -> HiddenLimiter.sliding(150, 45)),
        minute("counter 80 in 25 s", 260, seed -> HiddenLimiter.counter(80, 25, false)),
        inFlight(11),
        changing(
            "14/s and 90 in 20 s",
            400,
            seed ->
                HiddenLimiter.both(
                    HiddenLimiter.bucket(14, 5), HiddenLimiter.fixed(90, 20, -1, 0))));
  }

  /** The same: written down before they were run, once, and known since. */
  public static List<UnstatedCase> odder() {
    return List.of(
        steady("bucket 7/s, burst 25", 220, seed -> HiddenLimiter.bucket(7, 25)),
        steady("bucket 1.3/s, burst 3", 60, seed -> HiddenLimiter.bucket(1.3, 3)),
        steady("bucket 28/s, burst 9", 900, seed -> HiddenLimiter.bucket(28, 9)),
        steady("fixed 70 in 8 s", 420, fixed(70, 8)),
        minute("fixed 120 in 40 s", 400, fixed(120, 40)),
        steady("sliding 35 in 6 s", 260, seed -> HiddenLimiter.sliding(35, 6)),
        steady("counter 45 in 9 s", 260, seed -> HiddenLimiter.counter(45, 9, true)),
        inFlight(7),
        steady("fixed 30 in 4 s, shut 6 s", 400, seed -> HiddenLimiter.fixed(30, 4, -1, 6)),
        changing(
            "9/s and 160 in 30 s",
            450,
            seed ->
                HiddenLimiter.both(
                    HiddenLimiter.bucket(9, 12), HiddenLimiter.fixed(160, 30, -1, 0))));
  }

  /** The same. */
  public static List<UnstatedCase> oddest() {
    return List.of(
        steady("bucket 3/s, burst 40", 160, seed -> HiddenLimiter.bucket(3, 40)),
        steady("bucket 12/s, burst 2", 300, seed -> HiddenLimiter.bucket(12, 2)),
        steady("bucket 45/s, burst 30", 1500, seed -> HiddenLimiter.bucket(45, 30)),
        steady("fixed 25 in 2.5 s", 250, fixed(25, 2.5)),
        steady("fixed 80 in 18 s", 400, fixed(80, 18)),
        steady("sliding 48 in 7 s", 350, seed -> HiddenLimiter.sliding(48, 7)),
        steady("counter 150 in 20 s", 500, seed -> HiddenLimiter.counter(150, 20, false)),
        inFlight(9),
        steady("fixed 60 in 7 s, shut 12 s", 400, seed -> HiddenLimiter.fixed(60, 7, -1, 12)),
        changing(
            "8/s and 110 in 20 s",
            400,
            seed ->
                HiddenLimiter.both(
                    HiddenLimiter.bucket(8, 16), HiddenLimiter.fixed(110, 20, -1, 0))));
  }

  /** Hundreds of calls a second. */
  public static List<UnstatedCase> fast() {
    return List.of(
        steady("bucket 300/s, burst 100", 6000, seed -> HiddenLimiter.bucket(300, 100)),
        steady("fixed 400 in 2 s", 4000, fixed(400, 2)),
        inFlight(40));
  }

  /** Written down before any of them was run, with other numbers that no gauge was made for. */
  public static List<UnstatedCase> unseen() {
    return List.of(
        steady("bucket 6/s, burst 15", 220, seed -> HiddenLimiter.bucket(6, 15)),
        steady("bucket 22/s, burst 3", 700, seed -> HiddenLimiter.bucket(22, 3)),
        steady("bucket 150/s, burst 80", 4000, seed -> HiddenLimiter.bucket(150, 80)),
        steady("fixed 35 in 6.5 s", 250, fixed(35, 6.5)),
        steady("fixed 200 in 25 s", 900, fixed(200, 25)),
        steady("sliding 64 in 11 s", 400, seed -> HiddenLimiter.sliding(64, 11)),
        steady("counter 90 in 16 s", 400, seed -> HiddenLimiter.counter(90, 16, true)),
        inFlight(5),
        steady("fixed 40 in 9 s, shut 4 s", 300, seed -> HiddenLimiter.fixed(40, 9, -1, 4)),
        changing(
            "5/s and 130 in 40 s",
            400,
            seed ->
                HiddenLimiter.both(
                    HiddenLimiter.bucket(5, 20), HiddenLimiter.fixed(130, 40, -1, 0))));
  }

  /**
   * Whether nobody who is told nothing could be within a tenth of the least time: a burst of one
   * under jitter needs room between calls, and a penalty costs more than that the first time.
   */
  public boolean isBound() {
    return name.endsWith("burst 1") || name.contains("shut");
  }
}
