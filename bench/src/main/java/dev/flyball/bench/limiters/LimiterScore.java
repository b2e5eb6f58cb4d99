package dev.flyball.bench.limiters;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Medians of some runs of one client at one row, each number by itself; of what was lost or asked
 * twice, and of attempts that ended otherwise, the sum, because no run may have any.
 *
 * @param ratio × the least possible time
 * @param silence in seconds
 * @param stopped whether one of the runs was stopped, so that the time is too short
 */
public record LimiterScore(
    double ratio,
    double seconds,
    double refusals,
    double silence,
    int others,
    int unanswered,
    int twice,
    double inFlight,
    double load,
    boolean stopped) {

  public static LimiterScore of(LimiterRow row, List<ClientRun> runs) {
    double least = row.least().toNanos() / 1e9;
    double seconds = median(runs, run -> run.tally().seconds());
    return new LimiterScore(
        seconds / least,
        seconds,
        median(runs, run -> run.tally().refusals()),
        median(runs, run -> run.tally().silence()),
        runs.stream().mapToInt(run -> run.tally().others()).sum(),
        runs.stream().mapToInt(run -> run.tally().unanswered()).sum(),
        runs.stream().mapToInt(run -> run.tally().twice()).sum(),
        median(runs, run -> run.tally().inFlight()),
        median(runs, ClientRun::load),
        runs.stream().anyMatch(run -> run.tally().stopped()));
  }

  private static double median(List<ClientRun> all, ToDoubleFunction<ClientRun> of) {
    return all.stream().mapToDouble(of).sorted().skip(all.size() / 2).findFirst().orElse(0);
  }

  /** × the least possible time, with a mark if it would have been more. */
  public String times() {
    return "%s%.2f".formatted(stopped ? "> " : "", ratio);
  }

  @Override
  public String toString() {
    var text = "%s / %.0f / %.1f s".formatted(times(), refusals, silence);
    return unanswered == 0 ? text : text + " / lost " + unanswered;
  }
}
