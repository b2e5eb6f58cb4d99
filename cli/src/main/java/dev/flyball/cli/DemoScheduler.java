package dev.flyball.cli;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.llm.Answer;
import dev.flyball.llm.Catalogue;
import dev.flyball.llm.Tokens;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.LaneSnapshot;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Flyball as anybody would use it: a thread for each call, and nothing said about limits. */
final class DemoScheduler implements AutoCloseable {
  private static final String STYLE = "anthropic";

  private final DemoTrack track;
  private final Flyball flyball;
  private final LaneId lane;
  private final Tokens tokens = new Tokens(Map.of());
  private final AtomicInteger lost = new AtomicInteger();

  DemoScheduler(DemoTrack track, Catalogue catalogue) {
    this.track = track;
    this.lane = LaneId.of("simulated", catalogue.modelClass(STYLE, DemoAccount.MODEL));
    this.flyball = Flyball.builder().profiles(any -> catalogue.style(STYLE)).build();
  }

  void run() {
    track.start();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < DemoAccount.CALLS; i++) {
        int call = i;
        threads.execute(() -> ask(call));
      }
    }
    track.end();
  }

  private void ask(int number) {
    var count = tokens.estimate(DemoAccount.prompt(number));
    var call =
        Call.to(lane)
            .estimated(Estimate.of(count.tokens(), DemoAccount.MOST_OUTPUT))
            .named(DemoAccount.id(number));
    try {
      switch (flyball.run(call, attempt -> track.attempt(number, attempt))) {
        case Outcome.Done<Answer> done -> tokens.learn(count, done.usage());
        case Outcome.Refused<Answer> refused -> lost.incrementAndGet();
        case Outcome.GaveUp<Answer> gaveUp -> lost.incrementAndGet();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The lane as it is; empty before the first call. */
  Optional<LaneSnapshot> lane() {
    return flyball.snapshot().lanes().stream().findFirst();
  }

  /** Calls that were given up. */
  int lost() {
    return lost.get();
  }

  @Override
  public void close() {
    flyball.close();
  }
}
