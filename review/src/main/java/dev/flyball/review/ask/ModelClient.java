package dev.flyball.review.ask;

import dev.flyball.call.Account;
import dev.flyball.call.Attempt;
import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Tenant;
import dev.flyball.call.Work;
import dev.flyball.llm.ProviderAnswer;
import dev.flyball.llm.ProviderRequest;
import dev.flyball.llm.reply.ReplyHead;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.ChargedReply;
import dev.flyball.run.FinishedAttempt;
import dev.flyball.run.RunBounds;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * The client that carries units to the models and brings back what they say: inside the limits,
 * inside the budget, without secrets, and each attempt counted for what it used or may have used.
 */
public final class ModelClient {
  /** The account that a review's units are paid by. */
  public static final Account ACCOUNT = Account.of("review");

  private static final int LAST = 60;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final Duration AT_LEAST = Duration.ofSeconds(30);
  private static final Duration EACH_TOKEN = Duration.ofMillis(40);
  private static final int CHARACTERS_OF_A_TOKEN = 3;

  /** How long a unit waits for a lane that rests again and again. */
  private static final Duration RESTS = Duration.ofMinutes(2);

  private static final long A_REST = 100_000_000;

  /** What kept an answer away. */
  public enum Cause {
    /** There is no room for it in the budget. */
    BUDGET,
    /** It was never sent, because the run was ended. */
    STOPPED,
    /** No reply came, or the provider refused it. */
    PROVIDER,
    /** What came was no answer. */
    MODEL
  }

  /** What came of a call. */
  sealed interface Heard {
    record Came(ModelOutput output) implements Heard {}

    record Failed(Cause cause, String why) implements Heard {}
  }

  private final Subject subject;
  private final Flyball flyball;
  private final Tenant tenant;
  private final Account payer;
  private final Map<Tier, Reviewer> reviewers;
  private final Redaction redaction;
  private final UnitListener listener;
  private final Time time;

  /** All units come at once, and what they say is large. */
  private final Semaphore reading = new Semaphore(Runtime.getRuntime().availableProcessors());

  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private volatile boolean tried;
  private volatile boolean reached;
  private volatile boolean turnedAway;

  /**
   * Through a scheduler.
   *
   * @param tenant whose share of the lanes is taken
   * @param payer who pays for all that is asked
   */
  public ModelClient(
      Subject subject,
      Flyball flyball,
      Tenant tenant,
      Account payer,
      Map<Tier, Reviewer> reviewers,
      Redaction redaction,
      UnitListener listener,
      Time time) {
    this.subject = subject;
    this.flyball = flyball;
    this.tenant = tenant;
    this.payer = payer;
    this.reviewers = Map.copyOf(reviewers);
    this.redaction = redaction;
    this.listener = listener;
    this.time = time;
  }

  /** Whether nobody was there, or nobody let us in, however often it was tried. */
  public boolean unreachable() {
    return tried && !reached;
  }

  /** Whether a provider was there that let nobody in, or had nothing where we asked. */
  public boolean turnedAway() {
    return turnedAway && !reached;
  }

  /** Whether nobody let us in, or nothing is where we asked. */
  private static boolean isNowhere(ReplyHead head, Reply<?> reply) {
    boolean noPath =
        (head.status() == NOT_FOUND || head.status() == NOT_ALLOWED)
            && reply instanceof Reply.Rejected<?> no
            && no.whole();
    return noPath || head.status() == UNAUTHORIZED || head.status() == FORBIDDEN;
  }

  /** The tokens that are neither used nor held; empty if there is no limit. */
  OptionalLong left() {
    return budgets()
        .filter(it -> it.budget().tokens().isPresent())
        .mapToLong(it -> it.budget().tokens().orElse(0) - it.tokensSpent() - it.tokensHeld())
        .min();
  }

  /** What may be spent on what a review can do without; empty if there is no limit. */
  OptionalLong spare() {
    boolean priced = budgets().anyMatch(it -> it.budget().money().isPresent());
    return priced ? OptionalLong.of(0) : left();
  }

  /** Those that what is asked here must fit into: that of whoever pays, and of all above. */
  private Stream<BudgetSnapshot> budgets() {
    var ours = new HashSet<Account>();
    for (var at = Optional.of(payer); at.isPresent(); at = at.get().parent()) {
      ours.add(at.get());
    }
    return flyball.snapshot().budgets().stream().filter(it -> ours.contains(it.account()));
  }

  /** Whether a unit was ever sent. */
  boolean wasSent(Unit unit) {
    return sent.contains(unit.name());
  }

  /** Who answers a unit: a model, and for which time it is asked. */
  String source(Unit unit) {
    var model = reviewer(unit).model();
    return unit.sample() == 1 ? model : model + " #" + unit.sample();
  }

  private Reviewer reviewer(Unit unit) {
    var reviewer = reviewers.get(unit.tier());
    if (reviewer == null) {
      throw new IllegalStateException("there is a model for each tier");
    }
    return reviewer;
  }

  /** The longest answer that a unit's model can be allowed. */
  long longestAnswer(Unit unit) {
    return reviewer(unit).longestAnswer();
  }

  /** What an answer to a unit is kept under, by what would be said at this moment. */
  String key(Unit unit, AnswerSchema schema) throws SourceUnavailable, InterruptedException {
    reading.acquire();
    try {
      return AnswerKey.of(unit, schema, unit.material(subject), reviewer(unit));
    } finally {
      reading.release();
    }
  }

  /**
   * Asks, and waits for as long as limits and budget want it.
   *
   * @param key what the answer will be kept under, if it is: nothing is sent if what would be said
   *     has become something else since
   */
  Heard ask(
      Unit unit, AnswerSchema schema, Optional<String> key, Optional<ReviewRequest.Earlier> earlier)
      throws InterruptedException {
    var reviewer = reviewer(unit);
    var estimate = estimate(unit, earlier, reviewer);
    var call =
        reviewer
            .keys()
            .call()
            .estimated(estimate)
            .priority(priority(unit))
            .on(tenant)
            .paidBy(payer)
            .kind(unit.part())
            .named(unit.name());
    Outcome<ProviderAnswer> outcome =
        throughRests(
            isCached(unit, reviewer) ? call.sharing(unit.sharedKey()) : call,
            attempt -> {
              listener.state(unit, UnitState.RUNNING, "");
              sent.add(unit.name());
              byte[] body;
              try {
                if (key.isPresent()
                    && !key.get()
                        .equals(AnswerKey.of(unit, schema, unit.material(subject), reviewer))) {
                  return Reply.rejected("a file has changed since it was read", "review again");
                }
                var material = unit.material(subject, redaction::of);
                body = ReviewRequest.of(unit, schema, material, reviewer, earlier);
              } catch (SourceUnavailable gone) {
                return Reply.rejected(
                    String.valueOf(gone.getMessage()), "the file is gone: review again");
              }
              return send(unit, body, reviewer, estimate, attempt);
            });
    return switch (outcome) {
      case Outcome.Done<ProviderAnswer>(var answer, var usage, var attempts) ->
          new Heard.Came(
              ModelOutput.of(reviewer.dialect(), schema, answer.body()).withoutSecrets());
      case Outcome.GaveUp<ProviderAnswer> gaveUp ->
          new Heard.Failed(Cause.PROVIDER, RunBounds.inOptions(gaveUp.why()));
      case Outcome.Refused<ProviderAnswer>(var refusal, var attempts) ->
          new Heard.Failed(cause(refusal), refusal.advice());
    };
  }

  /**
   * Runs a call, and hands it in again when a lane has rested. A scheduler of its own waits rests
   * out by itself; one that is shared may refuse meanwhile, for the sake of those who cannot wait.
   */
  private Outcome<ProviderAnswer> throughRests(Call call, Work<ProviderAnswer> work)
      throws InterruptedException {
    long until = time.nanos() + RESTS.toNanos();
    for (; ; ) {
      var outcome = flyball.run(call, work);
      if (!(outcome instanceof Outcome.Refused<ProviderAnswer>(var why, var attempts))
          || !(why instanceof Refusal.Resting(var left))
          || time.nanos() + left.toNanos() > until) {
        return outcome;
      }
      var over = new CountDownLatch(1);
      var alarm = time.alarm(time.nanos() + Math.max(left.toNanos(), A_REST), over::countDown);
      try {
        over.await();
      } finally {
        alarm.silence();
      }
    }
  }

  private Reply<ProviderAnswer> send(
      Unit unit, byte[] body, Reviewer reviewer, Estimate estimate, Attempt attempt)
      throws IOException, InterruptedException {
    var request =
        new ProviderRequest(
                reviewer.dialect(),
                ReviewRequest.path(reviewer.dialect()),
                body,
                Map.of("x-client-request-id", unit.key()),
                estimate.input())
            .atMost(OptionalLong.of(unit.mostOutput()))
            .within(deadline(unit, attempt.number()));
    var lane = reviewer.keys().of(attempt.lane());
    long sent = time.nanos();
    try (var exchange = lane.provider().exchange(request, attempt)) {
      var took = Duration.ofNanos(time.nanos() - sent);
      tried = true;
      exchange.head().ifPresent(head -> reviewer.keys().came(lane, head, flyball));
      if (exchange.head().isPresent()) {
        if (isNowhere(exchange.head().get(), exchange.reply())) {
          turnedAway = true;
        } else {
          reached = true;
        }
      }
      if (exchange.reply() instanceof Reply.Rejected<ProviderAnswer> no && no.whole()) {
        reviewer.keys().refused(lane);
      }
      return charged(unit, reviewer, attempt, estimate, exchange.reply(), took);
    }
  }

  /** Whether its provider keeps what it and others begin with, so that one should lead. */
  static boolean isCached(Unit unit, Reviewer reviewer) {
    var smallest =
        reviewer.price().map(price -> price.limits().smallestPrefix()).orElse(OptionalLong.empty());
    return smallest.isPresent() && unit.prefix() >= smallest.getAsLong();
  }

  /**
   * All units come at once, so that the more important lenses go first by a minute each, and second
   * samples after everything has been asked once.
   */
  private static Priority priority(Unit unit) {
    int rank = unit.lenses().stream().mapToInt(Lens::priority).min().orElse(LAST);
    return new Priority(Duration.ofMinutes(Math.min(rank, LAST) + (unit.sample() - 1L) * LAST));
  }

  private static Estimate estimate(
      Unit unit, Optional<ReviewRequest.Earlier> earlier, Reviewer reviewer) {
    long more = earlier.map(it -> (long) it.answer().length() / CHARACTERS_OF_A_TOKEN).orElse(0L);
    var tokens = Estimate.of(unit.input() + more, unit.mostOutput()).expecting(unit.output());
    if (reviewer.simulated()) {
      return tokens.costingAtMost(Cost.NOTHING);
    }
    return reviewer
        .price()
        .flatMap(
            price ->
                price.most(
                    unit.input() + more,
                    unit.mostOutput(),
                    Reviewer.pays(reviewer.dialect(), price)))
        .map(tokens::costingAtMost)
        .orElse(tokens);
  }

  /**
   * How long an attempt may take once it is sent: half a minute and the time that half of its
   * longest answer may take; after the first, the time that all of it may take, so that a unit with
   * much to say is not cut each time.
   */
  static Duration deadline(Unit unit, int attempt) {
    long tokens = attempt == 1 ? Math.max(unit.output(), unit.mostOutput() / 2) : unit.mostOutput();
    return AT_LEAST.plus(EACH_TOKEN.multipliedBy(tokens));
  }

  private static Cause cause(Refusal refusal) {
    return switch (refusal) {
      case Refusal.BudgetSpent spent -> Cause.BUDGET;
      case Refusal.Unpriced unpriced -> Cause.BUDGET;
      case Refusal.ShuttingDown ending -> Cause.STOPPED;
      case Refusal.Withdrawn withdrawn -> Cause.STOPPED;
      case Refusal.TooLate late -> Cause.STOPPED;
      case Refusal.QueueFull full -> Cause.PROVIDER;
      case Refusal.TooLarge large -> Cause.PROVIDER;
      case Refusal.Resting resting -> Cause.PROVIDER;
      case Refusal.Parked parked -> Cause.PROVIDER;
      case Refusal.LaneShut shut -> Cause.PROVIDER;
    };
  }

  /** A reply with what it used and cost, or may have, so that budgets hold. */
  private Reply<ProviderAnswer> charged(
      Unit unit,
      Reviewer reviewer,
      Attempt attempt,
      Estimate estimate,
      Reply<ProviderAnswer> reply,
      Duration took) {
    var charged =
        ChargedReply.of(
            reply, estimate, reviewer.simulated() ? Optional.empty() : reviewer.price());
    listener.tried(
        unit,
        new FinishedAttempt(
            new FinishedAttempt.Of(
                attempt.lane(),
                reviewer.model(),
                unit.name(),
                unit.part(),
                unit.input(),
                estimate.maxOutput()),
            attempt.number(),
            reply,
            charged.usage(),
            charged.cost(),
            took,
            Map.of(),
            time.wall()),
        estimate);
    return charged.reply();
  }
}
