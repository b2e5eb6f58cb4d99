package dev.flyball.bench;

import dev.flyball.worlds.FeltLane;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The heap that a lane takes whose limit is felt, and the processor's time of an attempt at it,
 * beside one that has nothing to feel. Unlike the time on the clock ({@link FeltAdmission}), both
 * can be had on a machine that has other things to do.
 */
final class FeltHeap {
  private static final int LANES = 100;
  private static final int WARM = 20_000;
  private static final int ATTEMPTS = 50_000;

  private FeltHeap() {}

  static Optional<BenchReport> run(String[] args) {
    int lanes = args.length == 0 ? LANES : Integer.parseInt(args[0]);
    long plain = bytesEach(FeltLane.Kind.NOTHING, lanes);
    double quick = microsEach(FeltLane.Kind.NOTHING);
    var rows = new ArrayList<List<String>>();
    for (var kind : FeltLane.Kind.values()) {
      long bytes = bytesEach(kind, lanes);
      rows.add(
          List.of(
              kind.toString(),
              String.format("%,d", bytes >> 10),
              String.format("%,d", Math.max(0, bytes - plain) >> 10),
              String.format("%.1f", Math.max(0, microsEach(kind) - quick))));
    }
    return Optional.of(
        new BenchReport("Lanes whose limits are felt")
            .say(
                """
                %d lanes of each kind, each with a scheduler of its own, 64 waiting calls and 500 \
                attempts behind it; heap in use after a collection, divided by their number. \
                *more*: than a lane of which nothing was ever turned away. Target: at most 512 KiB \
                more, and 20 µs more of the processor for an attempt (mean of %,d, admission to \
                settling, after %,d to warm up; in one with nothing to feel it takes %.1f, the \
                limiter and the virtual clock among it).\
                """
                    .formatted(lanes, ATTEMPTS, WARM, quick))
            .table(List.of("limiter", "KiB a lane", "KiB more", "µs more"), rows));
  }

  private static long bytesEach(FeltLane.Kind kind, int lanes) {
    FeltAdmission.felt(kind);
    long before = heap();
    var held = new ArrayList<FeltLane>();
    for (int i = 0; i < lanes; i++) {
      held.add(FeltAdmission.felt(kind));
    }
    long bytes = heap() - before;
    // They are held until here.
    return held.isEmpty() ? 0 : bytes / held.size();
  }

  private static double microsEach(FeltLane.Kind kind) {
    var threads = ManagementFactory.getThreadMXBean();
    var lane = FeltAdmission.felt(kind);
    for (int i = 0; i < WARM; i++) {
      lane.settleOne();
    }
    long before = threads.getCurrentThreadCpuTime();
    for (int i = 0; i < ATTEMPTS; i++) {
      lane.settleOne();
    }
    return (threads.getCurrentThreadCpuTime() - before) / 1e3 / ATTEMPTS;
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
