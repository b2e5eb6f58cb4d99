package dev.flyball.worlds;

import dev.flyball.call.LearnedLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Cases × latencies, each over some seeds: the median and the worst. */
public final class UnstatedTable {
  /**
   * One cell.
   *
   * @param tooSilent by how many seconds the longest silence was longer than the limiter's own
   */
  public record Cell(
      UnstatedCase test,
      double latency,
      double ratio,
      double worst,
      int refused,
      int mostRefused,
      boolean allAnswered,
      double tooSilent) {
    /** As a table shows it. */
    public String text() {
      return String.format(Locale.ROOT, "%.2f / %.2f, %d / %d", ratio, worst, refused, mostRefused);
    }
  }

  private UnstatedTable() {}

  /**
   * Runs one cell.
   *
   * @param remembering whether it is the second run that counts
   */
  public static Cell cell(
      UnstatedCase test,
      double latency,
      UnstatedWorld.Refusal refusal,
      boolean remembering,
      List<Long> seeds) {
    var ratios = new ArrayList<Double>();
    var refusals = new ArrayList<Integer>();
    boolean all = true;
    double tooSilent = Double.NEGATIVE_INFINITY;
    for (long seed : seeds) {
      var result = UnstatedWorld.run(test, latency, refusal, seed, LearnedLimits.NONE);
      if (remembering) {
        result = UnstatedWorld.run(test, latency, refusal, seed, seed + 1000, result.learned());
      }
      ratios.add(result.ratio());
      refusals.add(result.refused());
      all &= result.answered() == test.calls(latency);
      tooSilent = Math.max(tooSilent, result.silence() - result.allowedSilence());
    }
    Collections.sort(ratios);
    Collections.sort(refusals);
    int middle = seeds.size() / 2;
    return new Cell(
        test,
        latency,
        ratios.get(middle),
        ratios.getLast(),
        refusals.get(middle),
        refusals.getLast(),
        all,
        tooSilent);
  }
}
