package dev.flyball.cli;

import dev.flyball.batch.Workload;
import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.forecast.AssumedLimits;
import dev.flyball.forecast.ReviewedFile;
import dev.flyball.forecast.Survey;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.review.ask.Reviewer;
import dev.flyball.review.plan.DigestStore;
import dev.flyball.review.plan.Lens;
import dev.flyball.review.plan.Lens.Tier;
import dev.flyball.review.plan.Lenses;
import dev.flyball.review.plan.PlanRequest;
import dev.flyball.review.plan.Planner;
import dev.flyball.review.plan.PromptRoom;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.review.plan.SubjectReading;
import dev.flyball.review.plan.TokenMeasure;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.CostMeter;
import dev.flyball.run.Destination;
import dev.flyball.run.LearnedFile;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The plan of a review with what it would take and cost: one computation, whoever asks for it.
 *
 * @param survey the same in round figures, every lens on every file
 * @param reviewers who is asked
 * @param style how their provider counts
 */
record ReviewForecast(
    ReviewPlan plan,
    Estimation estimation,
    Survey survey,
    Map<Tier, Reviewer> reviewers,
    String style) {
  private static final Set<String> HOLD_TO_SCHEMAS = Set.of("openai", "azure");
  private static final int USUAL_HANDS = 4;
  private static final long TOKENS_AROUND = 1_000;

  /** A model as a review asks it. */
  private record Candidate(String model, LaneId lane, Optional<Price> price, PromptRoom room) {}

  /**
   * From where what is assumed comes.
   *
   * @param model for deep lenses, if somebody chose one
   * @param digests what is known of files from earlier plans, while that is being read
   */
  record Desk(
      Configuration config,
      ForecastInputs outlook,
      LearnedFile learned,
      PlanOptions options,
      Optional<String> model,
      CompletableFuture<DigestStore> digests,
      Instant now) {}

  static ReviewForecast of(Subject subject, Desk desk, SubjectReading.Progress progress)
      throws SourceUnavailable, IOException, InterruptedException {
    var applies = subject.isChange() ? Lens.SubjectKind.CHANGE : Lens.SubjectKind.REPOSITORY;
    var names = desk.options.lenses();
    var lenses = lenses(subject, desk.config);
    var asked = names.isEmpty() ? lenses.of(applies) : lenses.of(applies, names);
    var provider = desk.outlook.provider();
    var dialect = dialect(desk);
    var to =
        provider
            .destination(dialect)
            .orElseThrow(() -> new IllegalStateException("a provider speaks its own dialect"));
    var usual = reviewers(desk, dialect);
    var deep =
        desk.model
            .or(() -> usual.map(ProviderCatalogue.Reviewers::deep))
            .orElseThrow(ReviewForecast::unnamed);
    var fast =
        desk.options
            .fastModel()
            .or(() -> desk.model)
            .or(() -> usual.map(ProviderCatalogue.Reviewers::fast))
            .orElse(deep);
    var bill = new CostMeter(desk.config.prices(), desk.config.catalogue(), provider.simulated());
    var reviewers =
        Map.of(
            Tier.DEEP, reviewer(deep, to, bill, desk),
            Tier.FAST, reviewer(fast, to, bill, desk));
    var request =
        new PlanRequest(
            new TokenMeasure(new TokenCounter(desk.learned.tokens()), deep, fast),
            asked,
            desk.options.mode(),
            desk.options.budget(applies),
            desk.options.reserve(),
            desk.options.samples(),
            of(reviewers, Tier.DEEP).room(),
            of(reviewers, Tier.FAST).room());
    var digests = desk.digests.join();
    var plan = Planner.plan(subject, request, digests, progress);
    digests.save(!subject.isChange());
    var ahead = ahead(plan, reviewers, to, bill, desk);
    return new ReviewForecast(
        plan,
        desk.outlook.on(ahead),
        survey(plan, asked.size(), desk.outlook),
        Map.of(
            Tier.DEEP, asked(reviewers, Tier.DEEP, to, dialect),
            Tier.FAST, asked(reviewers, Tier.FAST, to, dialect)),
        to.style());
  }

  private static Candidate of(Map<Tier, Candidate> reviewers, Tier tier) {
    var reviewer = reviewers.get(tier);
    if (reviewer == null) {
      throw new IllegalStateException("there is a model for each tier");
    }
    return reviewer;
  }

  private static Reviewer asked(
      Map<Tier, Candidate> reviewers, Tier tier, Destination to, Dialect dialect) {
    var chosen = of(reviewers, tier);
    boolean forms = dialect == Dialect.ANTHROPIC || HOLD_TO_SCHEMAS.contains(to.style());
    return new Reviewer(
        to.providers().getFirst(), dialect, chosen.lane(), chosen.model(), forms, chosen.price());
  }

  /** Ours, with those that the folder, or the state before a change, has of its own. */
  private static Lenses lenses(Subject subject, Configuration config) throws SourceUnavailable {
    Map<String, String> pages = new TreeMap<>();
    for (var name : subject.namesBefore(Lenses.FOLDER)) {
      if (name.endsWith(".md")) {
        subject.before(Lenses.FOLDER + "/" + name).ifPresent(text -> pages.put(name, text));
      }
    }
    return Lenses.ours().with(config.lenses(), pages);
  }

  private static IllegalArgumentException unnamed() {
    return new IllegalArgumentException(
        "--model: nobody has said which models of this provider are good at reviews: name one");
  }

  /** What the chosen provider speaks; else what the keys at hand or the model suggest. */
  private static Dialect dialect(Desk desk) {
    var spoken = desk.outlook.provider().spoken();
    if (spoken.isPresent()) {
      return spoken.get();
    }
    var environment = desk.config.environment();
    boolean openAiKey =
        !environment.getOrDefault("OPENAI_API_KEY", "").isBlank()
            && environment.getOrDefault("ANTHROPIC_API_KEY", "").isBlank();
    boolean other = desk.model.isPresent() && !desk.model.get().contains("claude");
    return !desk.outlook.provider().simulated() && (other || (openAiKey && desk.model.isEmpty()))
        ? Dialect.OPENAI
        : Dialect.ANTHROPIC;
  }

  private static Optional<ProviderCatalogue.Reviewers> reviewers(Desk desk, Dialect dialect) {
    var named = desk.outlook.provider().named();
    var name = named.orElse(dialect == Dialect.ANTHROPIC ? "anthropic" : "openai");
    return desk.config.catalogue().reviewers(name);
  }

  private static Candidate reviewer(String model, Destination to, CostMeter bill, Desk desk) {
    var endpoint = to.providers().getFirst().endpoint();
    var catalogue = desk.config.catalogue();
    var lane =
        new LaneId(
            endpoint.provider(),
            catalogue.modelClass(to.style(), model),
            endpoint.key().map(key -> key.fingerprint()).orElse(""),
            "");
    var price = bill.price(payee(to, desk), model, desk.now);
    long output =
        Math.min(
            PromptRoom.USUAL_OUTPUT,
            price.map(Price::maxOutput).orElse(OptionalLong.empty()).orElse(Long.MAX_VALUE));
    long context = price.map(Price::context).orElse(OptionalLong.empty()).orElse(Long.MAX_VALUE);
    var manners = Estimation.lane(lane, to.style(), desk.outlook.whatIf(), desk.outlook.known());
    long input =
        Math.min(
            PromptRoom.USUAL_INPUT,
            Math.min(context, largest(manners.manners())) - output - TOKENS_AROUND);
    return new Candidate(
        model, lane, price, new PromptRoom(Math.max(1, input), output, Integer.MAX_VALUE));
  }

  private static String payee(Destination to, Desk desk) {
    return desk.outlook.provider().simulated()
        ? to.style()
        : to.providers().getFirst().endpoint().provider();
  }

  /** What no call may be larger than. */
  private static long largest(AssumedLimits manners) {
    return manners.limits().stream()
        .filter(
            limit ->
                limit.terms().dimension().name().equals(Dimension.INPUT_TOKENS.name())
                    || limit.terms().dimension().name().equals(Dimension.TOKENS.name()))
        .mapToLong(AssumedLimits.Limit::stated)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static Workload ahead(
      ReviewPlan plan, Map<Tier, Candidate> reviewers, Destination to, CostMeter bill, Desk desk) {
    var shares = new LinkedHashMap<String, Workload.Share>();
    var calls = new ArrayList<Workload.Planned>();
    for (var unit : plan.units()) {
      var reviewer = of(reviewers, unit.tier());
      var part = unit.part();
      var planned =
          new Workload.Planned(
              reviewer.lane(),
              reviewer.model(),
              part,
              false,
              unit.input(),
              unit.input(),
              OptionalLong.of(unit.mostOutput()),
              OptionalLong.of(unit.output()),
              Optional.of(part),
              unit.prefix());
      calls.add(planned);
      var most =
          reviewer.price().flatMap(price -> price.most(unit.input(), unit.mostOutput(), true));
      var share =
          shares.computeIfAbsent(
              part,
              name ->
                  new Workload.Share(
                      reviewer.lane(),
                      to.style(),
                      payee(to, desk),
                      reviewer.model(),
                      part,
                      false,
                      reviewer.price(),
                      bill.unknown(payee(to, desk), reviewer.model(), desk.now),
                      0,
                      0,
                      0,
                      Optional.of(Cost.NOTHING)));
      shares.put(part, share.plus(planned, most));
    }
    return new Workload(java.util.List.copyOf(shares.values()), calls, calls.size());
  }

  private static Survey survey(ReviewPlan plan, int lenses, ForecastInputs outlook) {
    return Survey.of(
        plan.scope().sizes().stream()
            .map(file -> new ReviewedFile(file.tokens(), file.symbols()))
            .toList(),
        lenses,
        outlook.concurrency().orElse(USUAL_HANDS));
  }
}
