package dev.flyball.review.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Account;
import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.llm.Answer;
import dev.flyball.llm.Ask;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.plan.Excerpt;
import dev.flyball.review.plan.Lens.Tier;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.review.source.Subject;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks the units of a plan, each as soon as the scheduler lets it go, and keeps what was answered.
 *
 * <p>A unit has an answer only if a model said, in whole JSON, that it looked at everything that it
 * was shown. What was cut off, refused, filtered, garbled or left out is asked once more, with the
 * first answer; an answer that does not fit is asked for in halves; what then is missing stays
 * unanswered and is named. Nothing that failed is ever taken for "nothing found".
 */
public final class Inquiry {
  /** The account that a review's units are paid by. */
  public static final Account ACCOUNT = Account.of("review");

  private static final int HALVINGS = 4;
  private static final int MORE_FILES = 3;
  private static final int MORE_CHARACTERS = 40_000;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** How far a unit is. */
  public enum State {
    PENDING,
    RUNNING,
    DONE,
    CACHED,
    ERROR
  }

  /** Who is told what happens; from any thread. */
  public interface Watcher {
    void state(Unit unit, State state, String why);

    /** After each attempt. */
    void tried(Unit unit, Tried tried);
  }

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

  /**
   * What became of the units.
   *
   * @param unanswered what has no answer, by unit and file, and why
   * @param lost findings that were dropped because their quotes are nowhere
   * @param asked how many units were asked in this run
   * @param cached how many had been answered before
   */
  public record Answers(
      List<Claim> claims, List<Unanswered> unanswered, int lost, int asked, int cached) {
    public Answers {
      claims = List.copyOf(claims);
      unanswered = List.copyOf(unanswered);
    }
  }

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

  /** A part of a unit without an answer. */
  public record Unanswered(Unit unit, List<String> what, Cause cause, String why) {
    public Unanswered {
      what = List.copyOf(what);
    }
  }

  private final Subject subject;
  private final Flyball flyball;
  private final Map<Tier, Reviewer> reviewers;
  private final Journal journal;
  private final Watcher watcher;
  private final Redaction redaction;
  private final Time time;

  public Inquiry(
      Subject subject,
      Flyball flyball,
      Map<Tier, Reviewer> reviewers,
      Journal journal,
      Redaction redaction,
      Watcher watcher,
      Time time) {
    this.subject = subject;
    this.flyball = flyball;
    this.reviewers = Map.copyOf(reviewers);
    this.journal = journal;
    this.redaction = redaction;
    this.watcher = watcher;
    this.time = time;
  }

  /** Asks all of them; what was answered before is not asked again. */
  public Answers ask(List<Unit> units) throws InterruptedException {
    var ends = new ArrayList<CompletableFuture<End>>();
    var cached = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var unit : units) {
        var end = new CompletableFuture<End>();
        ends.add(end);
        threads.execute(() -> end.complete(end(unit, cached)));
      }
    }
    var claims = new ArrayList<Claim>();
    var unanswered = new ArrayList<Unanswered>();
    int lost = 0;
    for (var each : ends) {
      var end = each.join();
      claims.addAll(end.claims);
      unanswered.addAll(end.unanswered);
      lost += end.lost;
    }
    return new Answers(claims, unanswered, lost, units.size() - cached.get(), cached.get());
  }

  /** What became of one unit. */
  private record End(List<Claim> claims, List<Unanswered> unanswered, int lost, boolean cached) {
    static End of(Report report, boolean cached) {
      return new End(report.claims(), List.of(), report.lost(), cached);
    }

    static End nothing(Unit unit, Cause cause, String why) {
      return new End(List.of(), List.of(new Unanswered(unit, named(unit), cause, why)), 0, false);
    }

    End and(End other) {
      var claims = new ArrayList<>(this.claims);
      claims.addAll(other.claims);
      var unanswered = new ArrayList<>(this.unanswered);
      unanswered.addAll(other.unanswered);
      return new End(claims, unanswered, lost + other.lost, cached && other.cached);
    }
  }

  private End end(Unit unit, AtomicInteger cached) {
    watcher.state(unit, State.PENDING, "");
    End end;
    try {
      end = answered(unit, HALVINGS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      end = End.nothing(unit, Cause.STOPPED, "stopped");
    } catch (IOException | SourceUnavailable | RuntimeException broken) {
      end = End.nothing(unit, Cause.PROVIDER, String.valueOf(broken.getMessage()));
    }
    if (end.cached) {
      cached.incrementAndGet();
    }
    watcher.state(
        unit,
        end.unanswered.isEmpty() ? end.cached ? State.CACHED : State.DONE : State.ERROR,
        end.unanswered.isEmpty() ? "" : end.unanswered.getFirst().why());
    return end;
  }

  private static List<String> named(Unit unit) {
    return unit.excerpts().isEmpty() ? List.of(unit.name()) : unit.files();
  }

  private End answered(Unit unit, int halvings)
      throws IOException, SourceUnavailable, InterruptedException {
    var reviewer = reviewer(unit);
    var key = unit.key() + "/" + reviewer.model();
    var before = journal.answer(key);
    if (before.isPresent()) {
      return before.get().path("split").asBoolean(false)
          ? halves(unit, halvings)
          : End.of(Report.of(unit, before.get(), subject, reviewer.model()), true);
    }
    var first = said(unit, Optional.empty());
    if (first instanceof Heard.Failed(var cause, var why)) {
      return End.nothing(unit, cause, why);
    }
    var said = ((Heard.Came) first).said();
    if (said instanceof Said.Nothing nothing) {
      if (nothing.flaw() == Said.Flaw.CUT_OFF && halvings > 0 && isDivisible(unit)) {
        journal.keep(key, unit.name(), NODES.objectNode().put("split", true));
        return halves(unit, halvings);
      }
      var earlier = new Letter.Earlier(nothing.text(), nothing.why());
      return nothing.flaw().again()
          ? repaired(unit, key, Optional.empty(), earlier)
          : End.nothing(unit, Cause.MODEL, nothing.why());
    }
    var object = ((Said.Whole) said).object();
    var report = Report.of(unit, object, subject, reviewer.model());
    if (!report.missing().isEmpty()) {
      var why = "it did not say that it looked at " + String.join(", ", report.missing());
      return repaired(unit, key, Optional.of(object), new Letter.Earlier(object.toString(), why));
    }
    var wider = wider(unit, report.wanted());
    if (wider.isPresent()) {
      var more = said(wider.get(), Optional.empty());
      if (more instanceof Heard.Came(Said.Whole(var second))) {
        var better = Report.of(unit, second, subject, reviewer.model());
        if (better.missing().isEmpty()) {
          journal.keep(key, unit.name(), second);
          return End.of(better, false);
        }
      }
    }
    journal.keep(key, unit.name(), object);
    return End.of(report, false);
  }

  private End repaired(Unit unit, String key, Optional<JsonNode> first, Letter.Earlier earlier)
      throws IOException, SourceUnavailable, InterruptedException {
    var again = said(unit, Optional.of(earlier));
    var source = reviewer(unit).model();
    if (again instanceof Heard.Came(Said.Whole(var second))) {
      var both = first.map(object -> united(object, second)).orElse(second);
      var report = Report.of(unit, both, subject, source);
      if (report.missing().isEmpty()) {
        journal.keep(key, unit.name(), both);
        return End.of(report, false);
      }
      return partly(unit, report, Cause.MODEL, "never said that it looked at it");
    }
    var failed =
        switch (again) {
          case Heard.Failed no -> no;
          case Heard.Came(Said.Nothing nothing) -> new Heard.Failed(Cause.MODEL, nothing.why());
          case Heard.Came(Said.Whole whole) -> new Heard.Failed(Cause.MODEL, earlier.why());
        };
    if (first.isPresent()) {
      var report = Report.of(unit, first.get(), subject, source);
      return partly(unit, report, failed.cause(), failed.why());
    }
    return End.nothing(unit, failed.cause(), failed.why());
  }

  /** What was found counts, and what was not looked at is named. */
  private static End partly(Unit unit, Report report, Cause cause, String why) {
    return new End(
        report.claims(),
        List.of(new Unanswered(unit, report.missing(), cause, why)),
        report.lost(),
        false);
  }

  private static JsonNode united(JsonNode one, JsonNode other) {
    var both = (ObjectNode) one.deepCopy();
    for (var list : List.of("reviewed", "findings")) {
      var all = NODES.arrayNode();
      one.path(list).forEach(all::add);
      other.path(list).forEach(all::add);
      both.set(list, all);
    }
    return both;
  }

  private static boolean isDivisible(Unit unit) {
    return unit.excerpts().size() > 1
        || (unit.excerpts().size() == 1 && unit.excerpts().getFirst().symbols().size() > 1);
  }

  private End halves(Unit unit, int halvings)
      throws IOException, SourceUnavailable, InterruptedException {
    List<Excerpt> first;
    List<Excerpt> second;
    int size = unit.excerpts().size();
    if (size > 1) {
      first = unit.excerpts().subList(0, size / 2);
      second = unit.excerpts().subList(size / 2, size);
    } else {
      var only = unit.excerpts().getFirst();
      int symbols = only.symbols().size();
      first = List.of(only.about(only.symbols().subList(0, symbols / 2)));
      second = List.of(only.about(only.symbols().subList(symbols / 2, symbols)));
    }
    return answered(unit.about(first), halvings - 1)
        .and(answered(unit.about(second), halvings - 1));
  }

  /** With files of the repository that a model said it has to see; once, and only so much. */
  private Optional<Unit> wider(Unit unit, List<String> wanted) throws SourceUnavailable {
    var more = new ArrayList<Excerpt>();
    for (var path : wanted) {
      if (more.size() < MORE_FILES && !unit.files().contains(path)) {
        subject
            .text(path)
            .filter(text -> text.length() <= MORE_CHARACTERS)
            .ifPresent(text -> more.add(Excerpt.reference(path, text)));
      }
    }
    return more.isEmpty() ? Optional.empty() : Optional.of(unit.beside(more));
  }

  private Reviewer reviewer(Unit unit) {
    var reviewer = reviewers.get(unit.tier());
    if (reviewer == null) {
      throw new IllegalStateException("there is a model for each tier");
    }
    return reviewer;
  }

  /** What came of a call. */
  private sealed interface Heard {
    record Came(Said said) implements Heard {}

    record Failed(Cause cause, String why) implements Heard {}
  }

  private Heard said(Unit unit, Optional<Letter.Earlier> earlier) throws InterruptedException {
    var reviewer = reviewer(unit);
    long more = earlier.map(it -> it.answer().length() / 3L).orElse(0L);
    var tokens = Estimate.of(unit.input() + more, unit.mostOutput()).expecting(unit.output());
    var estimate =
        reviewer
            .price()
            .flatMap(price -> price.most(unit.input() + more, unit.mostOutput(), true))
            .map(tokens::costingAtMost)
            .orElse(tokens);
    var call =
        Call.<Answer>to(
                reviewer.lane(),
                attempt -> {
                  watcher.state(unit, State.RUNNING, "");
                  byte[] body;
                  try {
                    var material = redaction.of(unit.material(subject));
                    body = Letter.of(unit, material, reviewer, 0, earlier);
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
                          estimate.input());
                  long sent = time.nanos();
                  var reply = reviewer.provider().exchange(ask, attempt).reply();
                  var took = Duration.ofNanos(time.nanos() - sent);
                  return charged(unit, reviewer, attempt.number(), estimate, reply, took);
                })
            .estimated(estimate)
            .paidBy(ACCOUNT)
            .kind(unit.lenses().isEmpty() ? "across" : unit.lenses().getFirst().name())
            .named(unit.name());
    return switch (flyball.run(call)) {
      case Outcome.Done<Answer>(var answer, var usage, var attempts) ->
          new Heard.Came(Said.of(reviewer.dialect(), answer.body()));
      case Outcome.GaveUp<Answer> gaveUp -> new Heard.Failed(Cause.PROVIDER, gaveUp.why());
      case Outcome.Refused<Answer>(var refusal, var attempts) ->
          new Heard.Failed(cause(refusal), refusal.advice());
    };
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
