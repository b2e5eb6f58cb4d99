package dev.flyball.bench;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Event;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.NextStep;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * The cost of one attempt beyond the attempt itself: {@link Flyball#admit} and {@code settle}.
 * Every lane has sighted allowances of requests, input and output tokens, so pacing is reckoned
 * each time; they are too large ever to bind.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class AdmitAndSettle {
  private static final long PLENTY = 100_000_000_000_000L;
  private static final Usage USAGE = Usage.of(570, 400);
  private static final Reply<String> PLAIN = Reply.answered("answer", USAGE);
  private static final Reply<String> SIGHTED =
      Reply.answered(
          "answer",
          USAGE,
          Signals.of(
              Sighting.of(REQUESTS, PLENTY, PLENTY).resetIn(Duration.ZERO).at(Snapshot.ADMISSION),
              Sighting.of(INPUT_TOKENS, PLENTY, PLENTY).resetIn(Duration.ZERO).at(Snapshot.HEADERS),
              Sighting.of(OUTPUT_TOKENS, PLENTY, PLENTY)
                  .resetIn(Duration.ZERO)
                  .at(Snapshot.HEADERS)));

  private static Call call(String lane) {
    return Call.to(LaneId.of("bench", lane)).estimated(Estimate.of(570, 800));
  }

  private static NextStep<String> once(Flyball flyball, Call call, Reply<String> reply)
      throws InterruptedException {
    return switch (flyball.<String>admit(call)) {
      case Admission.Granted<String>(var permit) -> permit.settle(reply);
      case Admission.Refused<String>(var refused) -> throw new IllegalStateException("" + refused);
    };
  }

  /** Past the cold start: the limits are sighted, and all 512 slots are open. */
  private static Call open(Flyball flyball, String lane) throws InterruptedException {
    var call = call(lane);
    once(flyball, call, SIGHTED);
    for (var opened : flyball.snapshot().lanes()) {
      if (opened.slots() != 512 || opened.gauges().size() != 3) {
        throw new IllegalStateException("a cold lane would be measured: " + opened);
      }
    }
    return call;
  }

  /** One lane for all threads. */
  @State(Scope.Benchmark)
  public static class OneLane {
    final Flyball flyball = Flyball.create();
    Call call = call("one");

    @Setup
    public void open() throws InterruptedException {
      call = AdmitAndSettle.open(flyball, "one");
    }
  }

  /** One scheduler for all threads. */
  @State(Scope.Benchmark)
  public static class Shared {
    final Flyball flyball = Flyball.create();
  }

  /** A lane for each thread. */
  @State(Scope.Thread)
  public static class OwnLane {
    Call call = call("own");

    @Setup
    public void open(Shared shared, ThreadParams thread) throws InterruptedException {
      call = AdmitAndSettle.open(shared.flyball, "own-" + thread.getThreadIndex());
    }
  }

  /** One lane whose events somebody counts. */
  @State(Scope.Benchmark)
  public static class HeardLane {
    final LongAdder heard = new LongAdder();
    final Flyball flyball = Flyball.builder().listener(this::count).build();
    Call call = call("heard");

    private void count(Event event) {
      heard.increment();
    }

    @Setup
    public void open() throws InterruptedException {
      call = AdmitAndSettle.open(flyball, "heard");
    }
  }

  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  public NextStep<String> uncontended(OneLane lane) throws InterruptedException {
    return once(lane.flyball, lane.call, PLAIN);
  }

  /** Each reply tells all three levels, as replies with full headers do. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  public NextStep<String> uncontendedSighting(OneLane lane) throws InterruptedException {
    return once(lane.flyball, lane.call, SIGHTED);
  }

  @Benchmark
  public NextStep<String> uncontendedHeard(HeardLane lane) throws InterruptedException {
    return once(lane.flyball, lane.call, PLAIN);
  }

  @Benchmark
  @Threads(16)
  public NextStep<String> sixteenThreadsOneLane(OneLane lane) throws InterruptedException {
    return once(lane.flyball, lane.call, PLAIN);
  }

  @Benchmark
  @Threads(16)
  public NextStep<String> sixteenThreadsSixteenLanes(Shared shared, OwnLane lane)
      throws InterruptedException {
    return once(shared.flyball, lane.call, PLAIN);
  }
}
