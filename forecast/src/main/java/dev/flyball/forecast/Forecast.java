package dev.flyball.forecast;

import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.LeastTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The forecast of what a plan will take and use.
 *
 * <p>The plan is rehearsed: the real scheduler runs it in virtual time, several times, against
 * virtual providers that keep the limits they are assumed to have. The rehearsals differ in their
 * random numbers and, where the length of answers is only guessed or a limit was only felt, in how
 * far that is off: from the tenth part of possible worlds to the ninth. The median of them is the
 * forecast. Of few calls each weighs much, and chance with it: these are rehearsed in several
 * rounds.
 *
 * <p>Of a very long plan only so many calls are rehearsed as are needed to leave the first burst
 * behind; how much longer than the least possible these took holds for the rest too.
 *
 * @param least what no scheduler could go below, if the limits are as assumed; never above the
 *     median
 * @param median half of the rehearsals took at most this
 * @param ninth nine of ten did
 * @param usage expected tokens, by model
 * @param throttled how often providers would turn calls away, in the median rehearsal
 * @param unanswered how many calls would have no answer: what is larger than a limit
 */
public record Forecast(
    Duration least,
    Duration median,
    Duration ninth,
    Map<String, Usage> usage,
    Optional<Binding> binding,
    long throttled,
    long unanswered) {

  /** Nothing is faster than the least there can be, whatever the rehearsals were. */
  public Forecast {
    median = median.compareTo(least) < 0 ? least : median;
    ninth = ninth.compareTo(median) < 0 ? median : ninth;
  }

  /**
   * The limit that holds a plan back most.
   *
   * @param what in words: "output tokens"
   * @param limit how much of it there is in a period, where it is stated
   * @param held how much of the time the next call waits for it
   * @param saved how much less time it would take with twice as much of it
   */
  public record Binding(
      LaneId lane,
      String what,
      Optional<AssumedLimits.Limit> limit,
      Duration held,
      Duration saved) {}

  private static final double[] DOUBTS = {-1.2816, -0.5244, 0, 0.5244, 1.2816};
  private static final int MEDIAN = DOUBTS.length / 2;
  private static final int SAMPLES = 200;
  private static final int LEAST_REHEARSED = 2_000;
  private static final int MOST_REHEARSED = 40_000;
  private static final double BURSTS = 4;
  private static final int MOST_ROUNDS = 15;
  private static final int CALLS_OF_ROUNDS = 400;

  /** A limit that could be raised, and the conditions if it were. */
  private record Raise(Optional<AssumedLimits.Limit> limit, ForecastConditions conditions) {}

  public static Forecast of(CallPlan plan, ForecastConditions conditions, long seed) {
    return of(plan, conditions, seed, IntStream::sequential);
  }

  /** The same on all cores, for those who wait for it. */
  public static Forecast atOnce(CallPlan plan, ForecastConditions conditions, long seed) {
    return of(plan, conditions, seed, IntStream::parallel);
  }

  private static Forecast of(
      CallPlan plan, ForecastConditions conditions, long seed, UnaryOperator<IntStream> threads) {
    if (plan.calls().isEmpty()) {
      return new Forecast(
          Duration.ZERO, Duration.ZERO, Duration.ZERO, Map.of(), Optional.empty(), 0, 0);
    }
    var rehearsed = plan.thinned(enough(plan, conditions));
    var sample = new CallPlan(rehearsed.calls(), rehearsed.calls().size());
    double leastTypical = least(sample, conditions, typical(sample, conditions), 1);
    int rounds = Math.clamp(CALLS_OF_ROUNDS / sample.calls().size(), 1, MOST_ROUNDS);
    var results =
        threads
            .apply(IntStream.range(0, rounds * DOUBTS.length))
            .mapToObj(
                i -> {
                  double interval = i == MEDIAN ? Math.max(leastTypical / SAMPLES, 1e-3) : 0;
                  double doubt = DOUBTS[i % DOUBTS.length];
                  return new Rehearsal(sample, conditions, seed + i, doubt, interval).run();
                })
            .toList();
    var middle = results.get(MEDIAN);
    var seconds = seconds(results);
    double leastOfAll = least(sample, conditions, middle.outputs(), rehearsed.scale());
    double leastOfSample = least(sample, conditions, middle.outputs(), 1);
    double longer = leastOfSample > 0 ? leastOfAll / leastOfSample : 1;
    var binding = binding(middle, sample, conditions, seed, middle.seconds(), longer);
    // Whatever a rehearsal made of it, less of a limit costs at least what it must.
    var worse = conditions.doubted(DOUBTS[DOUBTS.length - 1]);
    double dearer = least(sample, worse, middle.outputs(), rehearsed.scale()) - leastOfAll;
    double ninth = Math.max(seconds[DOUBTS.length - 1], seconds[MEDIAN] + dearer / longer);
    return new Forecast(
        duration(Math.min(leastOfAll, seconds[MEDIAN] * longer)),
        duration(seconds[MEDIAN] * longer),
        duration(ninth * longer),
        scaled(usage(results), rehearsed.scale() / rounds),
        binding,
        Math.round(middle.throttled() * longer),
        Math.round(middle.unanswered() * rehearsed.scale()));
  }

  /** By how far off guesses are: of each round in order, of all rounds the median. */
  private static double[] seconds(List<Rehearsal.Result> results) {
    var rounds = new ArrayList<double[]>();
    for (int i = 0; i < results.size(); i += DOUBTS.length) {
      rounds.add(
          results.subList(i, i + DOUBTS.length).stream()
              .mapToDouble(Rehearsal.Result::seconds)
              .sorted()
              .toArray());
    }
    return IntStream.range(0, DOUBTS.length)
        .mapToDouble(
            i -> {
              var ofRank = rounds.stream().mapToDouble(round -> round[i]).sorted().toArray();
              return ofRank[ofRank.length / 2];
            })
        .toArray();
  }

  /** What all rounds use where no guess is off. */
  private static Map<String, Usage> usage(List<Rehearsal.Result> results) {
    var sum = new LinkedHashMap<String, Usage>();
    for (int i = MEDIAN; i < results.size(); i += DOUBTS.length) {
      results.get(i).usage().forEach((model, used) -> sum.merge(model, used, Usage::plus));
    }
    return sum;
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private static Map<String, Usage> scaled(Map<String, Usage> usage, double factor) {
    var all = new LinkedHashMap<String, Usage>();
    usage.forEach(
        (model, used) ->
            all.put(
                model,
                new Usage(
                    Math.round(used.input() * factor),
                    Math.round(used.cacheRead() * factor),
                    Math.round(used.cacheWrite() * factor),
                    Math.round(used.output() * factor),
                    used.cost())));
    return all;
  }

  /** So many calls that no limit's first burst is more than a part of them. */
  private static int enough(CallPlan plan, ForecastConditions conditions) {
    double most = LEAST_REHEARSED;
    for (var assumed : conditions.lanes().values()) {
      for (var limit : assumed.limits()) {
        double each = mean(plan, limit, conditions);
        most = each > 0 ? Math.max(most, BURSTS * limit.burst() / each) : most;
      }
    }
    return (int) Math.min(MOST_REHEARSED, most);
  }

  private static double mean(
      CallPlan plan, AssumedLimits.Limit limit, ForecastConditions conditions) {
    double sum = 0;
    for (var call : plan.calls()) {
      sum += (double) amount(call, limit, call.length(conditions.of(call.model()).lengths(), 0, 0));
    }
    return sum / plan.calls().size();
  }

  /** What a limit counts of a call in the end; what is kept of too high a charge among it. */
  private static long amount(PlannedCall call, AssumedLimits.Limit limit, long output) {
    var terms = limit.terms();
    var estimate = Estimate.of(call.input(), call.maxOutput().orElse(output));
    long after = terms.charge().after(Usage.of(call.input(), output));
    return switch (terms.settle()) {
      case NO_REFUND -> Math.max(after, terms.charge().before(estimate, output));
      case REFUND, AS_PRODUCED -> after;
    };
  }

  private static List<Long> typical(CallPlan plan, ForecastConditions conditions) {
    return plan.calls().stream()
        .map(call -> call.length(conditions.of(call.model()).lengths(), 0, 0))
        .toList();
  }

  /**
   * The least possible time, in seconds: that of the slowest lane, or of the slots of all.
   *
   * @param outputs how long the calls' answers are
   * @param scale how many calls each one stands for
   */
  private static double least(
      CallPlan plan, ForecastConditions conditions, List<Long> outputs, double scale) {
    var demands = new HashMap<LaneId, List<LeastTime.Demand>>();
    var prefixes = new HashMap<String, Boolean>();
    double busy = 0;
    for (int i = 0; i < outputs.size(); i++) {
      var call = plan.calls().get(i);
      long output = outputs.get(i);
      var latency = conditions.of(call.model()).latency().of((double) output);
      busy += latency.toNanos() / 1e9;
      var amounts = amounts(uncached(call, prefixes), conditions.of(call.lane()), output);
      demands
          .computeIfAbsent(call.lane(), lane -> new ArrayList<>())
          .add(new LeastTime.Demand(latency, amounts));
    }
    double least = busy * scale / conditions.mostInFlight();
    for (var lane : demands.entrySet()) {
      var assumed = conditions.of(lane.getKey());
      int slots = Math.min(conditions.mostInFlight(), assumed.inFlight().orElse(Integer.MAX_VALUE));
      double laneBusy =
          lane.getValue().stream().mapToDouble(each -> each.latency().toNanos() / 1e9).sum();
      // Limits that give less to fewer calls ask for the same time.
      var supplies = assumed.limits().stream().map(each -> supply(each, scale)).toList();
      var paced = LeastTime.of(lane.getValue(), supplies, Integer.MAX_VALUE);
      least = Math.max(least, paced.toNanos() / 1e9);
      least = Math.max(least, laneBusy * scale / slots);
    }
    return least;
  }

  /** Of calls that share a prefix all but the first have it for nothing. */
  private static PlannedCall uncached(PlannedCall call, Map<String, Boolean> seen) {
    if (call.prefix().isEmpty() || seen.putIfAbsent(call.prefix().get().name(), true) == null) {
      return call;
    }
    return new PlannedCall(
        call.lane(),
        call.model(),
        call.input() - call.prefix().get().tokens(),
        call.maxOutput(),
        call.output(),
        Optional.empty());
  }

  private static Map<Dimension, Long> amounts(
      PlannedCall call, AssumedLimits assumed, long output) {
    var all = new HashMap<Dimension, Long>();
    assumed
        .limits()
        .forEach(limit -> all.put(limit.terms().dimension(), amount(call, limit, output)));
    return all;
  }

  private static LeastTime.Supply supply(AssumedLimits.Limit limit, double scale) {
    return new LeastTime.Supply(
        limit.terms().dimension(),
        limit.perSecond() / scale,
        limit.burst() / scale,
        limit.asProduced(),
        Duration.ZERO);
  }

  private static Optional<Binding> binding(
      Rehearsal.Result middle,
      CallPlan sample,
      ForecastConditions conditions,
      long seed,
      double before,
      double longer) {
    var last =
        middle.laneSeconds().entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey);
    var most =
        middle.held().entrySet().stream()
            .filter(each -> last.isPresent() && each.getKey().lane().equals(last.get()))
            .filter(each -> !each.getKey().what().equals(Constraint.TURN))
            .max(Map.Entry.comparingByValue());
    if (most.isEmpty()) {
      return Optional.empty();
    }
    var lane = most.get().getKey().lane();
    var what = most.get().getKey().what();
    var raise = raise(lane, what, conditions);
    double after =
        raise
            .map(each -> new Rehearsal(sample, each.conditions(), seed + MEDIAN, 0, 0).run())
            .map(Rehearsal.Result::seconds)
            .orElse(before);
    return Optional.of(
        new Binding(
            lane,
            what.name(),
            raise.flatMap(Raise::limit),
            duration(most.get().getValue() * longer),
            duration(Math.max(0, before - after) * longer)));
  }

  private static Optional<Raise> raise(
      LaneId lane, Constraint what, ForecastConditions conditions) {
    var assumed = conditions.of(lane);
    for (var limit : assumed.limits()) {
      var dimension = limit.terms().dimension();
      boolean paced = what.equals(Constraint.PACE) && assumed.limits().size() == 1;
      if (paced || what.name().equals(dimension.toString().replace('_', ' '))) {
        UnaryOperator<AssumedLimits> twice = some -> some.scaled(dimension, 2);
        return Optional.of(new Raise(Optional.of(limit), conditions.changing(lane, twice)));
      }
    }
    if (what.equals(Constraint.SLOT)) {
      var own = assumed.inFlight();
      var more =
          own.isPresent()
              ? conditions.changing(lane, m -> m.inFlight(2 * own.getAsInt()))
              : conditions;
      return Optional.of(
          new Raise(Optional.empty(), more.mostInFlight(2 * conditions.mostInFlight())));
    }
    return Optional.empty();
  }
}
