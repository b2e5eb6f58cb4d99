package dev.flyball.history.store;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.PastCall;
import dev.flyball.history.record.PriceBasis;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The queries for single attempts: the last ones only, and these by the order they came in. */
public record RecentQueries(Connection connection) {
  /** A run of thousands of attempts is looked into no deeper than that. */
  private static final int RUNS = 20;

  public List<PastCall> calls(AnswerOrigin origin, int last) throws SQLException {
    var found = new ArrayList<PastCall>();
    // The key of the table is (run, call): the last of each of the last runs are found by it.
    var runs = "select number, id, mode from runs where simulated = ? order by number desc limit ?";
    try (var statement = connection.prepareStatement(runs)) {
      new StatementParameters(statement).numbers(origin.code(), RUNS);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          ofRun(rows.getLong(1), rows.getString(2), rows.getString(3), last, found);
        }
      }
    }
    found.sort((one, other) -> other.attempt().at().compareTo(one.attempt().at()));
    return List.copyOf(found.subList(0, Math.min(last, found.size())));
  }

  private void ofRun(long run, String id, String mode, int last, List<PastCall> found)
      throws SQLException {
    try (var statement =
        connection.prepareStatement(
            "select * from calls where run = ? order by call desc limit ?")) {
      new StatementParameters(statement).numbers(run, last);
      var waits = waits(run, last);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          var waited = waits.getOrDefault(rows.getLong("call"), Map.of());
          found.add(new PastCall(mode, attempt(id, rows, waited)));
        }
      }
    }
  }

  private Map<Long, Map<String, Duration>> waits(long run, int last) throws SQLException {
    var sql =
        """
        select call, waited_for, millis from waits
        where run = ? and call > (select coalesce(max(call), 0) from calls where run = ?) - ?\
        """;
    var found = new HashMap<Long, Map<String, Duration>>();
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement).numbers(run, run, last);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          found
              .computeIfAbsent(rows.getLong(1), call -> new HashMap<>())
              .put(rows.getString(2), Duration.ofMillis(rows.getLong(3)));
        }
      }
    }
    return found;
  }

  private static AttemptRecord attempt(String run, ResultSet row, Map<String, Duration> waits)
      throws SQLException {
    var throttledBy = row.getString("throttled_by");
    var prices = row.getString("prices");
    return new AttemptRecord(
        run,
        new CallKey(
            row.getString("lane"),
            row.getString("model"),
            row.getString("lens"),
            row.getString("kind"),
            row.getString("name"),
            row.getLong("estimated_input"),
            row.getLong("max_output"),
            row.getString("tenant")),
        row.getInt("attempt"),
        AttemptOutcome.of(row.getInt("outcome")),
        throttledBy == null ? "" : throttledBy,
        new Usage(
            row.getLong("input"),
            row.getLong("cache_read"),
            row.getLong("cache_write"),
            row.getLong("output"),
            new Cost(row.getLong("cost"))),
        prices == null ? PriceBasis.UNKNOWN : new PriceBasis.Listed(prices),
        Duration.ofMillis(row.getLong("latency")),
        waits,
        Instant.ofEpochMilli(row.getLong("at")));
  }
}
