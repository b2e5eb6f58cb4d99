package dev.flyball.fleet.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** How many workers there are, over a day of virtual time. */
class LittlesLawTest {
  private static final double HOUR = 3_600;
  private static final double DAY = 24 * HOUR;
  private static final double RECOUNT = 5;

  /**
   * A queue with workers, as a list of events. It has its own books: how many were there at each
   * moment, and for how long, is counted here and not asked of what is tested.
   */
  private static final class Day {
    private final Random random;
    private final DoubleUnaryOperator arrivals;
    private final double service;
    private final OptionalDouble admission;
    private final ArrayDeque<Double> waiting = new ArrayDeque<>();
    private final PriorityQueue<double[]> working =
        new PriorityQueue<>((one, other) -> Double.compare(one[0], other[0]));
    private final List<long[]> minutes = new ArrayList<>();
    private int workers = 1;
    private double now;

    /** Of a half hour: seconds that entries were there, and that workers were. */
    private final double[] there = new double[48];

    private final double[] kept = new double[48];
    private final double[] came = new double[48];
    private double longest;

    /**
     * A day.
     *
     * @param arrivals a second, at a moment of the day
     * @param service seconds, on average
     */
    Day(long seed, DoubleUnaryOperator arrivals, double service, OptionalDouble admission) {
      this.random = new Random(seed);
      this.arrivals = arrivals;
      this.service = service;
      this.admission = admission;
    }

    private double pause(double rate) {
      return -Math.log(1 - random.nextDouble()) / rate;
    }

    void run(int pile) {
      for (int i = 0; i < pile; i++) {
        arrive();
      }
      double next = pause(arrivals.applyAsDouble(0));
      double recount = 0;
      while (now < DAY) {
        double end = working.isEmpty() ? Double.MAX_VALUE : working.peek()[0];
        double then = Math.min(Math.min(next, recount), Math.min(end, DAY));
        pass(then - now);
        now = then;
        if (now >= recount) {
          workers = LittlesLaw.of(flow(), admission, 1_000).workers();
          recount += RECOUNT;
        }
        if (now >= next) {
          arrive();
          next = now + pause(arrivals.applyAsDouble(now));
        }
        if (now >= end) {
          var done = working.remove();
          minute()[1]++;
          minute()[2] += (long) ((now - done[1]) * 1e3);
          minute()[3] += (long) ((now - done[2]) * 1e3);
          longest = Math.max(longest, now - done[1]);
        }
        while (working.size() < workers && !waiting.isEmpty()) {
          double took = service * (0.5 + random.nextDouble());
          working.add(new double[] {now + took, waiting.remove(), now});
        }
      }
    }

    private void arrive() {
      waiting.add(now);
      minute()[0]++;
      came[(int) Math.min(47, now / HOUR * 2)]++;
    }

    private void pass(double seconds) {
      int half = (int) Math.min(47, now / HOUR * 2);
      there[half] += seconds * (waiting.size() + working.size());
      kept[half] += seconds * workers;
    }

    private long[] minute() {
      while (minutes.size() <= (int) (now / 60)) {
        minutes.add(new long[4]);
      }
      return minutes.get((int) (now / 60));
    }

    /** As the queue tells it. */
    private QueueFlow flow() {
      var shown = new ArrayList<QueueFigures.Minute>();
      int current = (int) (now / 60);
      for (int ago = 0; ago < 60 && current - ago >= 0; ago++) {
        if (current - ago < minutes.size()) {
          var sums = minutes.get(current - ago);
          if (sums[0] + sums[1] > 0) {
            shown.add(
                new QueueFigures.Minute(
                    ago, sums[0], sums[1], Duration.ofMillis(sums[2]), Duration.ofMillis(sums[3])));
          }
        }
      }
      return QueueFlow.of(
          shown,
          Duration.ofNanos((long) ((now - current * 60.0) * 1e9)),
          waiting.size(),
          working.size());
    }
  }

  @Test
  void over_a_day_there_are_within_one_as_many_workers_as_littles_law_asks() {
    for (long seed = 1; seed <= 5; seed++) {
      // A night of one every two minutes, a noon of one in two seconds.
      DoubleUnaryOperator arrivals =
          now -> 0.008 + 0.5 * Math.max(0, Math.sin((now / HOUR - 6) / 12 * Math.PI));
      var day = new Day(seed, arrivals, 30, OptionalDouble.empty());
      day.run(0);
      for (int half = 0; half < 48; half++) {
        // How many were there, on average, is arrivals times time in the system: that is the law.
        double asked = day.there[half] / (HOUR / 2);
        double kept = day.kept[half] / (HOUR / 2);
        assertThat(kept)
            .as("seed %d, half hour %d, %.3f a second", seed, half, day.came[half] / HOUR * 2)
            .isBetween(asked - 1, asked + 1.0);
      }
    }
  }

  @Test
  void a_pile_has_as_many_workers_as_the_limits_let_in_until_it_is_gone() {
    var day = new Day(7, now -> 0.001, 10, OptionalDouble.of(20));
    day.run(2_000);
    // 2,000 x 10 s by 20 workers is 1,000 s.
    assertThat(day.longest).isBetween(950.0, 1_100.0);
    assertThat(day.kept[24] / (HOUR / 2)).as("at noon").isBetween(1.0, 1.2);
  }

  @Test
  void it_says_why() {
    var flow =
        new QueueFlow(
            0.5, Optional.of(Duration.ofSeconds(30)), Optional.of(Duration.ofSeconds(28)), 1, 14);
    assertThat(LittlesLaw.of(flow, OptionalDouble.empty(), 100))
        .isEqualTo(new LittlesLaw(15, "0.500 a second x 30.0 s in the system"));
    assertThat(LittlesLaw.of(flow, OptionalDouble.of(9.2), 100))
        .isEqualTo(
            new LittlesLaw(
                10,
                "0.500 a second x 30.0 s in the system; but the provider's limits keep no more"
                    + " than 10 busy"));
    assertThat(LittlesLaw.of(flow, OptionalDouble.empty(), 4).why()).endsWith("; but at most 4");
    var first = new QueueFlow(3, Optional.empty(), Optional.empty(), 180, 0);
    assertThat(LittlesLaw.of(first, OptionalDouble.empty(), 1_000))
        .isEqualTo(
            new LittlesLaw(180, "none has ended yet, so one for each of the 180 that are there"));
  }

  @Test
  void processes_keep_it_together() {
    var law = new LittlesLaw(10, "");
    assertThat(List.of(law.share(0, 4), law.share(1, 4), law.share(2, 4), law.share(3, 4)))
        .containsExactly(3, 3, 2, 2);
    assertThat(new LittlesLaw(1, "").share(3, 4)).as("each has one that looks").isEqualTo(1);
  }
}
