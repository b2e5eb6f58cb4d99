package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Usage;
import dev.flyball.forecast.AnswerLatency;
import dev.flyball.forecast.AnswerLengths;
import dev.flyball.forecast.AssumedLimits;
import dev.flyball.forecast.BillingMode;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
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
          key(share.model(), share.part()),
          key -> calibration(share, expected(workload, share), whatIf, known));
    }
    var conditions =
        new ForecastConditions(
            limits(lanes),
            behaviours(models),
            whatIf.concurrency().orElse(RunBounds.USUAL_IN_FLIGHT),
            whatIf.limits().isPresent() ? LearnedLimits.NONE : new LearnedLimits(memory),
            profiles(workload, whatIf, known));
    var plan = plan(workload, whatIf, models);
    var forecast = rehearsing.of(plan, conditions, SEED);
    var steps = new ArrayList<Step>();
    var cached = new HashSet<String>();
    for (var share : workload.shares()) {
      steps.add(step(share, workload, forecast, plan, known, cached));
    }
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
    return new Estimation(workload.lines(), steps, forecast, lanes, models, most, unpriced);
  }

  /** What answers are alike in: the model, and the part of what it is asked. */
  private static String key(String model, String part) {
    return part.isEmpty() ? model : model + ", " + part;
  }

  /**
   * The same, if some parts come only after all the rest, one after the other: rehearsals know
   * nothing of that.
   */
  public Estimation followedBy(Set<String> parts) {
    var tail = Duration.ZERO;
    for (var model : models.entrySet()) {
      if (parts.stream().anyMatch(part -> model.getKey().endsWith(", " + part))) {
        var behaviour = model.getValue().behaviour();
        long tokens = Math.round(behaviour.lengths().mean());
        tail =
            tail.plus(behaviour.latency().first())
                .plus(behaviour.latency().perToken().multipliedBy(tokens));
      }
    }
    var later =
        new Forecast(
            forecast.least().plus(tail.dividedBy(2)),
            forecast.median().plus(tail),
            forecast.ninth().plus(tail.multipliedBy(2)),
            forecast.usage(),
            forecast.binding(),
            forecast.throttled(),
            forecast.unanswered());
    return new Estimation(calls, steps, later, lanes, models, most, unpriced);
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
      Workload.Share share, OptionalLong expected, WhatIf whatIf, Known known) {
    var latency =
        whatIf
            .limits()
            .or(() -> whatIf.fallback().apply(share.style()))
            .flatMap(known.catalogue()::latency)
            .map(AnswerLatency::parse)
            .orElse(AnswerLatency.USUAL);
    var usual = new ModelBehaviour(latency, AnswerLengths.USUAL);
    var found = Calibration.of(known.history().apply(share.model(), share.part()), usual);
    if (!share.part().isEmpty() && whatIf.outputTokens().isEmpty()) {
      return ofPart(found, expected);
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
   */
  private static Calibration ofPart(Calibration found, OptionalLong expected) {
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
    double mean = expected.isPresent() ? (double) expected.getAsLong() : lengths.mean();
    return new Calibration(
        0,
        new ModelBehaviour(
            new AnswerLatency(
                latency.first(), latency.perToken(), Math.max(UNTAUGHT_SPREAD, latency.spread())),
            new AnswerLengths(mean, UNTAUGHT_SPREAD, UNTAUGHT_DOUBT)),
        1);
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

  private static CallPlan plan(Workload workload, WhatIf whatIf, Map<String, Calibration> models) {
    var prices = new HashMap<String, OptionalLong>();
    workload.shares().forEach(share -> prices.put(share.model(), smallestPrefix(share.price())));
    var calls =
        workload.calls().stream()
            .map(
                one ->
                    call(
                        one,
                        models.getOrDefault(key(one.model(), one.part()), UNTAUGHT),
                        whatIf.cache()
                            ? prices.getOrDefault(one.model(), OptionalLong.empty())
                            : OptionalLong.empty()))
            .toList();
    return new CallPlan(calls, workload.lines());
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

  /** The forecast knows the length of a model's answers; the rest is known of each call. */
  private static Step step(
      Workload.Share share,
      Workload workload,
      Forecast forecast,
      CallPlan plan,
      Known known,
      Set<String> cached) {
    var calls = new ArrayList<PlannedCall>();
    for (int i = 0; i < plan.calls().size(); i++) {
      if (isOf(workload.calls().get(i), share)) {
        calls.add(plan.calls().get(i));
      }
    }
    double scale = calls.isEmpty() ? 1 : (double) share.lines() / calls.size();
    double perAnswer = perAnswer(key(share.model(), share.part()), forecast, plan);
    var sum = Usage.NONE;
    double output = 0;
    var cost = Optional.of(Cost.NOTHING);
    boolean writes = share.price().map(Price::chargesWrites).orElse(true);
    for (var call : calls) {
      var used = used(call, Math.round(perAnswer), cached, writes);
      sum = sum.plus(used);
      output += call.output().isPresent() ? (double) call.output().getAsLong() : perAnswer;
      cost = cost.flatMap(c -> share.price().flatMap(price -> price.cost(used)).map(c::plus));
    }
    var mode = known.simulated() ? BillingMode.LOCAL : mode(share.provider(), known.catalogue());
    return new Step(
        category(share),
        share.embeds() ? "text" : share.part(),
        share.model(),
        mode,
        share.lines(),
        new Usage(
            Math.round(sum.input() * scale),
            Math.round(sum.cacheRead() * scale),
            Math.round(sum.cacheWrite() * scale),
            Math.round(output * scale),
            Cost.NOTHING),
        cost.map(c -> new Cost(Math.round(c.micros() * scale))),
        false);
  }

  private static Step.Category category(Workload.Share share) {
    return share.embeds()
        ? Step.Category.EMBED
        : share.part().isEmpty() ? Step.Category.BATCH : Step.Category.AXIS;
  }

  /** Of those answers whose length nobody knew before. */
  private static double perAnswer(String model, Forecast forecast, CallPlan plan) {
    long guessed = 0;
    long known = 0;
    for (var call : plan.calls()) {
      if (call.model().equals(model)) {
        guessed += call.output().isEmpty() ? 1 : 0;
        known += call.output().orElse(0);
      }
    }
    double scale = (double) plan.total() / Math.max(1, plan.calls().size());
    double all = (double) forecast.usage().getOrDefault(model, Usage.NONE).output();
    return guessed == 0 ? 0 : Math.max(0, all - known * scale) / (guessed * scale);
  }

  private static boolean isOf(Workload.Planned one, Workload.Share share) {
    return one.lane().equals(share.lane())
        && one.model().equals(share.model())
        && one.part().equals(share.part())
        && one.embeds() == share.embeds();
  }

  private static Usage used(
      PlannedCall call, long output, Set<String> cached, boolean writesAreCharged) {
    long shared = call.prefix().map(PlannedCall.Prefix::tokens).orElse(0L);
    boolean first = call.prefix().isPresent() && cached.add(call.prefix().get().name());
    return new Usage(
        call.input() - (first && !writesAreCharged ? 0 : shared),
        first ? 0 : shared,
        first && writesAreCharged ? shared : 0,
        call.output().orElse(output),
        Cost.NOTHING);
  }

  private static BillingMode mode(String provider, ProviderCatalogue catalogue) {
    return catalogue
        .provider(provider)
        .map(listing -> BillingMode.valueOf(listing.mode().toUpperCase(Locale.ROOT)))
        .orElse(BillingMode.API);
  }

  /** On how many runs it rests: on the fewest that any of its models had. */
  public int calibratedOn() {
    return models.values().stream().mapToInt(Calibration::runs).min().orElse(0);
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
