package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;
import dev.flyball.call.LearnedLimits.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The gauges of a lane, each in its place, and how likely each of them is before anything was seen.
 * Rates and lengths are many; where the line is, is no part of a gauge's shape and is read off it.
 * Some places are free for gauges that turn out to be needed: windows whose length was measured.
 */
final class Families {
  /** Windows are held to last so much longer: what is sent together does not arrive together. */
  static final double GUARD = 0.025;

  private static final double[] LENGTHS = {1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600};
  private static final double[] LIKELY = {3, 1, 2, 3, 1, 1, 2, 4, 1, 1, 0.5};
  private static final double ALL_LIKELY = Arrays.stream(LIKELY).sum();

  /** Lengths that nobody chooses but some have: one every few per cent. */
  private static final double[] ODD =
      DoubleStream.iterate(1.5, length -> length < 100, length -> 1.04 * length).toArray();

  private static final double ODD_SHARE = 0.1 / ODD.length;
  private static final double[] PENALTIES = {5, 10, 30, 60};
  private static final int PHASES = 12;
  private static final int FREE_SLIDING = 20;
  private static final int FREE_WINDOWS = 40;
  private static final int FREE_BUCKETS = 20;

  /** How likely each is at first, by its place. */
  final double[] prior;

  /** The rate of each bucket, by its place; 0 for all others. */
  final double[] rate;

  /** Which of them are shut for a time of their own by a call too many. */
  private final boolean[] punishes;

  /** How many of the first places have gauges that blur. */
  final int sliding;

  /** The place of the one gauge that counts what is in flight. */
  final int inFlight;

  /** All but the buckets, by their places; the buckets come after them. */
  private final Gauge[] gauges;

  private final LeakyBuckets buckets = new LeakyBuckets();
  private final FreePlaces freeSliding;
  private final FreePlaces freeWindows;
  private final FreePlaces freeBuckets;

  /**
   * A gauge for every explanation.
   *
   * @param record what sliding windows look back on
   * @param byTokens whether calls differ so much in size that it matters which is counted
   * @param stated what replies state, in calls a second; 0 if nothing
   */
  Families(SentCalls record, boolean byTokens, double stated) {
    var all = new ArrayList<Gauge>();
    var shares = new ArrayList<Double>();
    for (int i = 0; i < LENGTHS.length; i++) {
      double share = 0.12 * LIKELY[i] / ALL_LIKELY;
      add(all, shares, new SlidingWindow(LENGTHS[i] + GUARD, record, false), share);
      if (byTokens) {
        add(all, shares, new SlidingWindow(LENGTHS[i] + GUARD, record, true), 0.3 * share);
      }
    }
    for (double length : ODD) {
      add(all, shares, new SlidingWindow(length + GUARD, record, false), ODD_SHARE);
    }
    freeSliding = new FreePlaces(all.size(), FREE_SLIDING);
    for (int i = 0; i < FREE_SLIDING; i++) {
      add(all, shares, new SlidingWindow(1, record, false), 0);
    }
    sliding = all.size();
    for (int i = 0; i < LENGTHS.length; i++) {
      windows(all, shares, LENGTHS[i], LIKELY[i] / ALL_LIKELY, byTokens);
    }
    for (double length : ODD) {
      add(all, shares, new FixedWindow(length + GUARD, 0, false), ODD_SHARE);
    }
    freeWindows = new FreePlaces(all.size(), FREE_WINDOWS);
    for (int i = 0; i < FREE_WINDOWS; i++) {
      add(all, shares, new FixedWindow(1, 0, false), 0);
    }
    inFlight = all.size();
    add(all, shares, new CallsInFlight(), 0.11);
    gauges = all.toArray(Gauge[]::new);
    freeBuckets = buckets(shares, byTokens, stated);
    prior = shares.stream().mapToDouble(share -> share).toArray();
    rate = new double[prior.length];
    punishes = new boolean[prior.length];
    for (int i = 0; i < gauges.length; i++) {
      punishes[i] = punishes(gauges[i]);
    }
    for (int i = gauges.length; i < rate.length; i++) {
      rate[i] = buckets.rate(i - gauges.length);
    }
  }

  private static void add(List<Gauge> all, List<Double> shares, Gauge gauge, double share) {
    all.add(gauge);
    shares.add(share);
  }

  private static void windows(
      List<Gauge> all, List<Double> shares, double length, double likely, boolean byTokens) {
    add(all, shares, new FixedWindow(length + GUARD, 0, false), 0.12 * likely);
    if (byTokens) {
      add(all, shares, new FixedWindow(length + GUARD, 0, true), 0.04 * likely);
    }
    for (int k = 0; k < PHASES; k++) {
      double phase = length * k / PHASES;
      add(all, shares, new ClockWindow(length, phase, false), 0.12 * likely / PHASES);
    }
    add(all, shares, new FadingWindow(length, false), 0.03 * likely);
    add(all, shares, new FadingWindow(length, true), 0.03 * likely);
    if (length <= 60) {
      for (double penalty : PENALTIES) {
        var shut = new FixedWindow(length + GUARD, penalty + GUARD, false);
        add(all, shares, shut, 0.04 * likely / PENALTIES.length);
      }
    }
  }

  private FreePlaces buckets(List<Double> shares, boolean byTokens, double stated) {
    buckets.addAll(1.02, false, false);
    share(shares, 0.34);
    buckets.addAll(1.04, true, false);
    share(shares, 0.06);
    if (byTokens) {
      buckets.addAll(1.04, false, true);
      share(shares, 0.12);
    }
    if (stated > 0) {
      buckets.add(stated, false, false);
      share(shares, 0.5);
    }
    var free = new FreePlaces(gauges.length + buckets.count(), FREE_BUCKETS);
    for (int i = 0; i < FREE_BUCKETS; i++) {
      buckets.add(1, false, false);
    }
    share(shares, 0);
    return free;
  }

  /** Divides a share evenly among the buckets that have none yet. */
  private void share(List<Double> shares, double share) {
    int without = gauges.length + buckets.count() - shares.size();
    for (int i = 0; i < without; i++) {
      shares.add(share / without);
    }
  }

  int count() {
    return prior.length;
  }

  // ---- the gauges, by their places ----

  /** How much a call is for a gauge. */
  double size(int place, double tokens) {
    return inTokens(place) ? tokens : 1;
  }

  private boolean inTokens(int place) {
    return place < gauges.length
        ? gauges[place].inTokens()
        : buckets.inTokens(place - gauges.length);
  }

  boolean countsRefused(int place) {
    return place < gauges.length
        ? gauges[place].countsRefused()
        : buckets.countsRefused(place - gauges.length);
  }

  /** Sliding windows begin with a call that is in the record already. */
  void watchFrom(long call) {
    for (int i = 0; i < sliding; i++) {
      ((SlidingWindow) gauges[i]).beginAt(call);
    }
  }

  /** So many are in flight. */
  void inFlight(int count) {
    ((CallsInFlight) gauges[inFlight]).set(count);
  }

  /** A call goes: all gauges are read with it, and count it. */
  void charge(CallReadings call) {
    double now = call.sentAt();
    for (int i = 0; i < gauges.length; i++) {
      var gauge = gauges[i];
      double size = gauge.sizeOf(call.tokens());
      double blur = i < sliding ? gauge.blur(now) : 0;
      double shown = gauge.charge(now, size);
      call.shown[i] = (float) shown;
      if (i < sliding) {
        call.least[i] = (float) (shown - blur);
      }
    }
    buckets.charge(now, call.tokens(), call.shown, gauges.length);
  }

  /** A call does not count, but where refused ones do. */
  void undo(CallReadings call, double now) {
    for (var gauge : gauges) {
      if (!gauge.countsRefused()) {
        gauge.undo(call.sentAt(), gauge.sizeOf(call.tokens()), now);
      }
    }
    buckets.undo(call.tokens(), now);
  }

  /** When a gauge would let a call of that size pass, if its line were there. */
  double opensAt(int place, double now, double size, double line) {
    return place < gauges.length
        ? gauges[place].opensAt(now, size, line)
        : buckets.opensAt(place - gauges.length, now, size, line);
  }

  private static boolean punishes(Gauge gauge) {
    return gauge instanceof FixedWindow window && window.punishes();
  }

  /** For how long a call too many would shut a gauge now, in seconds. */
  double penalty(int place, double now) {
    return punishes[place] ? ((FixedWindow) gauges[place]).penalty(now) : 0;
  }

  /**
   * Whether a call of then may have been sent a little too early, though this gauge let it pass.
   */
  boolean mayBeEarly(int place, double sentAt) {
    return place < gauges.length && gauges[place].mayBeEarly(sentAt);
  }

  /** How fast what a gauge has counted fades away if it is at its line; 0 if it does not fade. */
  double fades(int place, double line) {
    return place < gauges.length && gauges[place] instanceof FadingWindow window
        ? window.fades(line)
        : 0;
  }

  LearnedLimits.Shape shape(int place) {
    return place < gauges.length ? gauges[place].shape() : buckets.shape(place - gauges.length);
  }

  // ---- gauges that come later ----

  /** Places that are taken in turn: the one that was taken longest ago is free again. */
  private static final class FreePlaces {
    private final int first;
    private final int count;
    private int taken;

    FreePlaces(int first, int count) {
      this.first = first;
      this.count = count;
    }

    int next() {
      return first + taken++ % count;
    }
  }

  /** The lengths that people choose, from one to the other. */
  static double[] usualLengths(double from, double to) {
    return Arrays.stream(LENGTHS).filter(length -> length > from && length < to).toArray();
  }

  /** How likely a window of a usual length is, among all windows of one kind. */
  static double likely(double length) {
    return 0.12 * LIKELY[Arrays.binarySearch(LENGTHS, length)] / ALL_LIKELY;
  }

  /** Gives a place to a window; returns it. */
  int seat(Gauge gauge, double share) {
    int place = (gauge instanceof SlidingWindow ? freeSliding : freeWindows).next();
    gauges[place] = gauge;
    punishes[place] = punishes(gauge);
    prior[place] = share;
    return place;
  }

  /** Gives a place to a bucket that is like another but for its rate; returns it. */
  int seatBucket(double perSecond, int like, double share) {
    return seatBucket(perSecond, countsRefused(like), inTokens(like), share);
  }

  private int seatBucket(double perSecond, boolean countsRefused, boolean byTokens, double share) {
    int place = freeBuckets.next();
    buckets.set(place - gauges.length, perSecond, countsRefused, byTokens);
    prior[place] = share;
    rate[place] = perSecond;
    return place;
  }

  /** So full is a bucket that came late. */
  void bucketLevel(int place, double level) {
    buckets.level(place - gauges.length, level);
  }

  /** The place of a gauge that an earlier run has believed in; it gets one if it has none. */
  int find(LearnedLimits.Shape shape, SentCalls record) {
    for (int i = 0; i < count(); i++) {
      if (prior[i] > 0 && alike(shape(i), shape)) {
        return i;
      }
    }
    double span = shape.span();
    if (shape.kind() == Kind.BUCKET) {
      return seatBucket(1 / span, shape.countsRefused(), shape.inTokens(), 0.001);
    }
    return seat(
        switch (shape.kind()) {
          case SLIDING_WINDOW -> new SlidingWindow(span, record, shape.inTokens());
          case PENALTY_WINDOW -> new FixedWindow(span, shape.extra(), shape.inTokens());
          case CLOCK_WINDOW -> new ClockWindow(span, shape.extra(), shape.inTokens());
          case FADING_WINDOW -> new FadingWindow(span, shape.countsRefused());
          case FIXED_WINDOW, BUCKET, IN_FLIGHT -> new FixedWindow(span, 0, shape.inTokens());
        },
        0.001);
  }

  private static boolean alike(LearnedLimits.Shape own, LearnedLimits.Shape other) {
    return own.kind() == other.kind()
        && own.countsRefused() == other.countsRefused()
        && own.inTokens() == other.inTokens()
        && Math.abs(own.span() - other.span()) <= 0.002 * other.span()
        && Math.abs(own.extra() - other.extra()) <= 0.002 * other.extra();
  }
}
