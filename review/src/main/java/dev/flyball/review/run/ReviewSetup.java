package dev.flyball.review.run;

import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.forecast.AssumedLimits;
import dev.flyball.forecast.ReviewedFile;
import dev.flyball.forecast.Survey;
import dev.flyball.history.History;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.review.ask.Reviewer;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.Lenses;
import dev.flyball.review.plan.DigestStore;
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
import dev.flyball.run.Estimation;
import dev.flyball.run.ForecastInputs;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.RunSetup;
import dev.flyball.run.Workload;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * A review that is ready to be planned: the subject, the lenses, the models that are asked and the
 * room that their prompts have. Nothing is sent by it. A plan is made without a forecast, and a
 * forecast only for whoever asks for it.
 */
public final class ReviewSetup {
  private static final Set<String> HOLD_TO_SCHEMAS = Set.of("openai", "azure");
  private static final String DIGESTS = "digests.bin";
  private static final int USUAL_HANDS = 4;
  private static final long TOKENS_AROUND = 1_000;

  /** A model as a review asks it. */
  private record Candidate(String model, LaneId lane, Optional<Price> price, PromptRoom room) {}

  private final RunSetup run;
  private final Subject subject;
  private final ReviewSettings settings;
  private final LearnedFile learned;
  private final Lens.SubjectKind applies;
  private final List<Lens> lenses;
  private final Dialect dialect;
  private final Destination to;
  private final CostMeter costs;
  private final Map<Tier, Candidate> candidates;
  private final Instant now;
  private final StateFolder state;

  private ReviewSetup(RunSetup run, Subject subject, ReviewSettings settings, ForecastInputs inputs)
      throws SourceUnavailable, IOException {
    this.run = run;
    this.state = ReviewState.of(run.environment(), subject.root());
    this.subject = subject;
    this.settings = settings;
    this.learned = run.learned();
    this.now = run.time().wall();
    this.applies = subject.isChange() ? Lens.SubjectKind.CHANGE : Lens.SubjectKind.REPOSITORY;
    var all = lenses(subject, run);
    this.lenses =
        settings.lenses().isEmpty() ? all.of(applies) : all.of(applies, settings.lenses());
    this.dialect = dialect(run, settings);
    this.to =
        run.providers()
            .destination(dialect)
            .orElseThrow(() -> new IllegalStateException("a provider speaks its own dialect"));
    this.costs = run.costs();
    var usual = usual(run, dialect);
    var deep =
        settings
            .model()
            .or(() -> usual.map(ProviderCatalogue.Reviewers::deep))
            .orElseThrow(ReviewSetup::unnamed);
    var fast =
        settings
            .fastModel()
            .or(settings::model)
            .or(() -> usual.map(ProviderCatalogue.Reviewers::fast))
            .orElse(deep);
    this.candidates =
        Map.of(Tier.DEEP, candidate(deep, inputs), Tier.FAST, candidate(fast, inputs));
  }

  /** Chooses lenses and models for a subject; refuses what cannot be. */
  public static ReviewSetup of(RunSetup run, Subject subject, ReviewSettings settings)
      throws SourceUnavailable, IOException {
    return of(
        run, subject, settings, run.forecast(run.learned(), Optional.empty(), OptionalInt.empty()));
  }

  /** The same where limits are assumed that somebody wants to know about. */
  public static ReviewSetup of(
      RunSetup run, Subject subject, ReviewSettings settings, ForecastInputs assumed)
      throws SourceUnavailable, IOException {
    return new ReviewSetup(run, subject, settings, assumed);
  }

  RunSetup run() {
    return run;
  }

  Subject subject() {
    return subject;
  }

  public ReviewSettings settings() {
    return settings;
  }

  LearnedFile learned() {
    return learned;
  }

  /** What is kept of the reviews of this repository. */
  StateFolder state() {
    return state;
  }

  /** The budget in tokens, if there is one. */
  public OptionalLong budget() {
    return settings.budget(applies);
  }

  /** What is known of the lanes before their first reply. */
  LaneProfile profile() {
    return run.catalogue().style(to.style());
  }

  /** Which list of prices counts. */
  public String pricesVersion() {
    return run.prices().version();
  }

  /** The lane of the model for lenses of a tier. */
  public LaneId lane(Tier tier) {
    return candidate(tier).lane();
  }

  /** The models that are asked. */
  public Map<Tier, Reviewer> reviewers() {
    return Map.of(Tier.DEEP, reviewer(Tier.DEEP), Tier.FAST, reviewer(Tier.FAST));
  }

  /** Reads and measures the subject, and packs what is to be asked into units. */
  public ReviewPlan plan(SubjectReading.Progress progress)
      throws SourceUnavailable, IOException, InterruptedException {
    var digests = digests();
    var request =
        new PlanRequest(
            new TokenMeasure(
                new TokenCounter(learned.tokens()),
                candidate(Tier.DEEP).model(),
                candidate(Tier.FAST).model()),
            lenses,
            settings.mode(),
            budget(),
            settings.reserve(),
            settings.samples(),
            candidate(Tier.DEEP).room(),
            candidate(Tier.FAST).room());
    var plan = Planner.plan(subject, request, digests, progress);
    boolean all = !subject.isChange();
    if (digests.isNew(all)) {
      state.<RuntimeException>replace(
          DIGESTS,
          fresh -> {
            try (var out = Files.newOutputStream(fresh)) {
              digests.write(out, all);
            }
          });
    }
    return plan;
  }

  private DigestStore digests() throws IOException {
    var kept = state.read(DIGESTS);
    if (kept.isEmpty()) {
      return DigestStore.empty();
    }
    try (var in = kept.get()) {
      return DigestStore.of(in);
    }
  }

  /** What a plan would take and cost, as it would really run. */
  public PlanForecast forecast(ReviewPlan plan, Optional<History> past) {
    return forecast(
        plan,
        run.forecast(
            learned, past, settings.bounds().concurrency(), true, OptionalLong.empty(), false));
  }

  /** The same, if some things were otherwise. */
  public PlanForecast forecast(ReviewPlan plan, ForecastInputs inputs) {
    return new PlanForecast(
        plan,
        inputs.estimate(workload(plan)),
        Survey.of(
            plan.scope().sizes().stream()
                .map(file -> new ReviewedFile(file.tokens(), file.symbols()))
                .toList(),
            lenses.size(),
            inputs.concurrency().orElse(USUAL_HANDS)));
  }

  private Candidate candidate(Tier tier) {
    var candidate = candidates.get(tier);
    if (candidate == null) {
      throw new IllegalStateException("there is a model for each tier");
    }
    return candidate;
  }

  private Reviewer reviewer(Tier tier) {
    var chosen = candidate(tier);
    boolean forms = dialect == Dialect.ANTHROPIC || HOLD_TO_SCHEMAS.contains(to.style());
    return new Reviewer(
        to.providers().getFirst(),
        dialect,
        run.providers().simulated(),
        chosen.lane(),
        chosen.model(),
        forms,
        chosen.price());
  }

  /** Ours, with those that the folder, or the state before a change, has of its own. */
  private static Lenses lenses(Subject subject, RunSetup run) throws SourceUnavailable {
    Map<String, String> pages = new TreeMap<>();
    for (var name : subject.namesBefore(Lenses.FOLDER)) {
      if (name.endsWith(".md")) {
        subject.before(Lenses.FOLDER + "/" + name).ifPresent(text -> pages.put(name, text));
      }
    }
    return Lenses.ours().with(run.files().lenses(), pages);
  }

  private static IllegalArgumentException unnamed() {
    return new IllegalArgumentException(
        "--model: nobody has said which models of this provider are good at reviews: name one");
  }

  /** What the chosen provider speaks; else what the keys at hand or the model suggest. */
  private static Dialect dialect(RunSetup run, ReviewSettings settings) {
    var spoken = run.providers().spoken();
    if (spoken.isPresent()) {
      return spoken.get();
    }
    var environment = run.environment();
    boolean openAiKey =
        !environment.getOrDefault("OPENAI_API_KEY", "").isBlank()
            && environment.getOrDefault("ANTHROPIC_API_KEY", "").isBlank();
    var model = settings.model();
    boolean other = model.isPresent() && !model.get().contains("claude");
    return !run.providers().simulated() && (other || (openAiKey && model.isEmpty()))
        ? Dialect.OPENAI
        : Dialect.ANTHROPIC;
  }

  private static Optional<ProviderCatalogue.Reviewers> usual(RunSetup run, Dialect dialect) {
    var name =
        run.providers().named().orElse(dialect == Dialect.ANTHROPIC ? "anthropic" : "openai");
    return run.catalogue().reviewers(name);
  }

  private Candidate candidate(String model, ForecastInputs inputs) {
    var models = run.catalogue().modelClass(to.style(), model);
    var lane = to.lane(to.providers().getFirst(), models);
    var price = costs.price(payee(), model, now);
    long output =
        Math.min(
            PromptRoom.USUAL_OUTPUT,
            price
                .map(each -> each.limits().maxOutput())
                .orElse(OptionalLong.empty())
                .orElse(Long.MAX_VALUE));
    long context =
        price
            .map(each -> each.limits().context())
            .orElse(OptionalLong.empty())
            .orElse(Long.MAX_VALUE);
    var assumed = Estimation.lane(lane, to.style(), inputs.whatIf(), inputs.known());
    long input =
        Math.min(
            PromptRoom.USUAL_INPUT,
            Math.min(context, largest(assumed.limits())) - output - TOKENS_AROUND);
    return new Candidate(
        model, lane, price, new PromptRoom(Math.max(1, input), output, Integer.MAX_VALUE));
  }

  /** Whose prices count. */
  private String payee() {
    return run.providers().simulated()
        ? to.style()
        : to.providers().getFirst().endpoint().provider();
  }

  /** What no call may be larger than. */
  private static long largest(AssumedLimits limits) {
    return limits.limits().stream()
        .filter(
            limit ->
                limit.terms().dimension().name().equals(Dimension.INPUT_TOKENS.name())
                    || limit.terms().dimension().name().equals(Dimension.TOKENS.name()))
        .mapToLong(AssumedLimits.Limit::stated)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private Workload workload(ReviewPlan plan) {
    var shares = new LinkedHashMap<String, Workload.Share>();
    var calls = new ArrayList<Workload.Planned>();
    for (var unit : plan.units()) {
      var reviewer = candidate(unit.tier());
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
                      payee(),
                      reviewer.model(),
                      part,
                      false,
                      reviewer.price(),
                      costs.unknown(payee(), reviewer.model(), now),
                      0,
                      0,
                      0,
                      Optional.of(Cost.NOTHING)));
      shares.put(part, share.plus(planned, most));
    }
    return new Workload(List.copyOf(shares.values()), calls, calls.size());
  }
}
