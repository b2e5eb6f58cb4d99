package dev.flyball.bench.limiters;

import dev.flyball.bench.limiters.TapRecord.Exchange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a run came to, as seen on the wire.
 *
 * @param seconds from the first request to the last answer; of a run that was stopped before, to
 *     its end
 * @param refusals replies of 429, 503 and 403
 * @param others attempts that ended neither with an answer nor with a refusal
 * @param silence the longest time without a new request while there was something to ask, in
 *     seconds
 * @param unanswered calls without an answer
 * @param twice answers to calls that had one already
 * @param inFlight most at one time
 * @param stopped whether it was stopped because it took too long
 */
public record RunTally(
    double seconds,
    int refusals,
    int others,
    double silence,
    int unanswered,
    int twice,
    int inFlight,
    boolean stopped) {
  private static final int ANSWERED = 200;
  private static final Set<Integer> REFUSED = Set.of(429, 503, 403);

  /** A request begins, or it ends. */
  private record Moment(long at, Exchange of, boolean begins) {}

  /**
   * Counts.
   *
   * @param end of the run, on the clock of the exchanges
   */
  static RunTally of(List<Exchange> exchanges, int calls, long end, boolean stopped) {
    if (exchanges.isEmpty()) {
      return new RunTally(0, 0, 0, 0, calls, 0, 0, stopped);
    }
    Set<Integer> answered = new HashSet<>();
    int refusals = 0;
    int others = 0;
    int answers = 0;
    long last = exchanges.getFirst().sent();
    for (var each : exchanges) {
      if (each.status() == ANSWERED) {
        answers++;
        answered.add(each.call());
        last = Math.max(last, each.ended());
      } else if (REFUSED.contains(each.status())) {
        refusals++;
      } else {
        others++;
      }
    }
    int unanswered = calls - answered.size();
    var sweep = new Sweep(calls, exchanges, unanswered == 0 ? last : end);
    return new RunTally(
        ((stopped && unanswered > 0 ? end : last) - exchanges.getFirst().sent()) / 1e9,
        refusals,
        others,
        sweep.silence / 1e9,
        unanswered,
        answers - answered.size(),
        sweep.most,
        stopped && unanswered > 0);
  }

  /** The same, if the client itself has no more than so many answers. */
  RunTally having(int answers, int calls) {
    return new RunTally(
        seconds,
        refusals,
        others,
        silence,
        Math.max(unanswered, calls - answers),
        twice,
        inFlight,
        stopped);
  }

  /** Goes through the moments of a run, one after the other. */
  private static final class Sweep {
    private int unsent;
    private int inFlight;
    private int most;
    private long quietSince;
    private long silence;

    Sweep(int calls, List<Exchange> exchanges, long end) {
      unsent = calls;
      quietSince = exchanges.getFirst().sent();
      moments(exchanges, end).forEach(this::pass);
      quiet(end);
    }

    private static List<Moment> moments(List<Exchange> exchanges, long end) {
      var moments = new ArrayList<Moment>();
      for (var each : exchanges) {
        moments.add(new Moment(each.sent(), each, true));
        if (each.status() != TapRecord.OPEN) {
          moments.add(new Moment(each.ended(), each, false));
        }
      }
      return moments.stream()
          .filter(moment -> moment.at() <= end)
          .sorted(Comparator.comparingLong(Moment::at).thenComparing(Moment::begins))
          .toList();
    }

    private void pass(Moment moment) {
      if (moment.begins()) {
        quiet(moment.at());
        quietSince = moment.at();
        unsent--;
        inFlight++;
        most = Math.max(most, inFlight);
      } else {
        inFlight--;
        if (moment.of().status() != ANSWERED) {
          if (unsent <= 0) {
            quietSince = moment.at();
          }
          unsent++;
        }
      }
    }

    private void quiet(long until) {
      if (unsent > 0) {
        silence = Math.max(silence, until - quietSince);
      }
    }
  }
}
