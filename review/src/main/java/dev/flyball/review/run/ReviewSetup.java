package dev.flyball.review.run;

import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.forecast.AssumedLimits;
import dev.flyball.forecast.FollowUp;
import dev.flyball.forecast.ReviewedFile;
import dev.flyball.forecast.Survey;
import dev.flyball.history.History;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.review.ask.ModelEffort;
import dev.flyball.review.ask.Reviewer;
import dev.flyball.review.ask.SecondLook;
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
import dev.flyball.review.plan.Unit;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.CostMeter;
import dev.flyball.run.Destination;
import dev.flyball.run.Estimation;
import dev.flyball.run.ForecastInputs;
import dev.flyball.run.KeyLanes;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.RunSetup;
import dev.flyball.run.Workload;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * A review that is ready to be planned: the subject, the lenses, the models that are asked and the
 * room that their prompts have. Nothing is sent by it. A plan is made without a forecast, and a
 * forecast only for whoever asks for it.
 *
 * <p>Long because every choice of a review meets here: models, lenses, budget, forecast and what is
 * remembered.
 */
public final class ReviewSetup {
  private static final Set<String> HOLD_TO_SCHEMAS = Set.of("openai", "azure");
  static final String COMMAND = "review";
  private static final String DIGESTS = "digests.bin";
  private static final int USUAL_HANDS = 4;
  private static final long TOKENS_AROUND = 1_000;
  private static final FollowUp SECOND_LOOK = new FollowUp(1, 3_000, 250);
  private static final FollowUp DELIBERATION = new FollowUp(1, 1_500, 200);

  /** A model as a review asks it. */
  private record Candidate(String model, KeyLanes keys, Optional<Price> price, PromptRoom room) {
    /** The lane that stands for all of them where nothing is sent. */
    LaneId lane() {
      return keys.first().id();
    }
  }

  private final RunSetup run;
  private final Subject subject;
  private final ReviewSettings settings;
  private final LearnedFile learned;
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
    this.state = ReviewState.of(run.environment(), subject);
    this.subject = subject;
    this.settings = settings;
    this.learned = run.learned();
    this.now = run.time().wall();
    this.lenses = lenses(subject, run.files(), settings.lenses());
    this.dialect = dialect(run, settings);
    this.to =
        run.providers()
            .destination(dialect)
            .orElseThrow(() -> new IllegalStateException("a provider speaks its own dialect"));
    this.costs = run.costs();
    var usual = usual(run, dialect);
    var models = settings.models();
    var deep =
        models
            .deep()
            .or(() -> usual.map(ProviderCatalogue.Reviewers::deep))
            .orElseThrow(ReviewSetup::unnamed);
    var fast =
        models
            .fast()
            .or(models::deep)
            .or(() -> usual.map(ProviderCatalogue.Reviewers::fast))
            .orElse(deep);
    this.candidates =
        Map.of(
            Tier.DEEP,
            candidate(deep, inputs),
            Tier.FAST,
            candidate(fast, inputs),
            Tier.LEAD,
            candidate(models.lead().orElse(deep), inputs));
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

  /** What the prompts and answers of a tier's model have room for. */
  PromptRoom room(Tier tier) {
    return candidate(tier).room();
  }

  /** What is known of the lanes before their first reply. */
  LaneProfile profile() {
    return run.catalogue().style(to.style());
  }

  /** Which list of prices counts. */
  public String pricesVersion() {
    return run.prices().version();
  }

  /** The lanes of the model for lenses of a tier, one for each key. */
  public List<LaneId> lanes(Tier tier) {
    return candidate(tier).keys().all().stream().map(KeyLanes.KeyLane::id).toList();
  }

  /** The models that are asked. */
  public Map<Tier, Reviewer> reviewers() {
    return Map.of(
        Tier.DEEP,
        reviewer(Tier.DEEP),
        Tier.FAST,
        reviewer(Tier.FAST),
        Tier.LEAD,
        reviewer(Tier.LEAD));
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
            settings.bounds().budgetTokens(),
            settings.reserve(),
            settings.samples(),
            settings.tests(),
            settings.purpose(),
            Map.of(
                Tier.DEEP,
                candidate(Tier.DEEP).room(),
                Tier.FAST,
                candidate(Tier.FAST).room(),
                Tier.LEAD,
                candidate(Tier.LEAD).room()));
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
        inputs.estimate(workload(plan, inputs)),
        Survey.of(
            plan.scope().sizes().stream()
                .map(file -> new ReviewedFile(file.tokens(), file.symbols()))
                .toList(),
            lenses.size(),
            inputs.concurrency().orElse(USUAL_HANDS)));
  }

  /**
   * A unit that is asked, and how often that is expected if it can only be asked when all others
   * have their answers.
   */
  private record Asked(Unit unit, OptionalDouble later) {}

  private List<Asked> later(ReviewPlan plan, ForecastInputs inputs) {
    var later = new ArrayList<Asked>();
    plan.units().stream()
        .filter(unit -> unit.lenses().isEmpty())
        .forEach(unit -> later.add(new Asked(unit, OptionalDouble.of(1))));
    if (settings.verify() && !plan.units().isEmpty()) {
      later.add(expected("second-look", SecondLook.CLAIMS_OF_A_CALL, SECOND_LOOK, plan, inputs));
    }
    if (settings.deliberate() && !plan.units().isEmpty()) {
      later.add(expected("deliberation", 1, DELIBERATION, plan, inputs));
    }
    return later;
  }

  /** What the answers of others give rise to: as often as they did in earlier reviews. */
  private Asked expected(
      String part, int together, FollowUp usual, ReviewPlan plan, ForecastInputs inputs) {
    var lead = candidate(Tier.LEAD);
    var past = inputs.followed(COMMAND, lead.model(), part);
    var follows = FollowUp.of(past, plan.units().size(), together, usual);
    var unit = Unit.planned(part, follows.input(), follows.output(), lead.room().output());
    return new Asked(unit, OptionalDouble.of(follows.calls()));
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
        chosen.keys(),
        dialect,
        run.providers().simulated(),
        chosen.model(),
        forms,
        chosen.price(),
        settings.models().effort());
  }

  private static Lens.SubjectKind applies(Subject subject) {
    return subject.isChange() ? Lens.SubjectKind.CHANGE : Lens.SubjectKind.REPOSITORY;
  }

  /**
   * Those that are asked: ours, with those that the folder, or the state before a change, has of
   * its own.
   *
   * @param names those that somebody chose; if none, the usual ones
   * @throws IllegalArgumentException if there is none of such a name
   */
  public static List<Lens> lenses(Subject subject, ConfigFiles files, Collection<String> names)
      throws SourceUnavailable {
    var all = lenses(subject, files);
    return names.isEmpty() ? all.of(applies(subject)) : all.of(applies(subject), names);
  }

  private static Lenses lenses(Subject subject, ConfigFiles files) throws SourceUnavailable {
    Map<String, String> pages = new TreeMap<>();
    for (var name : subject.namesBefore(Lenses.FOLDER)) {
      if (name.endsWith(".md")) {
        subject.before(Lenses.FOLDER + "/" + name).ifPresent(text -> pages.put(name, text));
      }
    }
    return Lenses.ours().with(files.lenses(), pages);
  }

  private static IllegalArgumentException unnamed() {
    return new IllegalArgumentException(
        "--model: there is no default model for reviews with this provider: name one");
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
    var model = settings.models().deep();
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
    var keys = new KeyLanes(to, run.catalogue().modelClass(to.style(), model));
    var lane = keys.first().id();
    var price = costs.price(payee(), model, now);
    long answer = settings.models().maxOutput().orElse(PromptRoom.USUAL_OUTPUT);
    var thought = effort(model);
    long output =
        Math.min(
            answer + thought.map(ModelEffort::most).orElse(0L),
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
        model,
        keys,
        price,
        new PromptRoom(
            Math.max(1, input),
            output,
            thought.map(ModelEffort::usual).orElse(0L),
            Integer.MAX_VALUE));
  }

  /** What a model makes of an effort before it answers: some only if they are told to. */
  private Optional<ModelEffort> effort(String model) {
    var told = settings.models().effort();
    return switch (dialect) {
      case ANTHROPIC -> told;
      case OPENAI ->
          ModelEffort.isThinking(model)
              ? told.or(() -> Optional.of(ModelEffort.MEDIUM))
              : Optional.empty();
    };
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

  private Workload workload(ReviewPlan plan, ForecastInputs inputs) {
    var shares = new LinkedHashMap<String, Workload.Share>();
    var calls = new ArrayList<Workload.Planned>();
    var units = new ArrayList<Asked>();
    plan.units().stream()
        .filter(unit -> !unit.lenses().isEmpty())
        .forEach(unit -> units.add(new Asked(unit, OptionalDouble.empty())));
    units.addAll(later(plan, inputs));
    for (var asked : units) {
      var unit = asked.unit();
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
              unit.prefix() > 0
                  ? Optional.of(reviewer.model() + " " + unit.sharedKey())
                  : Optional.empty(),
              unit.prefix(),
              asked.later());
      calls.add(planned);
      var most =
          reviewer
              .price()
              .flatMap(
                  price ->
                      price.most(unit.input(), unit.mostOutput(), Reviewer.pays(dialect, price)));
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
