package dev.flyball.bench;

import dev.flyball.worlds.FeltLane;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of one attempt where a limit is only felt: admission, the limiter, settling and the
 * virtual clock between them. {@code NOTHING} is the same without anything to feel, so what is more
 * than that is the cost of the gauges.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class FeltAdmission {
  private static final int BEFORE = 500;

  /** A lane whose limit was felt, unless there is none. */
  @State(Scope.Benchmark)
  public static class Felt {
    @Param({"NOTHING", "BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW", "COUNTER", "IN_FLIGHT"})
    FeltLane.Kind kind = FeltLane.Kind.NOTHING;

    FeltLane lane = new FeltLane(kind);

    @Setup
    public void feel() {
      lane = felt(kind);
    }
  }

  /** A lane past its first refusals. */
  static FeltLane felt(FeltLane.Kind kind) {
    var lane = new FeltLane(kind);
    for (int i = 0; i < BEFORE; i++) {
      lane.settleOne();
    }
    if (lane.refused() == 0 != (kind == FeltLane.Kind.NOTHING)) {
      throw new IllegalStateException(kind + " was refused " + lane.refused() + " times");
    }
    return lane;
  }

  @Benchmark
  public long feltAttempt(Felt felt) {
    felt.lane.settleOne();
    return felt.lane.refused();
  }
}
