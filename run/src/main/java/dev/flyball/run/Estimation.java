package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Usage;
import dev.flyball.forecast.AnswerLatency;
import dev.flyball.forecast.AnswerLengths;
import dev.flyball.forecast.AssumedLimits;
import dev.flyball.forecast.Calibration;
import dev.flyball.forecast.CallPlan;
import dev.flyball.forecast.Forecast;
import dev.flyball.forecast.ForecastConditions;
import dev.flyball.forecast.ModelBehaviour;
import dev.flyball.forecast.ObservedRun;
import dev.flyball.forecast.PlannedCall;
import dev.flyball.forecast.Step;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.Price;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The time and money that a run would take, and everything that was assumed to say so.
 *
 * <p>Long because the forecast of a run and the words for how sure it is belong together.
 *
 * @param lanes what is assumed of each lane, and where that is from
 * @param models the same of each model
 * @param most the most it can cost without retries; empty when a price is not known
 * @param unpriced what to do about prices that are not known
 */
public record Estimation(
    long calls,
    List<Step> steps,
    Forecast forecast,
    Map<LaneId, Lane> lanes,
    Map<String, Calibration> models,
    Optional<Cost> most,
    List<String> unpriced) {
  private static final long SEED = 20_261_115;
  private static final double LEAST_DOUBT = 0.08;
  private static final double UNTAUGHT_SPREAD = 0.4;
  private static final double UNTAUGHT_DOUBT = 0.3;
  private static final double SURE_ENOUGH = 0.7;
  private static final Calibration UNTAUGHT = new Calibration(0, ModelBehaviour.USUAL, 1);

  /** The limits that are assumed of a lane, and from where. */
  public record Lane(AssumedLimits limits, String from) {}

  /**
   * The question: how it would be if.
   *
   * @param limits the account whose limits are assumed
   * @param fallback the account that is assumed where nothing else is known, by style
   * @param outputTokens how long answers are, where that is known
   */
  public record WhatIf(
      Optional<String> limits,
      Function<String, Optional<String>> fallback,
      OptionalInt concurrency,
      boolean cache,
      OptionalLong outputTokens) {}

  /**
   * The facts that a forecast starts from.
   *
   * @param history what earlier runs saw of a model in a part of what it is asked, the latest first
   * @param told whether the scheduler is told the limits that are assumed
   */
  public record Known(
      ProviderCatalogue catalogue,
      LearnedLimits memory,
      BiFunction<String, String, List<ObservedRun>> history,
      boolean simulated,
      boolean told) {}

  /** How a plan is rehearsed: beside other work, or by all hands. */
  @FunctionalInterface
  interface Rehearsing {
    Forecast of(CallPlan plan, ForecastConditions in, long seed);
  }

  static Estimation of(Workload workload, WhatIf whatIf, Known known, Rehearsing rehearsing) {
    var lanes = new LinkedHashMap<LaneId, Lane>();
    var models = new LinkedHashMap<String, Calibration>();
    var memory = new HashMap<LaneId, LearnedLimits.OfLane>();
    for (var share : workload.shares()) {
      remembered(share.lane(), known.memory()).ifPresent(of -> memory.put(share.lane(), of));
      lanes.computeIfAbsent(share.lane(), id -> lane(id, share.style(), whatIf, known));
      models.computeIfAbsent(
          key(share.model(), share.part()), key -> calibration(share, workload, whatIf, known));
    }
    var conditions =
        new ForecastConditions(
            limits(lanes),
            behaviours(models),
            whatIf.concurrency().orElse(RunBounds.USUAL_IN_FLIGHT),
            whatIf.limits().isPresent() ? LearnedLimits.NONE : new LearnedLimits(memory),
            profiles(workload, whatIf, known));
    var calls = calls(workload, whatIf, models);
    var plan = rehearsed(workload, calls);
    var forecast = rehearsing.of(plan, conditions, SEED);
    var steps = new EstimatedSteps(workload, calls, plan, forecast, models, known).all();
    var most =
        workload.shares().stream()
            .map(Workload.Share::mostCost)
            .reduce(Optional.of(Cost.NOTHING), (sum, each) -> sum.flatMap(c -> each.map(c::plus)));
    var unpriced =
        workload.shares().stream()
            .filter(share -> share.price().isEmpty())
            .map(Workload.Share::unpriced)
            .distinct()
            .toList();
    return new Estimation(
        workload.lines(),
        steps,
        followed(forecast, workload, models),
        lanes,
        models,
        most,
        unpriced);
  }

  /** What answers are alike in: the model, and the part of what it is asked. */
  static String key(String model, String part) {
    return part.isEmpty() ? model : model + ", " + part;
  }

  /**
   * With what comes only after all the rest, one part after the other: rehearsals know nothing of
   * that. Those of one part that are certain are asked at one time, and those that are only
   * expected one after the other.
   */
  private static Forecast followed(
      Forecast forecast, Workload workload, Map<String, Calibration> models) {
    var times = new LinkedHashMap<String, Double>();
    for (var call : workload.calls()) {
      if (call.later().isPresent()) {
        times.merge(key(call.model(), call.part()), call.later().getAsDouble(), Math::max);
      }
    }
    double least = 0;
    double median = 0;
    double ninth = 0;
    for (var part : times.entrySet()) {
      var behaviour = models.getOrDefault(part.getKey(), UNTAUGHT).behaviour();
      double each = behaviour.latency().of(behaviour.lengths().mean()).toNanos() / 1e9;
      least += part.getValue() < 1 ? 0 : each / 2;
      median += each * part.getValue();
      ninth += each * Math.max(SURE_ENOUGH, part.getValue()) * 1.5;
    }
    return new Forecast(
        forecast.least().plus(seconds(least)),
        forecast.median().plus(seconds(median)),
        forecast.ninth().plus(seconds(ninth)),
        forecast.usage(),
        forecast.binding(),
        forecast.throttled(),
        forecast.unanswered());
  }

  private static Duration seconds(double amount) {
    return Duration.ofNanos(Math.round(amount * 1e9));
  }

  /** Of the lane itself, else what the latest other key has taught. */
  private static Optional<LearnedLimits.OfLane> remembered(LaneId lane, LearnedLimits memory) {
    return memory
        .of(lane)
        .or(
            () ->
                memory.lanes().entrySet().stream()
                    .filter(each -> each.getKey().provider().equals(lane.provider()))
                    .filter(each -> each.getKey().modelClass().equals(lane.modelClass()))
                    .map(Map.Entry::getValue)
                    .max(Comparator.comparing(LearnedLimits.OfLane::at)))
        .filter(of -> !of.allowances().isEmpty() || of.pace().perSecond() > 0);
  }

  /** What is assumed of a lane whose provider counts in some style. */
  public static Lane lane(LaneId id, String style, WhatIf whatIf, Known known) {
    var catalogue = known.catalogue();
    var models = id.modelClass();
    if (whatIf.limits().isPresent()) {
      var name = whatIf.limits().get();
      return new Lane(account(name, models, catalogue), "account " + name);
    }
    var learned = remembered(id, known.memory());
    if (learned.isPresent()) {
      var limits = AssumedLimits.learned(learned.get(), catalogue.style(style));
      var day = learned.get().at().toString().substring(0, 10);
      return new Lane(limits, limits.felt() ? "felt on " + day + "" : "learned on " + day);
    }
    return whatIf
        .fallback()
        .apply(style)
        .map(
            name ->
                new Lane(
                    account(name, models, catalogue),
                    "nothing learned yet: assuming account " + name))
        .orElseGet(
            () ->
                new Lane(AssumedLimits.of(LaneProfile.UNKNOWN), "nothing learned yet: no limits"));
  }

  private static AssumedLimits account(String name, String models, ProviderCatalogue catalogue) {
    return AssumedLimits.of(catalogue.profile(name, models))
        .without(catalogue.untold(name, models));
  }

  private static Calibration calibration(
      Workload.Share share, Workload workload, WhatIf whatIf, Known known) {
    var expected = expected(workload, share);
    var latency =
        whatIf
            .limits()
            .or(() -> whatIf.fallback().apply(share.style()))
            .flatMap(known.catalogue()::latency)
            .map(AnswerLatency::parse)
            .orElse(AnswerLatency.USUAL);
    var usual = new ModelBehaviour(latency, AnswerLengths.USUAL);
    var parts = new LinkedHashMap<String, List<ObservedRun>>();
    for (var each : workload.shares()) {
      if (each.model().equals(share.model())) {
        parts.computeIfAbsent(each.part(), part -> known.history().apply(share.model(), part));
      }
    }
    var runs = parts.getOrDefault(share.part(), List.of());
    var found = Calibration.of(runs, parts.values().stream().flatMap(List::stream).toList(), usual);
    if (!share.part().isEmpty() && whatIf.outputTokens().isEmpty()) {
      var planned = runs.isEmpty() ? expected : OptionalLong.empty();
      return ofPart(found, planned, planned.isEmpty() ? 1 : shorter(share, workload, parts, usual));
    }
    var length = whatIf.outputTokens().isPresent() ? whatIf.outputTokens() : expected;
    if (length.isPresent()) {
      var lengths = AnswerLengths.exactly((double) length.getAsLong());
      return new Calibration(
          found.runs(),
          new ModelBehaviour(found.behaviour().latency(), lengths),
          found.inputFactor());
    }
    return found;
  }

  /**
   * Of a part, answers are of about the length that is planned for, until earlier runs say more;
   * however much these agree, the next one may be otherwise.
   *
   * @param shorter how many times as long as planned they are likely to be
   */
  private static Calibration ofPart(Calibration found, OptionalLong expected, double shorter) {
    var lengths = found.behaviour().lengths();
    var latency = found.behaviour().latency();
    if (found.taught()) {
      return new Calibration(
          found.runs(),
          new ModelBehaviour(
              latency,
              new AnswerLengths(
                  lengths.mean(), lengths.spread(), Math.max(LEAST_DOUBT, lengths.doubt()))),
          found.inputFactor());
    }
    double mean = expected.isPresent() ? (double) expected.getAsLong() * shorter : lengths.mean();
    return new Calibration(
        found.runs(),
        new ModelBehaviour(
            new AnswerLatency(
                latency.first(), latency.perToken(), Math.max(UNTAUGHT_SPREAD, latency.spread())),
            new AnswerLengths(mean, UNTAUGHT_SPREAD, UNTAUGHT_DOUBT)),
        1);
  }

  /** How many times as long as planned the model's answers are in those parts that are known. */
  private static double shorter(
      Workload.Share share,
      Workload workload,
      Map<String, List<ObservedRun>> parts,
      ModelBehaviour usual) {
    double planned = 0;
    double were = 0;
    for (var other : workload.shares()) {
      var taught = Calibration.of(parts.getOrDefault(other.part(), List.of()), usual);
      var length = expected(workload, other);
      if (other.model().equals(share.model()) && taught.taught() && length.isPresent()) {
        planned += (double) length.getAsLong();
        were += taught.behaviour().lengths().mean();
      }
    }
    return planned == 0 ? 1 : Math.clamp(were / planned, 0.05, 2);
  }

  /** How long a share's answers are on average, where that is known of each. */
  private static OptionalLong expected(Workload workload, Workload.Share share) {
    long count = 0;
    long sum = 0;
    for (var call : workload.calls()) {
      if (call.model().equals(share.model())
          && call.part().equals(share.part())
          && !call.embeds()) {
        if (call.expected().isEmpty()) {
          return OptionalLong.empty();
        }
        count++;
        sum += call.expected().getAsLong();
      }
    }
    return count == 0 ? OptionalLong.empty() : OptionalLong.of(sum / count);
  }

  private static Map<LaneId, AssumedLimits> limits(Map<LaneId, Lane> lanes) {
    var all = new HashMap<LaneId, AssumedLimits>();
    lanes.forEach((id, lane) -> all.put(id, lane.limits()));
    return all;
  }

  private static Map<String, ModelBehaviour> behaviours(Map<String, Calibration> models) {
    var all = new HashMap<String, ModelBehaviour>();
    models.forEach((model, known) -> all.put(model, known.behaviour()));
    return all;
  }

  /** What the scheduler will know beforehand: as in the run itself. */
  private static Function<LaneId, LaneProfile> profiles(
      Workload workload, WhatIf whatIf, Known known) {
    var all = new HashMap<LaneId, LaneProfile>();
    for (var share : workload.shares()) {
      all.put(
          share.lane(),
          known.told() && whatIf.limits().isPresent()
              ? known.catalogue().profile(whatIf.limits().get(), share.lane().modelClass())
              : known.catalogue().style(share.style()));
    }
    return lane -> all.getOrDefault(lane, LaneProfile.UNKNOWN);
  }

  private static List<PlannedCall> calls(
      Workload workload, WhatIf whatIf, Map<String, Calibration> models) {
    var prices = new HashMap<String, OptionalLong>();
    workload.shares().forEach(share -> prices.put(share.model(), smallestPrefix(share.price())));
    return workload.calls().stream()
        .map(
            one ->
                call(
                    one,
                    models.getOrDefault(key(one.model(), one.part()), UNTAUGHT),
                    whatIf.cache()
                        ? prices.getOrDefault(one.model(), OptionalLong.empty())
                        : OptionalLong.empty()))
        .toList();
  }

  /** Those that need not wait for the rest. */
  private static CallPlan rehearsed(Workload workload, List<PlannedCall> calls) {
    var first = new ArrayList<PlannedCall>();
    for (int i = 0; i < calls.size(); i++) {
      if (workload.calls().get(i).later().isEmpty()) {
        first.add(calls.get(i));
      }
    }
    return new CallPlan(first, workload.lines() - (calls.size() - first.size()));
  }

  private static OptionalLong smallestPrefix(Optional<Price> price) {
    return price.map(each -> each.limits().smallestPrefix()).orElse(OptionalLong.empty());
  }

  private static PlannedCall call(Workload.Planned one, Calibration known, OptionalLong smallest) {
    long input = known.taught() ? Math.round(one.plain() * known.inputFactor()) : one.input();
    double part = one.input() == 0 ? 0 : (double) one.prefixTokens() / one.input();
    long shared = Math.min(input, Math.round(input * part));
    boolean cached =
        one.prefix().isPresent() && smallest.isPresent() && shared >= smallest.getAsLong();
    return new PlannedCall(
        one.lane(),
        key(one.model(), one.part()),
        input,
        one.maxOutput(),
        one.part().isEmpty() ? one.expected() : OptionalLong.empty(),
        cached ? one.prefix().map(name -> new PlannedCall.Prefix(name, shared)) : Optional.empty());
  }

  /** On how many runs it rests: on the fewest that any of its models had. */
  public int calibratedOn() {
    return steps.stream()
        .filter(step -> !step.approximate())
        .map(step -> key(step.model(), step.category() == Step.Category.EMBED ? "" : step.name()))
        .map(models::get)
        .filter(Objects::nonNull)
        .mapToInt(known -> known.taught() ? known.runs() : 0)
        .min()
        .orElse(0);
  }

  /** Whether the time rests on limits that no reply stated, but only refusals told. */
  public boolean felt() {
    return lanes.values().stream().anyMatch(lane -> lane.limits().felt());
  }

  /** The tokens of all of it. */
  public Usage usage() {
    return steps.stream().map(Step::usage).reduce(Usage.NONE, Usage::plus);
  }
}
