package dev.flyball.batch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Cost;
import dev.flyball.run.StopReason;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A batch report as programs read it. */
public final class BatchReportJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 2;

  private BatchReportJson() {}

  /** All of it. */
  public static ObjectNode of(BatchReport report) {
    var lanes = report.lanes();
    var total = lanes.total();
    ObjectNode node =
        JSON.createObjectNode()
            .put("version", VERSION)
            .put("startedAt", report.startedAt().toString())
            .put("simulated", report.simulated())
            .put("total", report.total())
            .put("completed", report.completed())
            .put("errored", report.errored())
            .put("skipped", report.skipped())
            .put("remaining", report.skipped())
            .put("earlier", report.earlier())
            .put("invalid", report.invalid())
            .put("attempts", total.attempts())
            .put("throttled", total.throttled());
    var by = node.putObject("throttledBy");
    total.throttledBy().forEach(by::put);
    node.put("retried", total.retried()).put("wallSeconds", seconds(report.wall()));
    bound(node, report.bound());
    report
        .efficiency()
        .ifPresentOrElse(
            part -> node.put("efficiency", Math.round(part * 1e3) / 1e3),
            () -> node.putNull("efficiency"));
    node.putObject("tokens")
        .put("input", report.usage().input())
        .put("output", report.usage().output())
        .put("cacheRead", report.usage().cacheRead())
        .put("cacheWrite", report.usage().cacheWrite());
    dollars(node, "costUsd", report.cost());
    if (report.simulated()) {
      dollars(node, "simulatedCostUsd", report.costs().known());
    }
    node.put("unpricedCalls", report.costs().unpricedCalls())
        .put("pricesVersion", report.costs().pricesVersion());
    lanes.budgets().forEach(budget -> budget(node.putObject("budget"), budget));
    var latency = total.latency();
    node.putObject("latencyMs")
        .put("mean", latency.mean().toMillis())
        .put("p50", latency.p50().toMillis())
        .put("p90", latency.p90().toMillis())
        .put("p99", latency.p99().toMillis());
    var array = node.putArray("lanes");
    lanes.lanes().forEach(lane -> lane(array.addObject(), lane, report.figures()));
    var estimates = node.putObject("estimateError");
    report
        .tokens()
        .forEach((model, known) -> estimates.put(model, Math.round(known.error() * 1e3) / 1e3));
    if (!report.refusedKeys().isEmpty()) {
      var refused = node.putObject("refusedKeys");
      report.refusedKeys().forEach(refused::put);
    }
    report.stop().ifPresent(why -> stop(node.putObject("stopped"), why));
    report.trouble().ifPresent(what -> node.put("cannotWrite", what));
    if (!report.unwritten().isEmpty()) {
      var ids = node.putArray("unwritten");
      report.unwritten().forEach(ids::add);
    }
    return node;
  }

  /** Null where no limit is known: what nothing bounds is no bound of 0 s. */
  private static void bound(ObjectNode node, BatchReport.Bound bound) {
    if (bound.from() == BatchReport.BoundSource.NONE) {
      node.putNull("boundSeconds");
    } else {
      node.put("boundSeconds", seconds(bound.least()));
    }
    node.put("boundFrom", bound.from().toString());
  }

  private static void dollars(ObjectNode node, String name, Optional<Cost> cost) {
    cost.ifPresentOrElse(known -> node.put(name, known.decimal()), () -> node.putNull(name));
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

  private static void lane(
      ObjectNode node, LaneSnapshot lane, Map<String, BatchReport.LaneFigures> figures) {
    var known = figures.getOrDefault(lane.lane().toString(), BatchReport.LaneFigures.NOTHING);
    node.put("lane", lane.lane().toString());
    var limits = node.putObject("limits");
    lane.gauges()
        .forEach(
            gauge ->
                gauge.limit().ifPresent(limit -> limits.put(gauge.dimension().toString(), limit)));
    if (lane.pacePerSecond() > 0) {
      node.put("feltPerSecond", Math.round(lane.pacePerSecond() * 1e3) / 1e3);
    }
    node.put("learnedFrom", known.learnedFrom());
    bound(node, known.bound());
    node.put("attempts", lane.metrics().attempts())
        .put("inFlight", lane.inFlight())
        .put("waiting", lane.waiting());
    lane.waitingFor().ifPresent(what -> node.put("waitingFor", what.toString()));
    lane.waitLeft().ifPresent(left -> node.put("waitSeconds", seconds(left)));
    var waited = node.putObject("waitedSeconds");
    lane.metrics().waited().forEach((what, time) -> waited.put(what.toString(), seconds(time)));
  }

  private static void stop(ObjectNode node, StopReason why) {
    node.put("why", why.kind().name().toLowerCase(Locale.ROOT)).put("message", why.message());
    why.resumeAt().ifPresent(at -> node.put("resumeAt", at.toString()));
  }

  private static double seconds(Duration time) {
    return Math.round(time.toNanos() / 1e6) / 1e3;
  }
}
