package dev.flyball.cli.demo;

import dev.flyball.call.Attempt;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.llm.ApiKey;
import dev.flyball.llm.Endpoint;
import dev.flyball.llm.HttpConnections;
import dev.flyball.llm.Provider;
import dev.flyball.llm.ProviderAnswer;
import dev.flyball.scheduler.Time;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.provider.Stats;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** One side of a demo: an account that nobody else uses, the way to it, and the time it took. */
public final class DemoTrack implements AutoCloseable {
  /** An attempt that nobody schedules: what it sees is told to nobody. */
  private static final Attempt ALONE =
      new Attempt() {
        @Override
        public int number() {
          return 1;
        }

        @Override
        public LaneId lane() {
          return LaneId.of("demo", "");
        }

        @Override
        public void sighted(Signals signals) {}
      };

  /**
   * How far it is, as the provider says.
   *
   * @param wasted tokens of prompts that were sent and brought no answer
   * @param over whether no call is left, answered or lost
   */
  public record Standing(Duration time, Stats stats, long wasted, boolean over) {
    long answered() {
      return stats.answered();
    }

    long throttled() {
      return stats.throttled();
    }

    /** Requests that brought no answer. */
    long vain() {
      return stats.requests() - stats.answered() - stats.inFlight();
    }
  }

  private final Simulator simulator;
  private final Provider provider;
  private final Time time;
  private final AtomicLong wasted = new AtomicLong();
  private volatile long started;
  private volatile long ended = -1;

  public DemoTrack(DemoAccount account, HttpConnections http, Time time) throws IOException {
    this.simulator = Simulator.start(account.settings(), 0);
    this.provider =
        http.provider(Endpoint.at("simulated", simulator.uri()).key(ApiKey.of("sk-demo")));
    this.time = time;
    this.started = time.nanos();
  }

  void start() {
    started = time.nanos();
  }

  void end() {
    ended = time.nanos();
  }

  public Reply<ProviderAnswer> attempt(int call) throws InterruptedException {
    return attempt(call, ALONE);
  }

  public Reply<ProviderAnswer> attempt(int call, Attempt attempt) throws InterruptedException {
    var ask = DemoAccount.ask(call);
    try (var exchange = provider.exchange(ask, attempt)) {
      if (!(exchange.reply() instanceof Reply.Answered)) {
        wasted.addAndGet(ask.input());
      }
      return exchange.reply();
    }
  }

  public Standing standing() {
    boolean over = ended >= 0;
    return new Standing(
        Duration.ofNanos((over ? ended : time.nanos()) - started),
        simulator.stats(),
        wasted.get(),
        over);
  }

  @Override
  public void close() {
    simulator.close();
  }
}
