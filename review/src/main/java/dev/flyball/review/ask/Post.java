package dev.flyball.review.ask;

import dev.flyball.call.Account;
import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.call.Work;
import dev.flyball.llm.Answer;
import dev.flyball.llm.Ask;
import dev.flyball.llm.Head;
import dev.flyball.review.plan.Lens;
import dev.flyball.review.plan.Lens.Tier;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.review.source.Subject;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Carries units to the models and brings back what they say: inside the limits, inside the budget,
 * without secrets, and each attempt counted for what it used or may have used.
 */
public final class Post {
  /** The account that a review's units are paid by. */
  public static final Account ACCOUNT = Account.of("review");

  private static final int LAST = 60;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final Duration AT_LEAST = Duration.ofSeconds(30);
  private static final Duration EACH_TOKEN = Duration.ofMillis(40);
  private static final int CHARACTERS_OF_A_TOKEN = 3;

  /**
   * One attempt at a unit, after it is over.
   *
   * @param number 1 for the first
   * @param usage what it used, or may have used
   * @param cost of that, empty when the price is not known
   */
  public record Tried(
      Reviewer reviewer,
      int number,
      Reply<?> reply,
      Estimate estimate,
      Usage usage,
      Optional<Cost> cost,
      Duration took) {}

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
    record Came(Said said) implements Heard {}

    record Failed(Cause cause, String why) implements Heard {}
  }

  private final Subject subject;
  private final Flyball flyball;
  private final Map<Tier, Reviewer> reviewers;
  private final Redaction redaction;
  private final Inquiry.Watcher watcher;
  private final Time time;
  private volatile boolean tried;
  private volatile boolean reached;

  public Post(
      Subject subject,
      Flyball flyball,
      Map<Tier, Reviewer> reviewers,
      Redaction redaction,
      Inquiry.Watcher watcher,
      Time time) {
    this.subject = subject;
    this.flyball = flyball;
    this.reviewers = Map.copyOf(reviewers);
    this.redaction = redaction;
    this.watcher = watcher;
    this.time = time;
  }

  /** Whether nobody was there, or nobody let us in, however often it was tried. */
  public boolean unreachable() {
    return tried && !reached;
  }

  private static boolean isKeyRefused(Head head) {
    return head.status() == UNAUTHORIZED || head.status() == FORBIDDEN;
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

  /** Asks, and waits for as long as limits and budget want it. */
  Heard ask(Unit unit, Optional<Letter.Earlier> earlier) throws InterruptedException {
    return ask(unit, Form.of(unit), earlier);
  }

  Heard ask(Unit unit, Form form, Optional<Letter.Earlier> earlier) throws InterruptedException {
    var reviewer = reviewer(unit);
    var estimate = estimate(unit, earlier, reviewer);
    Work<Answer> work =
        attempt -> {
          watcher.state(unit, Inquiry.State.RUNNING, "");
          byte[] body;
          try {
            var material = redaction.of(unit.material(subject));
            body = Letter.of(unit, form, material, reviewer, earlier);
          } catch (SourceUnavailable gone) {
            return Reply.rejected(
                String.valueOf(gone.getMessage()), "the file is gone: review again");
          }
          var ask =
              new Ask(
                      reviewer.dialect(),
                      Letter.path(reviewer.dialect()),
                      body,
                      Map.of("x-client-request-id", unit.key()),
                      estimate.input())
                  .within(deadline(unit, attempt.number()));
          long sent = time.nanos();
          var exchange = reviewer.provider().exchange(ask, attempt);
          var took = Duration.ofNanos(time.nanos() - sent);
          tried = true;
          if (exchange.head().filter(head -> !isKeyRefused(head)).isPresent()) {
            reached = true;
          }
          return charged(unit, reviewer, attempt.number(), estimate, exchange.reply(), took);
        };
    var call =
        Call.to(reviewer.lane())
            .estimated(estimate)
            .priority(priority(unit))
            .paidBy(ACCOUNT)
            .kind(unit.part())
            .named(unit.name());
    return switch (flyball.run(call, work)) {
      case Outcome.Done<Answer>(var answer, var usage, var attempts) ->
          new Heard.Came(Said.of(reviewer.dialect(), form, answer.body()));
      case Outcome.GaveUp<Answer> gaveUp -> new Heard.Failed(Cause.PROVIDER, gaveUp.why());
      case Outcome.Refused<Answer>(var refusal, var attempts) ->
          new Heard.Failed(cause(refusal), refusal.advice());
    };
  }

  /**
   * All units come at once, so that the more important lenses go first by a minute each, and second
   * samples after everything has been asked once.
   */
  private static Priority priority(Unit unit) {
    int rank = unit.lenses().stream().mapToInt(Lens::priority).min().orElse(LAST);
    return new Priority(Duration.ofMinutes(Math.min(rank, LAST) + (unit.sample() - 1L) * LAST));
  }

  private static Estimate estimate(Unit unit, Optional<Letter.Earlier> earlier, Reviewer reviewer) {
    long more = earlier.map(it -> (long) it.answer().length() / CHARACTERS_OF_A_TOKEN).orElse(0L);
    var tokens = Estimate.of(unit.input() + more, unit.mostOutput()).expecting(unit.output());
    return reviewer
        .price()
        .flatMap(price -> price.most(unit.input() + more, unit.mostOutput(), true))
        .map(tokens::costingAtMost)
        .orElse(tokens);
  }

  /**
   * How long an attempt may take once it is sent: half a minute and the time that its answer is
   * expected to take; after the first, the time that its longest answer may take, so that a unit
   * with much to say is not cut each time.
   */
  static Duration deadline(Unit unit, int attempt) {
    long tokens = attempt == 1 ? unit.output() : unit.mostOutput();
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
  private Reply<Answer> charged(
      Unit unit,
      Reviewer reviewer,
      int number,
      Estimate estimate,
      Reply<Answer> reply,
      Duration took) {
    var most = Usage.of(estimate.input(), estimate.maxOutput());
    var used =
        switch (reply) {
          case Reply.Answered<Answer> answered -> answered.usage();
          case Reply.CutShort<Answer> cut -> cut.usage().output() > 0 ? cut.usage() : most;
          case Reply.Broken<Answer> broken -> broken.sent() ? most : Usage.NONE;
          case Reply.Throttled<Answer> throttled -> Usage.NONE;
          case Reply.Overloaded<Answer> overloaded -> Usage.NONE;
          case Reply.Rejected<Answer> rejected -> Usage.NONE;
        };
    var cost =
        used.tokens() == 0
            ? Optional.of(Cost.NOTHING)
            : reviewer.price().flatMap(price -> price.cost(used));
    var tried = new Tried(reviewer, number, reply, estimate, used, cost, took);
    watcher.tried(unit, tried);
    var charged = used.costing(cost.or(estimate::cost).orElse(Cost.NOTHING));
    return switch (reply) {
      case Reply.Answered<Answer>(var answer, var usage, var signals) ->
          new Reply.Answered<>(answer, charged, signals);
      case Reply.CutShort<Answer>(var why, var usage, var signals) ->
          new Reply.CutShort<>(why, charged, signals);
      case Reply.Broken<Answer> broken -> broken;
      case Reply.Throttled<Answer> throttled -> throttled;
      case Reply.Overloaded<Answer> overloaded -> overloaded;
      case Reply.Rejected<Answer> rejected -> rejected;
    };
  }
}
