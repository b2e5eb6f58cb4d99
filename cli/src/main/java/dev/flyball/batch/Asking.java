package dev.flyball.batch;

import dev.flyball.call.Attempt;
import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.DurationText;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.llm.Answer;
import dev.flyball.llm.Ask;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Price;
import dev.flyball.llm.Tokens;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Waiter;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One line on its way from the input to the answers. It takes its place in the scheduler in the
 * order of the input, and a thread only for an attempt. While it waits it keeps its text only if
 * that is short.
 */
final class Asking {
  private static final long UNSTATED_OUTPUT = 16_384;
  private static final int KEPT_WHILE_WAITING = 16 << 10;
  private static final int LONGEST_ID = 200;

  private final Run run;
  private final Route route;
  private final Route.KeyLane lane;
  private final Index.Entry entry;
  private final String id;
  private final Format format;
  private final String model;
  private final Optional<Price> price;
  private final Optional<String> prefix;
  private final @Nullable Line kept;
  private final Tokens.Count count;
  private final Estimate estimate;
  private final CompletableFuture<Waiter<Answer>> waiter = new CompletableFuture<>();
  private final AtomicBoolean waits = new AtomicBoolean(true);
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicBoolean unpriced = new AtomicBoolean();
  private final AtomicInteger attempts = new AtomicInteger();
  private volatile int status;
  private volatile long took;

  Asking(Run run, Route route, Route.KeyLane lane, Index.Entry entry) throws IOException, BadInput {
    this.run = run;
    this.route = route;
    this.lane = lane;
    this.entry = entry;
    var line = Input.line(run.input, entry, run.settings.plain());
    this.id = line.id();
    this.format = line.format();
    this.prefix = line.prompt().prefix();
    this.kept = entry.length() <= KEPT_WHILE_WAITING ? line : null;
    this.count = run.tokens.estimate(line.prompt());
    this.model = line.prompt().model();
    this.price = run.bill.price(route.provider, model, run.time.wall());
    long unstated = run.settings.budgetTokens().isPresent() ? UNSTATED_OUTPUT : 0;
    var tokens = Estimate.of(count.tokens(), line.prompt().maxOutput().orElse(unstated));
    this.estimate = most(line, count.tokens(), price).map(tokens::costingAtMost).orElse(tokens);
  }

  /**
   * The most that one attempt at a line can cost. Where it does not say how long its answer may be,
   * that is as long as the model's can be. Anthropic caches on request, others by themselves.
   */
  static Optional<Cost> most(Line line, long input, Optional<Price> price) {
    return price.flatMap(
        known -> {
          long longest =
              line.prompt().maxOutput().orElse(known.maxOutput().orElse(UNSTATED_OUTPUT));
          boolean unasked =
              line.dialect() == Dialect.OPENAI && known.tariff().cacheWrite5m().isPresent();
          return known.most(input, longest, unasked || line.prompt().prefix().isPresent());
        });
  }

  /** Takes its place, and returns at once. */
  void enter() {
    run.came();
    var call =
        Call.to(lane.id)
            .estimated(estimate)
            .priority(run.settings.priority())
            .paidBy(Run.ACCOUNT)
            .named(id);
    waiter.complete(
        run.flyball.enter(
            prefix.isPresent() ? call.sharing(prefix.get()) : call,
            () -> run.threads.execute(this::go)));
  }

  private void go() {
    try {
      switch (waiter.join().admission()) {
        case Admission.Granted<Answer>(var permit) -> {
          // Told twice of one admission, it goes once.
          if (attempts.getAndSet(permit.number()) < permit.number()) {
            attempt(permit);
          }
        }
        case Admission.Refused<Answer>(var outcome) -> end(outcome, Optional.empty());
        case Admission.Wait<Answer> notYet -> {}
      }
    } catch (InterruptedException ended) {
      over();
    } catch (RuntimeException | Error broken) {
      run.broken(broken);
      over();
    }
  }

  private void attempt(Permit<Answer> permit) {
    if (waits.getAndSet(false)) {
      lane.waiting.release();
    }
    try (permit) {
      run.journal.awaitRoom();
      if (run.slots.isPresent()) {
        run.slots.get().acquire();
      }
      Charged reply;
      try {
        reply = send(permit);
      } finally {
        run.slots.ifPresent(slots -> slots.release());
      }
      switch (permit.settle(reply.reply())) {
        case NextStep.Ended<Answer>(var outcome) ->
            end(outcome, Optional.of(record(permit, reply)));
        case NextStep.Again<Answer>() -> run.recorder.record(record(permit, reply));
      }
    } catch (InterruptedException noRoom) {
      over();
    } catch (IOException changed) {
      run.end(Stop.of(Stop.Kind.INPUT, String.valueOf(changed.getMessage())));
      over();
    }
  }

  private Attempted record(Permit<Answer> permit, Charged charged) {
    return new Attempted(
        lane.id,
        model,
        id,
        permit.number(),
        charged.reply(),
        estimate,
        count.plain(),
        charged.usage(),
        charged.cost(),
        Duration.ofNanos(took),
        permit.waited(),
        run.time.wall());
  }

  private Charged send(Attempt attempt) throws IOException, InterruptedException {
    var line = kept != null ? kept : again();
    var ask = new Ask(line.dialect(), line.path(), line.body(), headers(), count.tokens());
    long sent = run.time.nanos();
    var exchange = lane.provider.exchange(ask, attempt);
    took = run.time.nanos() - sent;
    exchange.head().ifPresent(head -> lane.came(head));
    status = exchange.head().map(head -> head.status()).orElse(0);
    if (exchange.reply() instanceof Reply.Rejected<Answer> no && no.whole()) {
      // Now, before those who wait are refused for it.
      shut(no);
    }
    return charged(exchange.reply());
  }

  /** A reply with what it used, or may have used, and what that costs where it is known. */
  private record Charged(Reply<Answer> reply, Usage usage, Optional<Cost> cost) {
    static Charged nothing(Reply<Answer> reply) {
      return new Charged(reply, Usage.NONE, Optional.of(Cost.NOTHING));
    }
  }

  /** What may have been billed counts as if it was. */
  private Charged charged(Reply<Answer> reply) {
    return switch (reply) {
      case Reply.Answered<Answer>(var answer, var used, var signals) -> {
        run.tokens.learn(count, used);
        var cost = price.flatMap(known -> known.cost(used));
        spend(used, cost);
        yield new Charged(new Reply.Answered<>(answer, budgeted(used, cost), signals), used, cost);
      }
      case Reply.CutShort<Answer>(var why, var used, var signals) -> {
        boolean told = used.output() > 0;
        var most = told ? used : lost();
        var cost = told ? price.flatMap(known -> known.cost(used)) : estimate.cost();
        spend(most, cost);
        yield new Charged(new Reply.CutShort<>(why, budgeted(most, cost), signals), most, cost);
      }
      case Reply.Broken<Answer> broken -> {
        if (!broken.sent()) {
          yield Charged.nothing(broken);
        }
        spend(lost(), estimate.cost());
        yield new Charged(broken, lost(), estimate.cost());
      }
      case Reply.Throttled<Answer> throttled -> Charged.nothing(throttled);
      case Reply.Overloaded<Answer> overloaded -> Charged.nothing(overloaded);
      case Reply.Rejected<Answer> rejected -> Charged.nothing(rejected);
    };
  }

  /** What cannot be counted is charged to a budget as what was held for it. */
  private Usage budgeted(Usage used, Optional<Cost> cost) {
    return used.costing(cost.or(estimate::cost).orElse(Cost.NOTHING));
  }

  /** How much of an answer was made, and billed, before it was lost, nobody knows: at most all. */
  private Usage lost() {
    return Usage.of(estimate.input(), estimate.maxOutput());
  }

  private void spend(Usage used, Optional<Cost> cost) {
    run.usage.accumulateAndGet(used, Usage::plus);
    cost.ifPresent(run.bill::add);
    if (cost.isEmpty() && used.tokens() > 0 && !unpriced.getAndSet(true)) {
      run.bill.addUnpriced(run.bill.unknown(route.provider, model, run.time.wall()));
    }
  }

  private Line again() throws IOException {
    try {
      return Input.line(run.input, entry, run.settings.plain());
    } catch (BadInput changed) {
      throw new IOException("line " + entry.number() + " changed while the run went on", changed);
    }
  }

  /** Names the line to whoever looks for it in the provider's logs. */
  private Map<String, String> headers() {
    boolean sendable = id.length() <= LONGEST_ID && id.chars().allMatch(c -> c > ' ' && c < 127);
    return sendable ? Map.of("x-client-request-id", id) : Map.of();
  }

  private void end(Outcome<Answer> outcome, Optional<Attempted> last) throws InterruptedException {
    switch (outcome) {
      case Outcome.Done<Answer>(var answer, var used, var tries) -> {
        lane.bound.answered(estimate, used, took);
        run.journal.append(id, run.answers.line(format, id, answer));
        run.completed.incrementAndGet();
      }
      case Outcome.GaveUp<Answer> gaveUp -> gaveUp(gaveUp);
      case Outcome.Refused<Answer>(var refusal, var tries) -> refused(refusal, tries);
    }
    if (last.isPresent()) {
      run.recorder.record(last.get());
    }
    over();
  }

  /** It is not there any more; whoever says so first. */
  private void over() {
    if (over.getAndSet(true)) {
      return;
    }
    if (waits.getAndSet(false)) {
      lane.waiting.release();
    }
    lane.give();
    run.gone();
  }

  private void gaveUp(Outcome.GaveUp<Answer> outcome) {
    var last = outcome.last();
    if (last.isPresent() && last.get() instanceof Reply.Rejected<Answer> no) {
      failed(no.message(), no.advice(), outcome.attempts());
      return;
    }
    if (!lane.replied()) {
      run.end(Stop.of(Stop.Kind.UNREACHABLE, outcome.why()));
    }
    failed(outcome.why(), "the same command asks it again", outcome.attempts());
  }

  private void failed(String message, String advice, int tries) {
    run.errored.incrementAndGet();
    var at = status == 0 ? OptionalInt.empty() : OptionalInt.of(status);
    run.failures.add(entry, id, at, message, advice, tries);
  }

  /** The provider refuses the whole lane; others go on. */
  private void shut(Reply.Rejected<Answer> no) {
    route.shut();
    boolean key = status == 401 || status == 403;
    run.shut(
        new Stop(
            key ? Stop.Kind.KEY_REFUSED : Stop.Kind.SHUT,
            no.message() + ": " + no.advice(),
            no.until().map(left -> run.time.wall().plus(left))));
  }

  private void refused(Refusal refusal, int tries) {
    switch (refusal) {
      case Refusal.TooLarge no -> failed("larger than the limit", no.advice(), tries);
      case Refusal.BudgetSpent no -> run.end(Stop.of(Stop.Kind.BUDGET, no.advice()));
      case Refusal.Unpriced no -> run.end(Stop.of(Stop.Kind.BUDGET, no.advice()));
      case Refusal.Parked no ->
          run.end(
              new Stop(
                  Stop.Kind.PARKED,
                  "nothing can be sent for " + DurationText.of(no.left()),
                  Optional.of(run.time.wall().plus(no.left()))));
      case Refusal.LaneShut no -> {
        route.shut();
        var kind = lane.replied() ? Stop.Kind.SHUT : Stop.Kind.UNREACHABLE;
        run.shut(Stop.of(kind, no.advice()));
      }
      case Refusal.QueueFull no -> throw new IllegalStateException(no.advice());
      case Refusal.TooLate no -> {}
      case Refusal.Resting no -> {}
      case Refusal.ShuttingDown no -> {}
      case Refusal.Withdrawn no -> {}
    }
  }
}
