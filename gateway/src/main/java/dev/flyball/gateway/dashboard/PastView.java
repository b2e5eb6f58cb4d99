package dev.flyball.gateway.dashboard;

import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PastCall;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PastRun;
import dev.flyball.history.record.RunForecast;
import dev.flyball.history.record.UsageGrouping;
import dev.flyball.history.record.UsageQuery;
import dev.flyball.history.record.UsageRow;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The answers of a history, as the page reads them. They block, and are asked for on a worker. */
record PastView(History history, AnswerOrigin origin) {
  private static final int LAST_CALLS = 200;
  private static final int LAST_REVIEWS = 30;
  private static final int LAST_RUNS = 50;

  /** How far back usage is shown, and in which steps. */
  enum Range {
    DAY("24h", 24, ChronoUnit.HOURS, UsageGrouping.HOUR),
    WEEK("7d", 7, ChronoUnit.DAYS, UsageGrouping.DAY),
    MONTH("30d", 30, ChronoUnit.DAYS, UsageGrouping.DAY);

    private final String word;
    private final int steps;
    private final ChronoUnit unit;
    private final UsageGrouping time;

    Range(String word, int steps, ChronoUnit unit, UsageGrouping time) {
      this.word = word;
      this.steps = steps;
      this.unit = unit;
      this.time = time;
    }

    static Range of(String word) {
      for (var each : values()) {
        if (each.word.equals(word)) {
          return each;
        }
      }
      throw new IllegalArgumentException("the range must be 24h, 7d or 30d");
    }
  }

  /** What usage may be grouped by. */
  static UsageGrouping grouping(String word) {
    return switch (word) {
      case "model" -> UsageGrouping.MODEL;
      case "tenant" -> UsageGrouping.TENANT;
      case "lens" -> UsageGrouping.LENS;
      case "mode" -> UsageGrouping.MODE;
      default ->
          throw new IllegalArgumentException("usage can be grouped by model, tenant, lens or mode");
    };
  }

  JsonObject usage(Range range, UsageGrouping by, Instant now) throws HistoryUnavailable {
    var last = now.truncatedTo(range.unit);
    var first = last.minus(range.steps - 1L, range.unit);
    Set<UsageGrouping> groups = new LinkedHashSet<>(List.of(range.time, by));
    var rows = new JsonArray();
    for (var row : history.usage(new UsageQuery(first, now, groups, origin))) {
      rows.add(row(row, range.time, by));
    }
    return new JsonObject()
        .put("from", first.getEpochSecond())
        .put("until", last.getEpochSecond())
        .put("stepSeconds", range.unit.getDuration().toSeconds())
        .put("simulated", origin == AnswerOrigin.SIMULATED)
        .put("rows", rows);
  }

  private static JsonObject row(UsageRow row, UsageGrouping time, UsageGrouping by) {
    var at = row.group().getOrDefault(time, "");
    var moment =
        time == UsageGrouping.DAY
            ? LocalDate.parse(at).atStartOfDay().toInstant(ZoneOffset.UTC)
            : Instant.parse(at);
    var usage = row.usage();
    return new JsonObject()
        .put("at", moment.getEpochSecond())
        .put("group", row.group().getOrDefault(by, ""))
        .put("attempts", row.attempts())
        .put("throttled", row.throttled())
        .put("tokens", usage.tokens())
        .put("input", usage.input() + usage.cacheWrite())
        .put("cached", usage.cacheRead())
        .put("output", usage.output())
        .put("costUsd", usage.cost().decimal())
        .put("unpriced", row.unpriced());
  }

  /** What was spent since midnight. */
  JsonObject today(Instant now) throws HistoryUnavailable {
    var midnight = now.truncatedTo(ChronoUnit.DAYS);
    var rows = history.usage(new UsageQuery(midnight, now, Set.of(), origin));
    var sum = new JsonObject().put("costToday", "0").put("tokensToday", 0).put("unpricedToday", 0);
    if (!rows.isEmpty()) {
      var row = rows.getFirst();
      sum.put("costToday", row.usage().cost().decimal())
          .put("tokensToday", row.usage().tokens())
          .put("unpricedToday", row.unpriced());
    }
    return sum;
  }

  JsonArray calls() throws HistoryUnavailable {
    var all = new JsonArray();
    history.calls(origin, LAST_CALLS).forEach(each -> all.add(call(each)));
    return all;
  }

  private static JsonObject call(PastCall past) {
    var attempt = past.attempt();
    var of = attempt.call();
    var waits = new JsonArray();
    attempt.waits().entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey()))
        .forEach(
            entry ->
                waits.add(
                    new JsonObject()
                        .put("for", entry.getKey())
                        .put("ms", entry.getValue().toMillis())));
    return new JsonObject()
        .put("id", attempt.run() + "/" + of.name() + "/" + attempt.number() + "/" + attempt.at())
        .put("at", attempt.at().toString())
        .put("tenant", of.tenant())
        .put("name", of.name())
        .put("lens", of.lens())
        .put("model", of.model())
        .put("lane", of.lane())
        .put("outcome", outcome(attempt.outcome()))
        .put("throttledBy", attempt.throttledBy())
        .put("attempt", attempt.number())
        .put("waits", waits)
        .put("tookMs", attempt.latency().toMillis())
        .put("tokens", attempt.usage().tokens())
        .put("costUsd", attempt.cost().map(cost -> cost.decimal()).orElse(null));
  }

  private static String outcome(AttemptOutcome outcome) {
    return switch (outcome) {
      case ANSWERED -> "answered";
      case THROTTLED -> "rate-limited";
      case OVERLOADED -> "overloaded";
      case BROKEN -> "broken";
      case CUT_SHORT -> "cut short";
      case REJECTED -> "rejected";
    };
  }

  JsonObject reviews() throws HistoryUnavailable {
    var all = new JsonArray();
    history.reviews(LAST_REVIEWS).forEach(each -> all.add(review(each)));
    return new JsonObject().put("reviews", all);
  }

  private static JsonObject review(PastReview review) {
    var findings = new JsonArray();
    for (var each : review.findings()) {
      findings.add(
          new JsonObject()
              .put("id", each.id())
              .put("file", each.file())
              .put("line", each.line())
              .put("severity", each.severity())
              .put("category", each.category())
              .put("lens", each.lens())
              .put("title", each.title())
              .put("text", each.text())
              .put("code", each.code()));
    }
    var key = review.key();
    return new JsonObject()
        .put(
            "id",
            String.join("/", key.platform(), key.repository(), key.pr(), key.updated().toString()))
        .put("repository", key.repository())
        .put("subject", key.pr())
        .put("at", review.reviewed().toString())
        .put("decision", review.decision().replace('_', ' '))
        .put("summary", review.summary())
        .put("tookMs", review.took().toMillis())
        .put("tokens", review.tokensUsed())
        .put("sha", review.sha())
        .put("findings", findings);
  }

  JsonObject runs() throws HistoryUnavailable {
    var all = new JsonArray();
    history.runs(origin, LAST_RUNS).forEach(each -> all.add(run(each)));
    return new JsonObject().put("runs", all);
  }

  private static JsonObject run(PastRun past) {
    var run = past.run();
    var json =
        new JsonObject()
            .put("id", past.id())
            .put("command", run.command())
            .put("repository", run.repository())
            .put("input", run.input())
            .put("models", run.models())
            .put("startedAt", past.started().toString())
            .put("endedAt", null);
    switch (past.state()) {
      case PastRun.Ended(var at, var ending) ->
          json.put("endedAt", at.toString())
              .put("exit", ending.exit())
              .put("calls", ending.calls())
              .put("completed", ending.completed())
              .put("errored", ending.errored())
              .put("tookMs", ending.wall().toMillis())
              .put("costUsd", ending.cost().decimal());
      case PastRun.Open open -> json.put("exit", null);
    }
    return json.put(
        "forecastMs",
        past.forecast() instanceof RunForecast.Expected expected
            ? (Long) millis(expected.p50())
            : null);
  }

  private static long millis(Duration time) {
    return time.toMillis();
  }
}
