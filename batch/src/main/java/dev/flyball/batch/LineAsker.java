package dev.flyball.batch;

import dev.flyball.call.Attempt;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.llm.Exchange;
import dev.flyball.llm.ProviderAnswer;
import dev.flyball.llm.ProviderRequest;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.BadInput;
import dev.flyball.run.ChargedReply;
import dev.flyball.run.CostMeter;
import dev.flyball.run.FinishedAttempt;
import dev.flyball.run.RunSetup;
import dev.flyball.run.work.WorkScheduler;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Asks lines one by one, each on its caller's thread, in a scheduler that other work may use too.
 * Thread-safe.
 */
public final class LineAsker {
  private static final long UNSTATED_OUTPUT = 16_384;

  /** What became of a line. */
  public sealed interface Asked {}

  /**
   * It was answered.
   *
   * @param line as it stands in a file of answers, with its newline
   */
  // Nobody compares answers.
  @SuppressWarnings("ArrayRecordComponent")
  public record Answered(String id, byte[] line) implements Asked {}

  /** It will never be answered. */
  public record Unanswerable(String why) implements Asked {}

  /**
   * It may be answered another time.
   *
   * @param pause not before that is over, if that is known
   */
  public record NotNow(String why, Optional<Duration> pause) implements Asked {}

  /**
   * Nothing is answered any more: whoever asks should end.
   *
   * @param byLine whether it may be the line's fault, which alone was told that nobody is there
   */
  public record Closed(String why, boolean byLine) implements Asked {}

  private final RunSetup setup;
  private final WorkScheduler scheduler;
  private final FinishedAttempt.Listener recorder;
  private final CostMeter costs;
  private final AnswerLines answers;
  private final Router router;
  private final ReentrantLock routing = new ReentrantLock();

  /**
   * One who asks.
   *
   * @param priced whether a line is refused whose price is not known, because money is to be kept
   *     to
   * @param recorder is told of each attempt
   */
  public LineAsker(
      RunSetup setup, WorkScheduler scheduler, boolean priced, FinishedAttempt.Listener recorder) {
    this.setup = setup;
    this.scheduler = scheduler;
    this.recorder = recorder;
    this.costs = setup.costs();
    this.answers = new AnswerLines(setup.providers().simulated());
    this.router =
        new Router(setup.providers(), setup.catalogue(), costs, setup.time().wall(), priced);
  }

  /** Asks a line, and returns when it has ended. */
  public Asked ask(LoneLine lone) throws InterruptedException {
    InputLine line;
    Route route;
    routing.lock();
    try {
      line = lone.understood(setup.providers().spoken());
      route = router.routes().get(router.route(line));
      router.refuseUnpriced();
    } catch (BadInput wrong) {
      return new Unanswerable(String.valueOf(wrong.getMessage()));
    } finally {
      routing.unlock();
    }
    route.lanes().forEach(lane -> scheduler.know(lane, route.profile));
    return new Errand(line, route, lone).run();
  }

  /** One line on its way. */
  private final class Errand {
    private final InputLine line;
    private final Route route;
    private final LoneLine lone;
    private final TokenCounter.Count count;
    private final Optional<Price> price;
    private final Estimate estimate;
    private long took;

    Errand(InputLine line, Route route, LoneLine lone) {
      this.line = line;
      this.route = route;
      this.lone = lone;
      this.count = scheduler.tokens().estimate(line.prompt());
      this.price = costs.price(route.provider, line.prompt().model(), setup.time().wall());
      var tokens = Estimate.of(count.tokens(), line.prompt().maxOutput().orElse(UNSTATED_OUTPUT));
      this.estimate =
          LineCall.most(line, count.tokens(), price).map(tokens::costingAtMost).orElse(tokens);
    }

    Asked run() throws InterruptedException {
      var call =
          route
              .keys
              .call()
              .estimated(estimate)
              .priority(lone.priority())
              .paidBy(WorkScheduler.ACCOUNT)
              .named(line.id());
      var flyball = scheduler.flyball();
      var prefix = line.prompt().prefix();
      Admission.Decided<ProviderAnswer> admitted =
          flyball.admit(prefix.isPresent() ? call.sharing(prefix.get()) : call);
      while (true) {
        switch (admitted) {
          case Admission.Refused<ProviderAnswer>(var outcome) -> {
            return ended(outcome);
          }
          case Admission.Granted<ProviderAnswer>(var permit) -> {
            var end = attempt(permit);
            if (end.isPresent()) {
              return end.get();
            }
            admitted = flyball.again(permit);
          }
        }
      }
    }

    /** How the line ended, if it did by this attempt. */
    private Optional<Asked> attempt(Permit<ProviderAnswer> permit) throws InterruptedException {
      try (permit;
          var exchange = send(permit)) {
        var lane = route.keys.of(permit.lane());
        exchange.head().ifPresent(head -> route.keys.came(lane, head, scheduler.flyball()));
        var reply = LineCall.asked(exchange.reply());
        boolean shut =
            reply instanceof Reply.Rejected<ProviderAnswer> no
                && no.whole()
                && route.keys.refused(lane);
        if (reply instanceof Reply.Answered<ProviderAnswer> answered) {
          scheduler.tokens().learn(count, answered.usage());
        }
        var charged = ChargedReply.of(reply, estimate, price);
        var step = permit.settle(charged.reply());
        recorder.record(record(permit, charged));
        return switch (step) {
          case NextStep.Ended<ProviderAnswer>(var outcome) ->
              Optional.of(
                  shut && reply instanceof Reply.Rejected<ProviderAnswer> no
                      ? new Closed(no.message() + ": " + no.advice(), isAbsent(exchange))
                      : ended(outcome));
          case NextStep.Again<ProviderAnswer>() -> Optional.empty();
        };
      } catch (IOException closing) {
        return Optional.of(new NotNow(String.valueOf(closing.getMessage()), Optional.empty()));
      }
    }

    /** Whether it was said that there is nothing at its path, which each line names itself. */
    private static boolean isAbsent(Exchange exchange) {
      int status = exchange.head().map(head -> head.status()).orElse(0);
      return status == 404 || status == 405;
    }

    private Exchange send(Attempt attempt) throws IOException, InterruptedException {
      var request =
          new ProviderRequest(
                  line.dialect(),
                  line.path(),
                  line.body(),
                  LineCall.headers(line.id()),
                  count.tokens())
              .atMost(line.prompt().maxOutput());
      long sent = setup.time().nanos();
      var exchange = route.keys.of(attempt.lane()).provider().exchange(request, attempt);
      took = setup.time().nanos() - sent;
      return exchange;
    }

    private FinishedAttempt record(
        Permit<ProviderAnswer> permit, ChargedReply<ProviderAnswer> charged) {
      return new FinishedAttempt(
          new FinishedAttempt.Of(
              permit.lane(),
              line.prompt().model(),
              line.id(),
              "",
              Math.round(count.plain()),
              estimate.maxOutput()),
          permit.number(),
          charged.reply(),
          charged.usage(),
          charged.cost(),
          Duration.ofNanos(took),
          permit.waited(),
          setup.time().wall());
    }

    private Asked ended(Outcome<ProviderAnswer> outcome) {
      return switch (outcome) {
        case Outcome.Done<ProviderAnswer>(var answer, var used, var tries) ->
            new Answered(line.id(), answers.line(line.format(), line.id(), answer));
        case Outcome.GaveUp<ProviderAnswer> gaveUp ->
            gaveUp.last().orElse(null) instanceof Reply.Rejected<ProviderAnswer> no
                ? new Unanswerable(no.message() + ": " + no.advice())
                : new NotNow(gaveUp.why(), Optional.empty());
        case Outcome.Refused<ProviderAnswer>(var refusal, var tries) -> refused(refusal);
      };
    }

    private static Asked refused(Refusal refusal) {
      return switch (refusal) {
        case Refusal.TooLarge no -> new Unanswerable("larger than the limit: " + no.advice());
        case Refusal.BudgetSpent no -> new Closed(no.advice(), false);
        case Refusal.Unpriced no -> new Closed(no.advice(), false);
        case Refusal.LaneShut no -> new Closed(no.advice(), false);
        case Refusal.ShuttingDown no -> new Closed(no.advice(), false);
        case Refusal.Parked no -> new NotNow(no.advice(), Optional.of(no.left()));
        case Refusal.QueueFull no -> new NotNow(no.advice(), Optional.empty());
        case Refusal.TooLate no -> new NotNow(no.advice(), Optional.empty());
        case Refusal.Resting no -> new NotNow(no.advice(), Optional.empty());
        case Refusal.Withdrawn no -> new NotNow(no.advice(), Optional.empty());
      };
    }
  }
}
