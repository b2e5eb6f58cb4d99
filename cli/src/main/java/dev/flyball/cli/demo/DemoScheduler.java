package dev.flyball.cli.demo;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.llm.ProviderAnswer;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.LaneSnapshot;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Flyball as anybody would use it: a thread for each call, and nothing said about limits. */
public final class DemoScheduler implements AutoCloseable {
  private static final String STYLE = "anthropic";

  private final DemoTrack track;
  private final Flyball flyball;
  private final LaneId lane;
  private final TokenCounter tokens = new TokenCounter(Map.of());
  private final AtomicInteger lost = new AtomicInteger();

  public DemoScheduler(DemoTrack track, ProviderCatalogue catalogue) {
    this.track = track;
    this.lane = LaneId.of("simulated", catalogue.modelClass(STYLE, DemoAccount.MODEL));
    this.flyball = Flyball.builder().profiles(any -> catalogue.style(STYLE)).build();
  }

  public void run() {
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
        case Outcome.Done<ProviderAnswer> done -> tokens.learn(count, done.usage());
        case Outcome.Refused<ProviderAnswer> refused -> lost.incrementAndGet();
        case Outcome.GaveUp<ProviderAnswer> gaveUp -> lost.incrementAndGet();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The lane as it is; empty before the first call. */
  public Optional<LaneSnapshot> lane() {
    return flyball.snapshot().lanes().stream().findFirst();
  }

  /** Calls that were given up. */
  public int lost() {
    return lost.get();
  }

  @Override
  public void close() {
    flyball.close();
  }
}
