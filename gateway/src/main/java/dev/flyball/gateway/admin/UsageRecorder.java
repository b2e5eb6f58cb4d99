package dev.flyball.gateway.admin;

import dev.flyball.call.Cost;
import dev.flyball.call.Reply;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunStart;
import dev.flyball.scheduler.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The record of a server's attempts in the history: one run, as long as the server runs. A thread
 * of its own hands them in, because a history may be slow and an event loop may not; it comes for
 * what has gathered, so that a busy event loop does not wake it for each attempt. When the history
 * is slower than the calls for long, attempts are left out and counted.
 */
public final class UsageRecorder implements GatewayPart, CallListener {
  private static final int ROOM = 20_000;
  private static final int LONGEST_MODEL = 200;
  private static final long GATHERS_MILLIS = 20;

  private final History history;
  private final String run;
  private final PriceBasis prices;
  private final Time time;
  private final Instant began;
  private final BlockingQueue<Optional<AttemptRecord>> records = new ArrayBlockingQueue<>(ROOM);
  private final Map<String, Map<String, Duration>> waits = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong micros = new AtomicLong();
  private final AtomicLong leftOut = new AtomicLong();
  private final Thread thread;

  /** Begins the run of a server. */
  public UsageRecorder(Ground ground, History history, AnswerOrigin origin)
      throws HistoryUnavailable, InterruptedException {
    this.history = history;
    this.time = ground.setup().time();
    this.began = time.wall();
    this.prices = new PriceBasis.Listed(ground.setup().prices().version());
    this.run = history.begin(RunStart.of("serve", "serve", origin));
    this.thread = Thread.ofPlatform().daemon().name("flyball-usage").start(this::handIn);
  }

  @Override
  public Optional<CallListener> listener() {
    return Optional.of(this);
  }

  @Override
  public void told(ProxiedCall call, CallStep step) {
    switch (step) {
      case CallStep.Queued queued -> {}
      case CallStep.Waits waiting -> {}
      case CallStep.Answering answering -> {}
      case CallStep.Sent sent -> {
        if (!sent.waited().isEmpty()) {
          var all = new HashMap<String, Duration>();
          sent.waited().forEach((what, spent) -> all.put(what.name(), spent));
          waits.put(call.id(), all);
        }
      }
      case CallStep.Attempted tried -> record(call, tried);
      case CallStep.Ended ended -> {
        waits.remove(call.id());
        calls.incrementAndGet();
        switch (ended.how()) {
          case ANSWERED -> answered.incrementAndGet();
          case FAILED, REFUSED -> failed.incrementAndGet();
          case LEFT -> {}
        }
        micros.addAndGet(ended.cost().orElse(Cost.NOTHING).micros());
      }
    }
  }

  private void record(ProxiedCall call, CallStep.Attempted tried) {
    var model = call.model();
    var waited = waits.remove(call.id());
    var key =
        CallKey.of(
                tried.lane().toString(),
                model.substring(0, Math.min(LONGEST_MODEL, model.length())),
                call.id())
            .on(call.caller().name());
    var attempt =
        new AttemptRecord(
            run,
            key,
            tried.attempt(),
            outcome(tried.kind()),
            "",
            tried.usage().costing(tried.cost().orElse(Cost.NOTHING)),
            tried.cost().isPresent() ? prices : PriceBasis.UNKNOWN,
            tried.took(),
            waited == null ? Map.of() : waited,
            time.wall());
    if (!records.offer(Optional.of(attempt))) {
      leftOut.incrementAndGet();
    }
  }

  private static AttemptOutcome outcome(Reply.Kind kind) {
    return switch (kind) {
      case ANSWERED -> AttemptOutcome.ANSWERED;
      case THROTTLED -> AttemptOutcome.THROTTLED;
      case OVERLOADED -> AttemptOutcome.OVERLOADED;
      case BROKEN -> AttemptOutcome.BROKEN;
      case CUT_SHORT -> AttemptOutcome.CUT_SHORT;
      case REJECTED -> AttemptOutcome.REJECTED;
    };
  }

  private void handIn() {
    var some = new ArrayList<Optional<AttemptRecord>>();
    try {
      while (some.stream().allMatch(Optional::isPresent)) {
        some.clear();
        some.add(records.take());
        closing.await(GATHERS_MILLIS, TimeUnit.MILLISECONDS);
        records.drainTo(some);
        for (var each : some) {
          if (each.isPresent()) {
            history.record(each.get());
          }
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many attempts were left out, because the history was too slow. */
  public long leftOut() {
    return leftOut.get();
  }

  /** Hands in what is left, and ends the run. */
  @Override
  public void close() {
    try {
      if (records.offer(Optional.empty(), 1, TimeUnit.SECONDS)) {
        closing.countDown();
        thread.join(Duration.ofSeconds(10).toMillis());
      }
      history.end(
          run,
          new RunEnding(
              Duration.between(began, time.wall()),
              0,
              calls.get(),
              answered.get(),
              failed.get(),
              new Cost(micros.get())));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
