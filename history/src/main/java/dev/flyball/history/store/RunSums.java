package dev.flyball.history.store;

import dev.flyball.history.record.AttemptRecord;
import java.util.Comparator;

/** The sums over the answered attempts of one run with one model and one lens. */
final class RunSums {
  /** The run, model and lens that they share. */
  record Key(String model, String lens, long run) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::model).thenComparing(Key::lens).thenComparingLong(Key::run);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  long answered;
  long input;
  long estimatedInput;
  long output;
  long outputSquares;
  long latency;
  long latencySquares;
  long latencyTimesOutput;
  long mostOutput;
  long maxOutput;

  void add(AttemptRecord attempt) {
    var usage = attempt.usage();
    long millis = attempt.latency().toMillis();
    answered++;
    input += usage.input() + usage.cacheRead() + usage.cacheWrite();
    estimatedInput += attempt.call().estimatedInput();
    output += usage.output();
    outputSquares += usage.output() * usage.output();
    latency += millis;
    latencySquares += millis * millis;
    latencyTimesOutput += millis * usage.output();
    mostOutput = Math.max(mostOutput, usage.output());
    maxOutput += attempt.call().maxOutput();
  }
}
