package dev.flyball.bench.wire;

import dev.flyball.bench.wire.BenchRequest.Dialect;
import dev.flyball.call.Dimension;
import dev.flyball.scheduler.LeastTime;
import dev.flyball.scheduler.LeastTime.Demand;
import dev.flyball.scheduler.LeastTime.Supply;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * An account, calls for it, and what is promised of them.
 *
 * @param account of a simulator that nobody has used yet
 * @param demand what one call takes of it
 * @param supplies what it gives
 */
public record WireRow(
    String name,
    int calls,
    BenchRequest ask,
    Supplier<Settings> account,
    Demand demand,
    List<Supply> supplies,
    Promise promise) {

  /**
   * What is promised.
   *
   * @param ratio × the least possible time, at most
   * @param throttles 429s, at most
   * @param requests a call, at most
   */
  public record Promise(double ratio, int throttles, double requests) {
    static Promise of(double ratio, int throttles) {
      return new Promise(ratio, throttles, Double.POSITIVE_INFINITY);
    }

    public boolean keptBy(Score score) {
      return score.ratio() <= ratio
          && score.throttles() <= throttles
          && score.requests() <= requests
          && score.lost() == 0
          && score.askedAgain() == 0;
    }

    @Override
    public String toString() {
      return ratio + " / " + throttles;
    }
  }

  private static final Duration QUICK = Duration.ofMillis(200);
  private static final Duration SLOW = Duration.ofSeconds(2);
  private static final double FOREIGN = 0.4;
  private static final long ANSWER = 530;

  public static final List<WireRow> ALL =
      List.of(
          new WireRow(
              "full headers",
              300,
              small(),
              () -> tenASecond("full"),
              request(),
              List.of(requests(10, 10)),
              new Promise(1.03, 3, 1.01)),
          tenASecond("retry-after only", 300, "retry-after", Promise.of(1.05, 10)),
          tenASecond("no header, no hint", 60, "none", Promise.of(1.3, 8)),
          tenASecond("wrong advertised burst", 300, "full,wrong-burst", Promise.of(1.05, 5)),
          new WireRow(
              "token-bound",
              150,
              new BenchRequest(Dialect.OPENAI, 40, 970, OptionalLong.empty()),
              () ->
                  quick("full")
                      .limit("requests=6000/min")
                      .burst("requests=100")
                      .limit("tokens=300000/min")
                      .burst("tokens=5000"),
              new Demand(QUICK, Map.of(Dimension.REQUESTS, 1L, Dimension.TOKENS, 970L)),
              List.of(requests(100, 100), Supply.steady(Dimension.TOKENS, 5_000, 5_000)),
              Promise.of(1.03, 3)),
          new WireRow(
              "40 % foreign use",
              300,
              small(),
              () -> tenASecond("full").foreign(FOREIGN),
              request(),
              List.of(requests(10 * (1 - FOREIGN), 10)),
              Promise.of(1.05, 3)),
          new WireRow(
              "bound by output, rounded",
              150,
              new BenchRequest(Dialect.ANTHROPIC, 350, 1_000, OptionalLong.of(ANSWER)),
              () ->
                  Settings.of("anthropic-tier1")
                      .latency(new Latency(SLOW, Duration.ZERO, 0))
                      .limit("requests=200/min")
                      .limit("input=30000/min")
                      .limit("output=40000/min"),
              new Demand(
                  SLOW,
                  Map.of(
                      Dimension.REQUESTS,
                      1L,
                      Dimension.INPUT_TOKENS,
                      103L,
                      Dimension.OUTPUT_TOKENS,
                      ANSWER)),
              List.of(
                  requests(200 / 60.0, 200),
                  Supply.steady(Dimension.INPUT_TOKENS, 500, 30_000),
                  new Supply(Dimension.OUTPUT_TOKENS, 40_000 / 60.0, 40_000, true, Duration.ZERO)),
              Promise.of(1.1, 3)));

  private static WireRow tenASecond(String name, int calls, String headers, Promise promise) {
    return new WireRow(
        name,
        calls,
        small(),
        () -> tenASecond(headers),
        request(),
        List.of(requests(10, 10)),
        promise);
  }

  private static Settings tenASecond(String headers) {
    return quick(headers).limit("requests=600/min").burst("requests=10");
  }

  private static Settings quick(String headers) {
    return Settings.of("unlimited")
        .latency(new Latency(QUICK, Duration.ZERO, 0))
        .headers(Headers.parse(headers));
  }

  private static BenchRequest small() {
    return new BenchRequest(Dialect.OPENAI, 40, 100, OptionalLong.empty());
  }

  private static Demand request() {
    return new Demand(QUICK, Map.of(Dimension.REQUESTS, 1L));
  }

  private static Supply requests(double perSecond, double burst) {
    return Supply.steady(Dimension.REQUESTS, perSecond, burst);
  }

  /** What no schedule can beat. */
  public Duration least() {
    return LeastTime.of(Collections.nCopies(calls, demand), supplies, calls);
  }
}
