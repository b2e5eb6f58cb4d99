package dev.flyball.batch;

import dev.flyball.call.Attempt;
import dev.flyball.call.Cost;
import dev.flyball.call.DurationText;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Exchange;
import dev.flyball.llm.ProviderAnswer;
import dev.flyball.llm.ProviderRequest;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.BadInput;
import dev.flyball.run.ChargedReply;
import dev.flyball.run.FinishedAttempt;
import dev.flyball.run.KeyLanes;
import dev.flyball.run.RunBounds;
import dev.flyball.run.StopReason;
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
final class LineCall {
  private static final long UNSTATED_OUTPUT = 16_384;
  private static final int KEPT_WHILE_WAITING = 16 << 10;
  private static final int LONGEST_ID = 200;

  private final BatchState run;
  private final Route route;
  private final LineIndex.Entry entry;
  private final String id;
  private final LineFormat format;
  private final String model;
  private final Optional<Price> price;
  private final Optional<String> prefix;
  private final @Nullable InputLine kept;
  private final TokenCounter.Count count;
  private final Estimate estimate;
  private final AtomicBoolean waits = new AtomicBoolean(true);
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicBoolean unpriced = new AtomicBoolean();
  private final AtomicInteger attempts = new AtomicInteger();

  /** How many places it has taken or given back; whoever speaks of an earlier one is not heard. */
  private final AtomicInteger places = new AtomicInteger();

  private volatile int status;
  private volatile long sentAt;
  private volatile long took;

  LineCall(BatchState run, Route route, LineIndex.Entry entry) throws IOException, BadInput {
    this.run = run;
    this.route = route;
    this.entry = entry;
    var line = InputLine.at(run.input, entry, run.plain);
    this.id = line.id();
    this.format = line.format();
    this.prefix = line.prompt().prefix();
    this.kept = entry.length() <= KEPT_WHILE_WAITING ? line : null;
    this.count = run.tokens.estimate(line.prompt());
    this.model = line.prompt().model();
    this.price = run.costs.price(route.provider, model, run.time.wall());
    long unstated = run.settings.bounds().budgetTokens().isPresent() ? UNSTATED_OUTPUT : 0;
    var tokens = Estimate.of(count.tokens(), line.prompt().maxOutput().orElse(unstated));
    this.estimate = most(line, count.tokens(), price).map(tokens::costingAtMost).orElse(tokens);
  }

  /**
   * The most that one attempt at a line can cost. Where it does not say how long its answer may be,
   * that is as long as the model's can be. Anthropic caches on request, others by themselves.
   */
  static Optional<Cost> most(InputLine line, long input, Optional<Price> price) {
    return price.flatMap(
        known -> {
          long longest =
              line.prompt().maxOutput().orElse(known.limits().maxOutput().orElse(UNSTATED_OUTPUT));
          boolean unasked =
              line.dialect() == Dialect.OPENAI && known.tariff().cacheWrite5m().isPresent();
          return known.most(input, longest, unasked || line.prompt().prefix().isPresent());
        });
  }

  /** Takes its place, and returns at once. */
  void enter() {
    run.came();
    takePlace();
  }

  private void takePlace() {
    var call =
        route
            .keys
            .call()
            .estimated(estimate)
            .priority(run.settings.priority())
            .paidBy(BatchState.ACCOUNT)
            .named(id);
    var place = new CompletableFuture<Waiter<ProviderAnswer>>();
    int number = places.incrementAndGet();
    attempts.set(0);
    place.complete(
        run.flyball.enter(
            prefix.isPresent() ? call.sharing(prefix.get()) : call,
            () -> run.threads.execute(() -> go(place, number))));
  }

  private void go(CompletableFuture<Waiter<ProviderAnswer>> place, int number) {
    if (number != places.get()) {
      return;
    }
    try {
      switch (place.join().admission()) {
        case Admission.Granted<ProviderAnswer>(var permit) -> {
          // Told twice of one admission, it goes once.
          if (attempts.getAndSet(permit.number()) < permit.number()) {
            attempt(permit);
          }
        }
        case Admission.Refused<ProviderAnswer>(var outcome) -> end(outcome, Optional.empty());
        case Admission.Wait<ProviderAnswer> notYet -> {}
      }
    } catch (InterruptedException ended) {
      over();
    } catch (RuntimeException | Error broken) {
      run.broken(broken);
      over();
    }
  }

  private void attempt(Permit<ProviderAnswer> permit) throws InterruptedException {
    if (waits.getAndSet(false)) {
      route.waiting.release();
    }
    if (run.journal.trouble().isPresent()) {
      giveBack(permit);
      return;
    }
    var lane = route.keys.of(permit.lane());
    try (permit;
        var exchange = send(permit)) {
      var reply = charged(exchange, lane);
      switch (permit.settle(reply.reply())) {
        case NextStep.Ended<ProviderAnswer>(var outcome) ->
            end(outcome, Optional.of(record(permit, reply)));
        case NextStep.Again<ProviderAnswer>() -> run.recorder.record(record(permit, reply));
      }
    } catch (IOException changed) {
      run.end(StopReason.of(StopReason.Kind.INPUT, String.valueOf(changed.getMessage())));
      over();
    }
  }

  /** There is no room for its answer: it holds nothing until there is, and then takes its place. */
  private void giveBack(Permit<ProviderAnswer> permit) throws InterruptedException {
    places.incrementAndGet();
    permit.close();
    run.journal.awaitRoom();
    takePlace();
  }

  private FinishedAttempt record(
      Permit<ProviderAnswer> permit, ChargedReply<ProviderAnswer> charged) {
    return new FinishedAttempt(
        new FinishedAttempt.Of(
            permit.lane(), model, id, "", Math.round(count.plain()), estimate.maxOutput()),
        permit.number(),
        charged.reply(),
        charged.usage(),
        charged.cost(),
        Duration.ofNanos(took),
        permit.waited(),
        run.time.wall());
  }

  private Exchange send(Attempt attempt) throws IOException, InterruptedException {
    var line = kept != null ? kept : again();
    var request =
        new ProviderRequest(line.dialect(), line.path(), line.body(), headers(id), count.tokens())
            .atMost(line.prompt().maxOutput());
    sentAt = run.time.nanos();
    var exchange = route.keys.of(attempt.lane()).provider().exchange(request, attempt);
    took = run.time.nanos() - sentAt;
    return exchange;
  }

  private ChargedReply<ProviderAnswer> charged(Exchange exchange, KeyLanes.KeyLane lane) {
    exchange.head().ifPresent(head -> route.keys.came(lane, head, run.flyball));
    status = exchange.head().map(head -> head.status()).orElse(0);
    var reply = asked(exchange.reply());
    if (reply instanceof Reply.Rejected<ProviderAnswer> no && no.whole()) {
      // Now, before those who wait are refused for it.
      shut(no, lane);
    }
    if (reply instanceof Reply.Answered<ProviderAnswer> answered) {
      run.tokens.learn(count, answered.usage());
    }
    var charged = ChargedReply.of(reply, estimate, price);
    spend(charged.usage(), charged.cost());
    return charged;
  }

  /** A stream is no line, and none was asked for. */
  static Reply<ProviderAnswer> asked(Reply<ProviderAnswer> reply) {
    return reply instanceof Reply.Answered<ProviderAnswer>(var answer, var used, var signals)
            && answer.head().first("content-type").orElse("").contains("event-stream")
        ? new Reply.Rejected<>(
            "the answer is a stream, and none was asked for",
            "look at what this server is",
            false,
            Optional.empty(),
            used)
        : reply;
  }

  private void spend(Usage used, Optional<Cost> cost) {
    run.usage.accumulateAndGet(used, Usage::plus);
    cost.ifPresent(run.costs::add);
    if (cost.isEmpty() && used.tokens() > 0 && !unpriced.getAndSet(true)) {
      run.costs.addUnpriced(run.costs.unknown(route.provider, model, run.time.wall()));
    }
  }

  private InputLine again() throws IOException {
    try {
      return InputLine.at(run.input, entry, run.plain);
    } catch (BadInput changed) {
      throw new IOException("line " + entry.number() + " changed while the run went on", changed);
    }
  }

  /** Names the line to whoever looks for it in the provider's logs. */
  static Map<String, String> headers(String id) {
    boolean sendable = id.length() <= LONGEST_ID && id.chars().allMatch(c -> c > ' ' && c < 127);
    return sendable ? Map.of("x-client-request-id", id) : Map.of();
  }

  private void end(Outcome<ProviderAnswer> outcome, Optional<FinishedAttempt> last)
      throws InterruptedException {
    switch (outcome) {
      case Outcome.Done<ProviderAnswer>(var answer, var used, var tries) -> {
        route.bound(last.orElseThrow().of().lane()).answered(estimate, used, sentAt, took);
        run.journal.append(id, run.answers.line(format, id, answer));
        run.completed.incrementAndGet();
      }
      case Outcome.GaveUp<ProviderAnswer> gaveUp -> gaveUp(gaveUp);
      case Outcome.Refused<ProviderAnswer>(var refusal, var tries) -> refused(refusal, tries);
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
      route.waiting.release();
    }
    run.gone();
  }

  private void gaveUp(Outcome.GaveUp<ProviderAnswer> outcome) {
    var last = outcome.last();
    if (last.isPresent() && last.get() instanceof Reply.Rejected<ProviderAnswer> no) {
      failed(no.message(), no.advice(), outcome.attempts());
      return;
    }
    if (run.isCut()) {
      // It may have been us who ended it, so it is still to be asked.
      return;
    }
    var why = RunBounds.inOptions(outcome.why());
    if (!route.replied()) {
      run.end(StopReason.of(StopReason.Kind.UNREACHABLE, why));
    }
    failed(why, "run the same command to retry it", outcome.attempts());
  }

  private void failed(String message, String advice, int tries) {
    run.errored.incrementAndGet();
    var at = status == 0 ? OptionalInt.empty() : OptionalInt.of(status);
    run.failures.add(entry, id, at, message, advice, tries);
  }

  /** The provider refuses the whole lane; others go on, if there are others. */
  private void shut(Reply.Rejected<ProviderAnswer> no, KeyLanes.KeyLane lane) {
    if (!route.keys.refused(lane)) {
      run.keyRefused(lane.id(), no.message());
      return;
    }
    route.shut();
    boolean key = status == 401 || status == 403;
    boolean there = lane.replied() && status != 404 && status != 405;
    var otherwise = there ? StopReason.Kind.SHUT : StopReason.Kind.UNREACHABLE;
    run.shut(
        new StopReason(
            key ? StopReason.Kind.KEY_REFUSED : otherwise,
            sentence(no.message()) + ": " + no.advice(),
            no.until().map(left -> run.time.wall().plus(left))));
  }

  /** Without the full stop that a provider may have put at its end. */
  private static String sentence(String message) {
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  private void refused(Refusal refusal, int tries) {
    switch (refusal) {
      case Refusal.TooLarge no -> failed("larger than the limit", no.advice(), tries);
      case Refusal.BudgetSpent no ->
          run.end(
              StopReason.of(
                  StopReason.Kind.BUDGET,
                  no.advice()
                      .replaceFirst("of '.*' is used up", "is used up")
                      .replaceFirst(
                          "raise it$",
                          no.unit().equals("tokens")
                              ? "raise --budget-tokens"
                              : "raise --budget-usd")));
      case Refusal.Unpriced no -> run.end(StopReason.of(StopReason.Kind.BUDGET, no.advice()));
      case Refusal.Parked no ->
          run.end(
              new StopReason(
                  StopReason.Kind.PARKED,
                  "nothing can be sent for " + DurationText.of(no.left()),
                  Optional.of(run.time.wall().plus(no.left()))));
      case Refusal.LaneShut no -> {
        route.shut();
        var kind = route.replied() ? StopReason.Kind.SHUT : StopReason.Kind.UNREACHABLE;
        run.shut(StopReason.of(kind, no.advice()));
      }
      case Refusal.QueueFull no -> throw new IllegalStateException(no.advice());
      case Refusal.TooLate no -> {}
      case Refusal.Resting no -> {}
      case Refusal.ShuttingDown no -> {}
      case Refusal.Withdrawn no -> {}
    }
  }
}
