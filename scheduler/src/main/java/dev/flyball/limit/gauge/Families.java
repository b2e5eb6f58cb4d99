package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The gauges that have a seat from the beginning, and how likely each of them is before anything
 * was seen. Rates and lengths are many; where the line is, is no part of a gauge's shape and is
 * read off it. Some seats are left free for windows whose length was measured.
 */
final class Families {
  /** Windows are held to last so much longer: what is sent together does not arrive together. */
  static final double GUARD = 0.025;

  private static final double[] LENGTHS = {1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600};
  private static final double[] LIKELY = {3, 1, 2, 3, 1, 1, 2, 4, 1, 1, 0.5};

  /** Lengths that nobody chooses but some have: one every few per cent. */
  private static final double[] ODD =
      java.util.stream.DoubleStream.iterate(1.5, length -> length < 100, length -> 1.04 * length)
          .toArray();

  private static final double[] PENALTIES = {5, 10, 30, 60};
  private static final int PHASES = 12;
  private static final double SLOWEST = 0.02;
  private static final double FASTEST = 1000;
  private static final double RATE_STEP = 1.02;
  private static final double COARSE_STEP = 1.04;
  private static final int FREE_SLIDING = 12;
  private static final int FREE = 28;

  final Gauge[] gauges;
  final double[] prior;

  /** The rate of each bucket; 0 for all others. */
  final double[] rate;

  /** How many of the first gauges blur. */
  final int sliding;

  /** The place of the one gauge that counts what is in flight. */
  final int inFlight;

  private final int firstFree;
  private int nextSliding;
  private int nextFree;

  /**
   * A gauge for every explanation.
   *
   * @param record what sliding windows look back on
   * @param byTokens whether calls differ so much in size that it matters which is counted
   * @param stated what replies state, in calls a second; 0 if nothing
   */
  Families(SentCalls record, boolean byTokens, double stated) {
    var seats = new Seats();
    double all = Arrays.stream(LIKELY).sum();
    for (int i = 0; i < LENGTHS.length; i++) {
      double share = 0.12 * LIKELY[i] / all;
      seats.add(new SlidingWindow(LENGTHS[i] + GUARD, record, false), share);
      if (byTokens) {
        seats.add(new SlidingWindow(LENGTHS[i] + GUARD, record, true), 0.3 * share);
      }
    }
    for (double length : ODD) {
      seats.add(new SlidingWindow(length + GUARD, record, false), 0.04 / ODD.length);
    }
    nextSliding = seats.gauges.size();
    for (int i = 0; i < FREE_SLIDING; i++) {
      seats.add(new SlidingWindow(1, record, false), 0);
    }
    sliding = seats.gauges.size();
    for (int i = 0; i < LENGTHS.length; i++) {
      windows(seats, LENGTHS[i], LIKELY[i] / all, byTokens);
    }
    for (double length : ODD) {
      seats.add(new FixedWindow(length + GUARD, 0, false), 0.04 / ODD.length);
    }
    inFlight = seats.gauges.size();
    seats.add(new CallsInFlight(), 0.11);
    buckets(seats, RATE_STEP, 0.34, false, false);
    buckets(seats, COARSE_STEP, 0.06, true, false);
    if (byTokens) {
      buckets(seats, COARSE_STEP, 0.12, false, true);
    }
    if (stated > 0) {
      seats.add(new LeakyBucket(stated, false, false), 0.5);
    }
    firstFree = seats.gauges.size();
    nextFree = firstFree;
    for (int i = 0; i < FREE; i++) {
      seats.add(new FixedWindow(1, 0, false), 0);
    }
    gauges = seats.gauges.toArray(Gauge[]::new);
    prior = seats.prior.stream().mapToDouble(share -> share).toArray();
    rate = new double[gauges.length];
    for (int i = 0; i < gauges.length; i++) {
      rate[i] = gauges[i] instanceof LeakyBucket bucket ? bucket.rate() : 0;
    }
  }

  private static final class Seats {
    final List<Gauge> gauges = new ArrayList<>();
    final List<Double> prior = new ArrayList<>();

    void add(Gauge gauge, double share) {
      gauges.add(gauge);
      prior.add(share);
    }
  }

  private static void windows(Seats seats, double length, double likely, boolean byTokens) {
    seats.add(new FixedWindow(length + GUARD, 0, false), 0.12 * likely);
    if (byTokens) {
      seats.add(new FixedWindow(length + GUARD, 0, true), 0.04 * likely);
    }
    for (int k = 0; k < PHASES; k++) {
      double phase = length * k / PHASES;
      seats.add(new ClockWindow(length, phase, false), 0.12 * likely / PHASES);
    }
    seats.add(new FadingWindow(length, false), 0.03 * likely);
    seats.add(new FadingWindow(length, true), 0.03 * likely);
    if (length <= 60) {
      for (double penalty : PENALTIES) {
        var shut = new FixedWindow(length + GUARD, penalty + GUARD, false);
        seats.add(shut, 0.04 * likely / PENALTIES.length);
      }
    }
  }

  private static void buckets(
      Seats seats, double step, double share, boolean countsRefused, boolean inTokens) {
    int count = (int) (Math.log(FASTEST / SLOWEST) / Math.log(step)) + 1;
    for (int i = 0; i < count; i++) {
      double rate = SLOWEST * Math.pow(step, i);
      seats.add(new LeakyBucket(rate, countsRefused, inTokens), share / count);
    }
  }

  /** The lengths that people choose, from one to the other. */
  static double[] usualLengths(double from, double to) {
    return Arrays.stream(LENGTHS).filter(length -> length > from && length < to).toArray();
  }

  /** How likely a window of a usual length is, among all windows of one kind. */
  static double likely(double length) {
    int place = Arrays.binarySearch(LENGTHS, length);
    return place < 0 ? 0.02 : 0.12 * LIKELY[place] / Arrays.stream(LIKELY).sum();
  }

  /** Gives a free seat to a gauge, or that of the one that came longest ago; returns its place. */
  int seat(Gauge gauge, double share) {
    boolean slides = gauge instanceof SlidingWindow;
    int place = slides ? nextSliding++ : nextFree++;
    if (nextSliding == sliding) {
      nextSliding = sliding - FREE_SLIDING;
    }
    if (nextFree == gauges.length) {
      nextFree = firstFree;
    }
    gauges[place] = gauge;
    prior[place] = share;
    rate[place] = gauge instanceof LeakyBucket bucket ? bucket.rate() : 0;
    return place;
  }

  /** The place of a gauge that an earlier run has believed in; it gets a seat if it has none. */
  int find(LearnedLimits.Shape shape, SentCalls record) {
    for (int i = 0; i < gauges.length; i++) {
      var own = gauges[i].shape();
      boolean same =
          own.kind() == shape.kind()
              && own.countsRefused() == shape.countsRefused()
              && own.inTokens() == shape.inTokens()
              && Math.abs(own.span() - shape.span()) <= 0.002 * shape.span()
              && Math.abs(own.extra() - shape.extra()) <= 0.002 * shape.extra();
      if (same && prior[i] > 0) {
        return i;
      }
    }
    double span = shape.span();
    var gauge =
        switch (shape.kind()) {
          case BUCKET -> new LeakyBucket(1 / span, shape.countsRefused(), shape.inTokens());
          case SLIDING_WINDOW -> new SlidingWindow(span, record, shape.inTokens());
          case FIXED_WINDOW -> new FixedWindow(span, 0, shape.inTokens());
          case PENALTY_WINDOW -> new FixedWindow(span, shape.extra(), shape.inTokens());
          case CLOCK_WINDOW -> new ClockWindow(span, shape.extra(), shape.inTokens());
          case FADING_WINDOW -> new FadingWindow(span, shape.countsRefused());
          case IN_FLIGHT -> new CallsInFlight();
        };
    return seat(gauge, 0.001);
  }
}
