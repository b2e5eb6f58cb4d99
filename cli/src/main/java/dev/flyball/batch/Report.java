package dev.flyball.batch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.llm.Tokens;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.SchedulerSnapshot;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run at one moment, or at its end.
 *
 * @param completed lines that have an answer, those of earlier runs among them
 * @param earlier lines that had one before this run
 * @param failures what went wrong for good and what to do, each with how often
 * @param bound the least time that what this run asked could have taken
 */
public record Report(
    Instant startedAt,
    boolean simulated,
    long total,
    long completed,
    long earlier,
    long errored,
    long invalid,
    Usage usage,
    Costs costs,
    Duration wall,
    Duration bound,
    SchedulerSnapshot lanes,
    Map<String, String> learnedFrom,
    Map<String, Tokens.Learned> tokens,
    Map<String, Integer> failures,
    Optional<Stop> stop,
    Optional<String> trouble,
    List<String> unwritten) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;

  /** Lines that were not asked to their end. */
  public long skipped() {
    return total - completed - errored;
  }

  /** How near it came to the least possible time, from 0 to 1. */
  public double efficiency() {
    return wall.isZero() ? 1 : Math.min(1, (double) bound.toNanos() / wall.toNanos());
  }

  /** Answers a second, of this run. */
  public double rate() {
    return wall.isZero() ? 0 : (completed - earlier) / (wall.toNanos() / 1e9);
  }

  /** What it cost; simulated answers cost nothing. Empty when a price is not known. */
  public Optional<Cost> cost() {
    return simulated ? Optional.of(Cost.NOTHING) : costs.known();
  }

  public ObjectNode json() {
    var total = lanes.total();
    ObjectNode node =
        JSON.createObjectNode()
            .put("version", VERSION)
            .put("startedAt", startedAt.toString())
            .put("simulated", simulated)
            .put("total", this.total)
            .put("completed", completed)
            .put("errored", errored)
            .put("skipped", skipped())
            .put("earlier", earlier)
            .put("invalid", invalid)
            .put("attempts", total.attempts())
            .put("throttled", total.throttled());
    var by = node.putObject("throttledBy");
    total.throttledBy().forEach(by::put);
    node.put("retried", total.retried())
        .put("wallSeconds", seconds(wall))
        .put("boundSeconds", seconds(bound))
        .put("efficiency", Math.round(efficiency() * 1e3) / 1e3);
    node.putObject("tokens")
        .put("input", usage.input())
        .put("output", usage.output())
        .put("cacheRead", usage.cacheRead())
        .put("cacheWrite", usage.cacheWrite());
    dollars(node, "costUsd", cost());
    if (simulated) {
      dollars(node, "simulatedCostUsd", costs.known());
    }
    node.put("unpricedCalls", costs.unpricedCalls()).put("pricesVersion", costs.pricesVersion());
    lanes.budgets().forEach(budget -> budget(node.putObject("budget"), budget));
    var latency = total.latency();
    node.putObject("latencyMs")
        .put("mean", latency.mean().toMillis())
        .put("p50", latency.p50().toMillis())
        .put("p90", latency.p90().toMillis())
        .put("p99", latency.p99().toMillis());
    var array = node.putArray("lanes");
    lanes.lanes().forEach(lane -> lane(array.addObject(), lane));
    var estimates = node.putObject("estimateError");
    tokens.forEach((model, known) -> estimates.put(model, Math.round(known.error() * 1e3) / 1e3));
    stop.ifPresent(why -> stop(node.putObject("stopped"), why));
    trouble.ifPresent(what -> node.put("cannotWrite", what));
    if (!unwritten.isEmpty()) {
      var ids = node.putArray("unwritten");
      unwritten.forEach(ids::add);
    }
    return node;
  }

  private static void dollars(ObjectNode node, String name, Optional<Cost> cost) {
    cost.ifPresentOrElse(
        known -> node.put(name, known.toString().substring(1)), () -> node.putNull(name));
  }

  private static void budget(ObjectNode node, BudgetSnapshot budget) {
    budget
        .budget()
        .tokens()
        .ifPresent(
            most ->
                node.put("maxTokens", most)
                    .put("usedTokens", budget.tokensSpent())
                    .put("overspentTokens", budget.tokensOverspent()));
    budget
        .budget()
        .money()
        .ifPresent(
            most -> {
              dollars(node, "maxUsd", Optional.of(most));
              dollars(node, "usedUsd", Optional.of(budget.moneySpent()));
              dollars(node, "overspentUsd", Optional.of(budget.moneyOverspent()));
            });
  }

  private void lane(ObjectNode node, LaneSnapshot lane) {
    node.put("lane", lane.lane().toString());
    var limits = node.putObject("limits");
    lane.gauges()
        .forEach(
            gauge ->
                gauge.limit().ifPresent(limit -> limits.put(gauge.dimension().toString(), limit)));
    node.put("learnedFrom", learnedFrom.getOrDefault(lane.lane().toString(), "nothing"))
        .put("attempts", lane.metrics().attempts())
        .put("inFlight", lane.inFlight())
        .put("waiting", lane.waiting());
    lane.waitingFor().ifPresent(what -> node.put("waitingFor", what.toString()));
    lane.waitLeft().ifPresent(left -> node.put("waitSeconds", seconds(left)));
    var waited = node.putObject("waitedSeconds");
    lane.metrics().waited().forEach((what, time) -> waited.put(what.toString(), seconds(time)));
  }

  private static void stop(ObjectNode node, Stop why) {
    node.put("why", why.kind().name().toLowerCase(java.util.Locale.ROOT))
        .put("message", why.message());
    why.resumeAt().ifPresent(at -> node.put("resumeAt", at.toString()));
  }

  private static double seconds(Duration time) {
    return Math.round(time.toNanos() / 1e6) / 1e3;
  }
}
