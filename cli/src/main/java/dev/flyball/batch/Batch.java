package dev.flyball.batch;

import dev.flyball.call.Account;
import dev.flyball.call.Attempt;
import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.Memory;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.call.Words;
import dev.flyball.limit.Budget;
import dev.flyball.limit.RetryPolicy;
import dev.flyball.llm.Answer;
import dev.flyball.llm.Ask;
import dev.flyball.llm.Catalogue;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Learned;
import dev.flyball.llm.Tokens;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One run over a file of prompts.
 *
 * <p>{@link #prepare} reads everything and sends nothing. {@link #run} gives each open line a
 * virtual thread that goes through the scheduler and writes its answer; a feeder a lane keeps a few
 * dozen of them waiting there, so that memory holds what is in flight and not the file.
 */
public final class Batch implements AutoCloseable {
  private static final Account RUN = Account.of("run");
  private static final long UNSTATED_OUTPUT = 16_384;
  private static final int USUAL_IN_FLIGHT = 512;
  private static final int KEPT_WHILE_WAITING = 16 << 10;
  private static final int LONGEST_ID = 200;
  private static final long TICK = 100;
  private static final long SECOND = 1_000;

  private final Settings settings;
  private final Catalogue catalogue;
  private final Time time;
  private final FileChannel input;
  private final Journal journal;
  private final Tokens tokens;
  private final Learned earlier;
  private final Map<String, Integer> routeNumbers = new LinkedHashMap<>();
  private final List<Route> routes = new ArrayList<>();
  private final Route.Organisations organisations = new Route.Organisations();
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong errored = new AtomicLong();
  private final AtomicReference<Usage> usage = new AtomicReference<>(Usage.NONE);
  private final AtomicReference<@Nullable Stop> stop = new AtomicReference<>();

  /** Every feeder and every call; when the last has gone, the run has ended. */
  private final Phaser underway = new Phaser();

  /** Why a route was closed, which is why the run is incomplete when all else is done. */
  private final AtomicReference<@Nullable Stop> shutBy = new AtomicReference<>();

  /** What should never happen, kept to be thrown when the rest has ended in order. */
  private final AtomicReference<@Nullable Throwable> defect = new AtomicReference<>();

  private final Answers answers;
  private final Flyball flyball;
  private final @Nullable Semaphore slots;
  private @Nullable Failures failures;
  private @Nullable Index index;
  private LongPredicate open = id -> true;
  private long total;
  private long before;
  private long invalid;
  private List<String> problems = List.of();
  private long startedNanos;
  private Instant startedAt;
  private long endedNanos = -1;

  private Batch(
      Settings settings,
      Catalogue catalogue,
      Learned earlier,
      Time time,
      FileChannel input,
      Journal journal) {
    this.settings = settings;
    this.catalogue = catalogue;
    this.time = time;
    this.input = input;
    this.journal = journal;
    this.earlier = earlier;
    this.tokens = new Tokens(earlier.tokens());
    this.answers = new Answers(settings.simulated());
    this.startedAt = time.wall();
    this.startedNanos = time.nanos();
    var limit = settings.concurrency();
    this.slots = limit.isPresent() ? new Semaphore(limit.getAsInt()) : null;
    this.flyball =
        Flyball.builder()
            .time(time)
            .mostInFlight(limit.orElse(USUAL_IN_FLIGHT))
            .maxWait(settings.maxWait())
            .retries(RetryPolicy.USUAL.atMost(settings.maxRetries()))
            .profiles(this::profile)
            .memory(earlier.lanes())
            .build();
    budget().ifPresent(budget -> flyball.budget(RUN, budget));
  }

  private Optional<Budget> budget() {
    if (settings.budgetTokens().isEmpty() && settings.budgetMoney().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Budget(settings.budgetTokens(), settings.budgetMoney(), 0));
  }

  /**
   * Reads the input and what an earlier run has left, and sends nothing.
   *
   * @throws BadInput if something must be put right first
   */
  public static Batch prepare(Settings settings, Catalogue catalogue, Learned earlier, Time time)
      throws IOException, BadInput {
    var input = FileChannel.open(settings.input(), StandardOpenOption.READ);
    try {
      var journal = Journal.open(settings.output());
      var batch = new Batch(settings, catalogue, earlier, time, input, journal);
      try {
        batch.check();
        return batch;
      } catch (IOException | BadInput | RuntimeException wrong) {
        batch.close();
        throw wrong;
      }
    } catch (IOException | BadInput | RuntimeException wrong) {
      input.close();
      throw wrong;
    }
  }

  private void check() throws IOException, BadInput {
    var finished = journal.finished();
    var fresh = settings.beside(".index.new");
    var check = new Check(settings.plain(), this::route, settings.first(), settings.skipInvalid());
    try (var made = Index.create(fresh)) {
      check.run(input, made);
      try (var old = Index.open(settings.index()).orElse(null)) {
        if (old != null) {
          new Changes(old, made).refuse(finished, settings);
        }
      }
    } catch (IOException | BadInput wrong) {
      Files.deleteIfExists(fresh);
      throw wrong;
    }
    Files.move(
        fresh,
        settings.index(),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
    var whole = Index.open(settings.index()).orElseThrow();
    index = whole;
    invalid = check.invalid();
    problems = check.problems();
    var failed = settings.keepErrors() ? Failures.earlier(settings.errors()) : new Ids().sorted();
    open = id -> !finished.contains(id) && !failed.contains(id);
    count(whole, finished, failed, check);
    for (int i = 0; i < routes.size(); i++) {
      var cursor =
          settings.order() == Settings.Order.FIFO
              ? whole.fifo(i, open)
              : whole.longestFirst(i, open);
      routes.get(i).open(without(cursor, check.dropped()));
    }
  }

  private void count(Index all, Ids finished, Ids failed, Check check) throws IOException {
    var scan = all.scan();
    total = all.count() - check.dropped().size();
    for (var next = scan.next(); next.isPresent(); next = scan.next()) {
      if (check.dropped().contains(next.get().number())) {
        continue;
      }
      if (finished.contains(next.get().id())) {
        before++;
      } else if (failed.contains(next.get().id())) {
        errored.incrementAndGet();
      }
    }
  }

  private static Index.Cursor without(Index.Cursor all, Set<Integer> dropped) {
    return () -> {
      for (var next = all.next(); ; next = all.next()) {
        if (next.isEmpty() || !dropped.contains(next.get().number())) {
          return next;
        }
      }
    };
  }

  private int route(Line line) throws BadInput {
    var found = settings.destinations().apply(line.dialect());
    if (found.isEmpty()) {
      throw new BadInput(
          "this line is for %s, which the provider of this run does not speak: choose another with --provider"
              .formatted(
                  line.dialect() == Dialect.ANTHROPIC
                      ? "Anthropic's Messages API"
                      : "OpenAI's API"));
    }
    var to = found.get();
    var models = catalogue.modelClass(to.style(), line.prompt().model());
    var name = to.providers().getFirst().endpoint().provider() + "/" + models;
    var known = routeNumbers.get(name);
    if (known != null) {
      return known;
    }
    routes.add(new Route(models, to, limits(to.style(), models)));
    routeNumbers.put(name, routes.size() - 1);
    return routes.size() - 1;
  }

  private LaneProfile limits(String style, String models) {
    return settings
        .profile()
        .map(name -> catalogue.profile(name, models))
        .orElseGet(() -> catalogue.style(style));
  }

  private LaneProfile profile(LaneId lane) {
    return routes.stream()
        .filter(route -> route.lanes.stream().anyMatch(each -> each.id.equals(lane)))
        .findFirst()
        .map(route -> route.profile)
        .orElse(LaneProfile.UNKNOWN);
  }

  /** What was wrong with lines that are left out, for people. */
  public List<String> problems() {
    return problems;
  }

  /** How many lines are still to be asked. */
  public long left() {
    return total - before - errored.get();
  }

  /** The classes of models that lines go to. */
  public List<String> routes() {
    return List.copyOf(routeNumbers.keySet());
  }

  /**
   * What a run would ask of one class of models.
   *
   * @param mostOutput the sum of what the lines allow for their answers
   */
  public record Ahead(String route, long lines, long inputTokens, long mostOutput) {}

  /** What is ahead, from what the lines say; nothing is sent. */
  public List<Ahead> ahead() throws IOException, BadInput {
    var all = new ArrayList<Ahead>();
    var names = routes();
    for (int i = 0; i < names.size(); i++) {
      long lines = 0;
      long inputTokens = 0;
      long mostOutput = 0;
      for (var next = routes.get(i).take(); next.isPresent(); next = routes.get(i).take()) {
        var prompt = Input.line(input, next.get(), settings.plain()).prompt();
        lines++;
        inputTokens += tokens.estimate(prompt).tokens();
        mostOutput += prompt.maxOutput().orElse(0);
      }
      all.add(new Ahead(names.get(i), lines, inputTokens, mostOutput));
    }
    return all;
  }

  /** Asks everything that is open. {@code tick} is told ten times a second how far it is. */
  public Report run(Consumer<Report> tick) throws IOException, InterruptedException {
    startedNanos = time.nanos();
    startedAt = time.wall();
    failures = Failures.open(settings.errors(), settings.keepErrors(), settings.simulated());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var feeders = new ArrayList<Thread>();
      underway.bulkRegister(routes.stream().mapToInt(route -> route.lanes.size()).sum());
      for (var route : routes) {
        for (var lane : route.lanes) {
          feeders.add(Thread.startVirtualThread(() -> feed(route, lane, threads)));
        }
      }
      var housekeeping = new Housekeeping(tick, feeders);
      while (!ended()) {
        housekeeping.round();
      }
      endedNanos = time.nanos();
      while (journal.trouble().isPresent() && !housekeeping.gaveUp()) {
        TimeUnit.MILLISECONDS.sleep(TICK);
        housekeeping.round();
      }
    }
    failures.close();
    journal.sync();
    if (settings.ordered() && journal.unwritten().isEmpty()) {
      new Ordering(Objects.requireNonNull(index)).rewrite(journal, settings.output());
    }
    var last = report();
    progress(last);
    if (defect.get() != null) {
      throw new IllegalStateException("a defect in Flyball: please report it", defect.get());
    }
    return last;
  }

  /** What happens beside the calls, on the thread that waits for their end. */
  private final class Housekeeping {
    private final Consumer<Report> tick;
    private final List<Thread> feeders;
    private long secondAt = time.nanos();
    private long troubleSince = -1;

    Housekeeping(Consumer<Report> tick, List<Thread> feeders) {
      this.tick = tick;
      this.feeders = feeders;
    }

    void round() {
      long now = time.nanos();
      if (settings.deadline().isPresent()
          && now - startedNanos > settings.deadline().get().toNanos()) {
        end(Stop.of(Stop.Kind.DEADLINE, "the deadline has passed: the same command goes on"));
      }
      if (now - secondAt >= TimeUnit.MILLISECONDS.toNanos(SECOND)) {
        secondAt = now;
        journal.retry();
        sync();
        watchTrouble(now);
        Objects.requireNonNull(failures).flush();
        progress(report());
      }
      if (stop.get() != null) {
        feeders.forEach(Thread::interrupt);
      }
      tick.accept(report());
    }

    private void sync() {
      try {
        journal.sync();
      } catch (IOException full) {
        // The next write says so too, and then it is acted upon.
        return;
      }
    }

    private void watchTrouble(long now) {
      troubleSince = journal.trouble().isEmpty() ? -1 : troubleSince < 0 ? now : troubleSince;
      if (troubleSince >= 0 && now - troubleSince > settings.maxWait().toNanos()) {
        end(
            Stop.of(
                Stop.Kind.DISK,
                "%s cannot be written (%s): make room, then run the same command again"
                    .formatted(settings.output(), journal.trouble().orElse(""))));
      }
    }

    /** Whether answers that could not be written are waited for no more. */
    boolean gaveUp() {
      var why = stop.get();
      return why != null && (why.kind() == Stop.Kind.DISK || why.kind() == Stop.Kind.INTERRUPTED);
    }
  }

  /** Waits a tick, or less if everything has ended. */
  private boolean ended() throws InterruptedException {
    try {
      underway.awaitAdvanceInterruptibly(0, TICK, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException notYet) {
      return false;
    }
  }

  private void feed(Route route, Route.KeyLane lane, ExecutorService threads) {
    try {
      feedAll(route, lane, threads);
    } catch (IOException gone) {
      end(Stop.of(Stop.Kind.INPUT, "the index cannot be read: " + gone.getMessage()));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      underway.arriveAndDeregister();
    }
  }

  private void feedAll(Route route, Route.KeyLane lane, ExecutorService threads)
      throws IOException, InterruptedException {
    boolean leads = lane == route.lanes.getFirst();
    while (stop.get() == null) {
      journal.awaitRoom();
      lane.waiting.acquire();
      var next = route.take();
      if (next.isEmpty() || stop.get() != null) {
        return;
      }
      underway.register();
      threads.execute(() -> ask(route, lane, next.get()));
      if (!leads && !lane.replied.get()) {
        // A second key may be of the same organisation; its first reply says so.
        lane.awaitFirstReply();
        if (lane.merged()) {
          return;
        }
      }
    }
  }

  private void ask(Route route, Route.KeyLane lane, Index.Entry entry) {
    var waits = new AtomicBoolean(true);
    try {
      new Asking(route, lane, entry, waits).run();
    } catch (IOException | BadInput gone) {
      end(Stop.of(Stop.Kind.INPUT, "the input cannot be read again: " + gone.getMessage()));
    } catch (InterruptedException aborted) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error broken) {
      defect.compareAndSet(null, broken);
      end(Stop.of(Stop.Kind.INTERRUPTED, "a defect: " + broken));
    } finally {
      if (waits.getAndSet(false)) {
        lane.waiting.release();
      }
      lane.give();
      underway.arriveAndDeregister();
    }
  }

  /** One line on its way from the input to the answers. */
  private final class Asking {
    private final Route route;
    private final Route.KeyLane lane;
    private final Index.Entry entry;
    private final AtomicBoolean waits;
    private final AtomicInteger status = new AtomicInteger();
    private final Line first;
    private final @Nullable Line kept;
    private final Tokens.Count count;
    private final Estimate estimate;
    private long took;

    Asking(Route route, Route.KeyLane lane, Index.Entry entry, AtomicBoolean waits)
        throws IOException, BadInput {
      this.route = route;
      this.lane = lane;
      this.entry = entry;
      this.waits = waits;
      this.first = Input.line(input, entry, settings.plain());
      this.kept = entry.length() <= KEPT_WHILE_WAITING ? first : null;
      this.count = tokens.estimate(first.prompt());
      this.estimate = Estimate.of(count.tokens(), mostOutput());
    }

    private long mostOutput() {
      boolean held = settings.budgetTokens().isPresent() || settings.budgetMoney().isPresent();
      return first.prompt().maxOutput().orElse(held ? UNSTATED_OUTPUT : 0);
    }

    void run() throws InterruptedException {
      var call =
          Call.to(lane.id, this::attempt)
              .estimated(estimate)
              .priority(settings.priority())
              .paidBy(RUN)
              .named(first.id());
      var prefix = first.prompt().prefix();
      settle(flyball.run(prefix.isPresent() ? call.sharing(prefix.get()) : call));
    }

    private Reply<Answer> attempt(Attempt attempt) throws IOException, InterruptedException {
      if (waits.getAndSet(false)) {
        lane.waiting.release();
      }
      journal.awaitRoom();
      if (slots == null) {
        return send(attempt);
      }
      slots.acquire();
      try {
        return send(attempt);
      } finally {
        slots.release();
      }
    }

    private Reply<Answer> send(Attempt attempt) throws IOException, InterruptedException {
      var line = kept != null ? kept : again();
      var ask = new Ask(line.dialect(), line.path(), line.body(), headers(), count.tokens());
      long sent = time.nanos();
      var exchange = lane.provider.exchange(ask, attempt);
      took = time.nanos() - sent;
      exchange.head().ifPresent(head -> lane.came(head, organisations));
      status.set(exchange.head().map(head -> head.status()).orElse(0));
      if (exchange.reply() instanceof Reply.Rejected<Answer> no && no.whole()) {
        // Now, before those who wait are refused for it.
        shut(no);
      }
      return exchange.reply();
    }

    private Line again() throws IOException {
      try {
        return Input.line(input, entry, settings.plain());
      } catch (BadInput changed) {
        throw new IOException("line " + entry.number() + " changed while the run went on", changed);
      }
    }

    /** Names the line to whoever looks for it in the provider's logs. */
    private Map<String, String> headers() {
      boolean sendable =
          first.id().length() <= LONGEST_ID
              && first.id().chars().allMatch(c -> c >= ' ' && c < 127);
      return sendable ? Map.of("x-client-request-id", first.id()) : Map.of();
    }

    private void settle(Outcome<Answer> outcome) {
      switch (outcome) {
        case Outcome.Done<Answer>(var answer, var used, var attempts) -> {
          tokens.learn(count, used);
          lane.bound.answered(estimate, used, took);
          usage.accumulateAndGet(used, Usage::plus);
          journal.append(first.id(), answers.line(kept != null ? kept : first, answer));
          completed.incrementAndGet();
        }
        case Outcome.GaveUp<Answer> gaveUp -> {
          usage.accumulateAndGet(gaveUp.usage(), Usage::plus);
          gaveUp(gaveUp);
        }
        case Outcome.Refused<Answer>(var refusal, var attempts) -> refused(refusal, attempts);
      }
    }

    private void gaveUp(Outcome.GaveUp<Answer> outcome) {
      var last = outcome.last();
      if (last.isPresent() && last.get() instanceof Reply.Rejected<Answer> no) {
        failed(no.message(), no.advice(), outcome.attempts());
        return;
      }
      if (!lane.replied.get()) {
        end(Stop.of(Stop.Kind.UNREACHABLE, outcome.why()));
      }
      failed(outcome.why(), "the same command asks it again", outcome.attempts());
    }

    private void failed(String message, String advice, int attempts) {
      errored.incrementAndGet();
      var at = status.get() == 0 ? OptionalInt.empty() : OptionalInt.of(status.get());
      Objects.requireNonNull(failures).add(entry, first.id(), at, message, advice, attempts);
    }

    /** The provider refuses the whole lane; the others go on, unless it was the only one. */
    private void shut(Reply.Rejected<Answer> no) {
      route.shut();
      boolean key = status.get() == 401 || status.get() == 403;
      var when = no.until().map(left -> time.wall().plus(left));
      var why =
          new Stop(
              key ? Stop.Kind.KEY_REFUSED : Stop.Kind.SHUT,
              no.message() + ": " + no.advice(),
              when);
      shutBy.compareAndSet(null, why);
    }

    private void refused(Refusal refusal, int attempts) {
      switch (refusal) {
        case Refusal.TooLarge no -> failed("larger than the limit", no.advice(), attempts);
        case Refusal.BudgetSpent no -> end(Stop.of(Stop.Kind.BUDGET, no.advice()));
        case Refusal.Unpriced no -> end(Stop.of(Stop.Kind.BUDGET, no.advice()));
        case Refusal.Parked no ->
            end(
                new Stop(
                    Stop.Kind.PARKED,
                    "nothing can be sent for " + Words.of(no.left()),
                    Optional.of(time.wall().plus(no.left()))));
        case Refusal.LaneShut no -> {
          route.shut();
          var kind = lane.replied.get() ? Stop.Kind.SHUT : Stop.Kind.UNREACHABLE;
          shutBy.compareAndSet(null, Stop.of(kind, no.advice()));
        }
        case Refusal.QueueFull no -> throw new IllegalStateException(no.advice());
        case Refusal.TooLate no -> {}
        case Refusal.Resting no -> {}
        case Refusal.ShuttingDown no -> {}
        case Refusal.Withdrawn no -> {}
      }
    }
  }

  /** Ends the run for a reason: nothing new starts, what is in flight goes on. The first counts. */
  private void end(Stop why) {
    if (stop.compareAndSet(null, why)) {
      journal.release();
      flyball.drain();
    }
  }

  /** Lets nothing new start and waits for what is in flight, as after a Ctrl+C. */
  public void drain() {
    end(Stop.of(Stop.Kind.INTERRUPTED, "interrupted: the same command goes on where it stopped"));
  }

  public Report report() {
    var now = endedNanos >= 0 ? endedNanos : time.nanos();
    var snapshot = flyball.snapshot();
    var memory = flyball.memory();
    var least = Duration.ZERO;
    var from = new LinkedHashMap<String, String>();
    for (var lane : snapshot.lanes()) {
      var felt = memory.of(lane.lane()).map(Memory.OfLane::pace).orElse(Memory.Felt.NOTHING);
      from.put(
          lane.lane().toString(),
          learnedFrom(lane.lane(), lane.gauges().stream().anyMatch(g -> g.sighted()), felt));
      var bound =
          bound(lane.lane())
              .map(b -> b.least(lane, felt, settings.concurrency().orElse(USUAL_IN_FLIGHT)))
              .orElse(Duration.ZERO);
      least = bound.compareTo(least) > 0 ? bound : least;
    }
    long done = before + completed.get();
    var why = Optional.ofNullable(stop.get()).or(() -> Optional.ofNullable(shutBy.get()));
    return new Report(
        startedAt,
        total,
        done,
        before,
        errored.get(),
        invalid,
        usage.get(),
        settings.simulated() ? Optional.of(Cost.NOTHING) : Optional.empty(),
        Duration.ofNanos(now - startedNanos),
        least,
        snapshot,
        from,
        tokens.learned(),
        failures == null ? Map.of() : failures.kinds(),
        why,
        journal.trouble(),
        journal.unwritten());
  }

  private Optional<Bound> bound(LaneId id) {
    return routes.stream()
        .flatMap(route -> route.lanes.stream())
        .filter(lane -> lane.id.equals(id))
        .map(lane -> lane.bound)
        .findFirst();
  }

  private String learnedFrom(LaneId lane, boolean sighted, Memory.Felt felt) {
    if (sighted) {
      return "headers";
    }
    if (felt.perSecond() > 0) {
      return "refusals";
    }
    boolean remembered = earlier.lanes().of(lane).isPresent();
    return remembered ? "an earlier run" : settings.profile().isPresent() ? "profile" : "nothing";
  }

  /** What this run has learned, to be kept for the next. */
  public Learned learned() {
    return new Learned(flyball.memory(), tokens.learned());
  }

  private void progress(Report report) {
    Path file = settings.progress();
    try {
      var fresh = settings.beside(".progress.new");
      Files.write(fresh, report.json().toString().getBytes(StandardCharsets.UTF_8));
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException full) {
      // Only a view of the run; what matters is written elsewhere.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    flyball.close();
    journal.close();
    input.close();
    if (index != null) {
      index.close();
    }
    if (Files.notExists(settings.output())) {
      Files.deleteIfExists(settings.index());
    }
  }
}
