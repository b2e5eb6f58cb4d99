package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.ModelRequest;
import dev.flyball.simulator.limit.Rejection;
import dev.flyball.simulator.setting.Fault;
import java.util.Map;
import java.util.TreeMap;

/** The counts behind {@link Stats}, as they grow. */
final class RequestCounts {
  private long invalid;
  private long requests;
  private long retries;
  private long admitted;
  private long answered;
  private long cut;
  private long inFlight;
  private long mostInFlight;
  private long input;
  private long output;
  private long cacheRead;
  private long cacheWritten;
  private final Map<String, Long> rejected = new TreeMap<>();
  private final Map<String, Long> faults = new TreeMap<>();

  void invalid() {
    invalid++;
  }

  void arrived(ModelRequest ask) {
    requests++;
    retries += ask.call().attempt() > 0 ? 1 : 0;
  }

  void admitted() {
    admitted++;
    inFlight++;
    mostInFlight = Math.max(mostInFlight, inFlight);
  }

  void rejected(Rejection why) {
    rejected.merge(why.word(), 1L, Long::sum);
  }

  void faulted(Fault fault) {
    faults.merge(fault.word(), 1L, Long::sum);
  }

  void answered(Serving serving) {
    inFlight--;
    answered++;
    if (serving.ask().metered()) {
      input += serving.split().fresh();
      cacheRead += serving.split().read();
      cacheWritten += serving.split().written();
      output += serving.produced();
    }
  }

  void cut() {
    inFlight--;
    cut++;
  }

  Stats stats() {
    return new Stats(
        invalid,
        requests,
        retries,
        admitted,
        answered,
        cut,
        inFlight,
        mostInFlight,
        new TokenTotals(input, output, cacheRead, cacheWritten),
        Map.copyOf(rejected),
        Map.copyOf(faults));
  }
}
