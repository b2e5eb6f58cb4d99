package dev.flyball.gateway.dashboard;

import dev.flyball.call.BreakerState;
import dev.flyball.gateway.dashboard.LiveCalls.Share;
import dev.flyball.gateway.dashboard.LiveCalls.Spot;
import dev.flyball.scheduler.LaneSnapshot;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;

/** A lane as the page reads it. */
final class LaneView {
  private static final double LARGE = 1e15;

  private LaneView() {}

  static JsonObject of(
      LaneSnapshot lane, boolean paused, Map<Spot, Share> shares, double answersPerSecond) {
    var id = lane.lane();
    var metrics = lane.metrics();
    var by = new JsonObject();
    metrics.throttledBy().forEach(by::put);
    var latency = metrics.latency();
    return new JsonObject()
        .put("name", id.toString())
        .put("provider", id.provider())
        .put("model", id.modelClass().isEmpty() ? id.provider() : id.modelClass())
        .put("key", id.keyFingerprint())
        .put("organisation", id.organisation())
        .put("waiting", lane.waiting())
        .put("inFlight", lane.inFlight())
        .put("slots", lane.slots())
        .put("breaker", breaker(lane.breaker()))
        .put("paused", paused)
        .put("waitingFor", lane.waitingFor().map(constraint -> constraint.name()).orElse(null))
        .put("waitLeftMs", lane.waitLeft().map(Duration::toMillis).orElse(0L))
        .put("drainMs", drain(lane, answersPerSecond))
        .put("pacePerSecond", lane.pacePerSecond())
        .put("completed", metrics.completed())
        .put("attempts", metrics.attempts())
        .put("throttled", metrics.throttled())
        .put("throttledBy", by)
        .put(
            "latencyMs",
            new JsonObject()
                .put("p50", latency.p50().toMillis())
                .put("p90", latency.p90().toMillis())
                .put("p99", latency.p99().toMillis()))
        .put("gauges", gauges(lane))
        .put("queue", queue(id.toString(), shares));
  }

  private static String breaker(BreakerState state) {
    return switch (state) {
      case CLOSED -> "closed";
      case OPEN -> "open";
      case PROBING -> "probing";
    };
  }

  /**
   * When what waits now will have gone, at the pace of the last half minute; not before the next.
   */
  private static long drain(LaneSnapshot lane, double answersPerSecond) {
    if (lane.waiting() == 0 || answersPerSecond <= 0) {
      return 0;
    }
    long next = lane.waitLeft().map(Duration::toMillis).orElse(0L);
    return next + Math.round(1_000 * (lane.waiting() - 1) / answersPerSecond);
  }

  private static JsonArray gauges(LaneSnapshot lane) {
    var gauges = new JsonArray();
    for (var gauge : lane.gauges()) {
      if (gauge.limit().isEmpty() && !(gauge.ceiling() < LARGE)) {
        // The provider counts this, but nobody has said how much it allows.
        continue;
      }
      gauges.add(
          new JsonObject()
              .put("dimension", gauge.dimension().toString())
              .put("limit", gauge.limit().isPresent() ? (Long) gauge.limit().getAsLong() : null)
              .put("level", finite(gauge.level()))
              .put("ceiling", gauge.ceiling() < LARGE ? (Double) gauge.ceiling() : null)
              .put("perSecond", finite(gauge.perSecond()))
              .put("held", gauge.held())
              .put("fullness", gauge.fullness())
              .put("sighted", gauge.sighted()));
    }
    return gauges;
  }

  private static double finite(double value) {
    return Double.isNaN(value) ? 0 : Math.max(-LARGE, Math.min(LARGE, value));
  }

  /** Those who wait, the most first. */
  private static JsonArray queue(String lane, Map<Spot, Share> shares) {
    var here = new ArrayList<Map.Entry<Spot, Share>>();
    for (var each : shares.entrySet()) {
      if (each.getKey().lane().equals(lane) && each.getValue().waiting() > 0) {
        here.add(each);
      }
    }
    here.sort(
        Comparator.comparingInt((Map.Entry<Spot, Share> each) -> -each.getValue().waiting())
            .thenComparing(each -> each.getKey().tenant()));
    var queue = new JsonArray();
    for (var each : here) {
      queue.add(
          new JsonObject()
              .put("tenant", each.getKey().tenant())
              .put("waiting", each.getValue().waiting()));
    }
    return queue;
  }

  /** Whether it is one of those that somebody has paused. */
  static boolean isIn(LaneSnapshot lane, Set<String> paused) {
    return paused.contains(lane.lane().toString());
  }
}
