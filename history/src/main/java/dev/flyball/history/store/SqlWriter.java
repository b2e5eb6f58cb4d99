package dev.flyball.history.store;

import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PriceBasis;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The statements that write, on one connection; what it is given is committed as one. */
final class SqlWriter implements AutoCloseable {
  private final Connection connection;
  private final PreparedStatement addCall;
  private final PreparedStatement addWait;
  private final PreparedStatement addHourSums;
  private final PreparedStatement addRunSums;

  SqlWriter(Connection connection) throws SQLException {
    this.connection = connection;
    this.addCall = connection.prepareStatement(WriteStatements.ADD_CALL);
    this.addWait = connection.prepareStatement(WriteStatements.ADD_WAIT);
    this.addHourSums = connection.prepareStatement(WriteStatements.ADD_HOUR_SUMS);
    this.addRunSums = connection.prepareStatement(WriteStatements.ADD_RUN_SUMS);
  }

  /**
   * Writes all of it or nothing. A commit whose answer was lost may have happened: so before a
   * second try it is looked up. The transaction is ended by committing automatically again:
   * SQLite's driver follows {@code commit()} with the next transaction, which would keep all others
   * out.
   */
  void write(List<PendingWrite> entries, boolean again) throws SQLException {
    try {
      connection.setAutoCommit(false);
      boolean written = again && written(entries);
      var hours = new TreeMap<HourSums.Key, HourSums>();
      var runs = new TreeMap<RunSums.Key, RunSums>();
      int calls = 0;
      boolean waited = false;
      for (var entry : entries) {
        switch (entry) {
          case PendingWrite.Began began -> begin(began);
          case PendingWrite.Expected expected -> expect(expected);
          case PendingWrite.Ended ended -> end(ended);
          case PendingWrite.Reviewed reviewed -> review(reviewed.review(), reviewed.run());
          case PendingWrite.KeyMade made -> new TenantTables(connection).add(made.key());
          case PendingWrite.KeyRevoked revoked ->
              new TenantTables(connection).revoke(revoked.tenant(), revoked.at());
          case PendingWrite.Spent spent -> new TenantTables(connection).spend(spent.more());
          case PendingWrite.Tried tried -> {
            if (!written) {
              calls++;
              call(tried);
              waited |= waits(tried);
              add(tried, hours, runs);
            }
          }
        }
      }
      if (calls > 0) {
        addCall.executeBatch();
        if (waited) {
          addWait.executeBatch();
        }
        addHours(hours);
        addRuns(runs);
      }
      connection.setAutoCommit(true);
    } catch (SQLException failure) {
      undo(failure);
      throw failure;
    }
  }

  private void undo(SQLException failure) {
    try {
      connection.rollback();
    } catch (SQLException second) {
      failure.addSuppressed(second);
    }
  }

  private boolean written(List<PendingWrite> entries) throws SQLException {
    for (var entry : entries) {
      if (entry instanceof PendingWrite.Tried tried) {
        try (var statement = connection.prepareStatement(WriteStatements.FIND_CALL)) {
          new StatementParameters(statement).numbers(tried.run().number(), tried.call());
          try (var rows = statement.executeQuery()) {
            return rows.next();
          }
        }
      }
    }
    return false;
  }

  private void begin(PendingWrite.Began began) throws SQLException {
    var run = began.run().run();
    try (var statement = connection.prepareStatement(WriteStatements.BEGIN_RUN)) {
      var row =
          new StatementParameters(statement)
              .texts(began.run().id(), run.command(), run.mode(), run.repository(), run.input())
              .number(run.origin().code())
              .texts(run.provider(), run.models());
      switch (run.prices()) {
        case PriceBasis.Listed(String version) -> row.text(version);
        case PriceBasis.Unknown unknown -> row.maybeText(null);
      }
      row.number(began.at().toEpochMilli());
      statement.executeUpdate();
    }
    try (var statement = connection.prepareStatement(WriteStatements.RUN_NUMBER)) {
      new StatementParameters(statement).text(began.run().id());
      try (var rows = statement.executeQuery()) {
        rows.next();
        began.run().numbered(rows.getLong(1));
      }
    }
  }

  private void expect(PendingWrite.Expected expected) throws SQLException {
    var forecast = expected.forecast();
    try (var statement = connection.prepareStatement(WriteStatements.EXPECT)) {
      var usage = forecast.usage();
      boolean priced = expected.run().run().prices() instanceof PriceBasis.Listed;
      new StatementParameters(statement)
          .numbers(forecast.p50().toMillis(), forecast.p90().toMillis())
          .maybeNumber(priced ? (Long) usage.cost().micros() : null)
          .numbers(usage.prompt(), usage.output(), forecast.calibratedOn())
          .number(expected.run().number());
      statement.executeUpdate();
    }
  }

  private void end(PendingWrite.Ended ended) throws SQLException {
    var ending = ended.ending();
    try (var statement = connection.prepareStatement(WriteStatements.END_RUN)) {
      new StatementParameters(statement)
          .numbers(
              ended.at().toEpochMilli(),
              ending.wall().toMillis(),
              ending.exit(),
              ending.calls(),
              ending.completed(),
              ending.errored(),
              ending.cost().micros(),
              ended.run().number());
      statement.executeUpdate();
    }
  }

  private void call(PendingWrite.Tried tried) throws SQLException {
    var attempt = tried.attempt();
    var call = attempt.call();
    var usage = attempt.usage();
    var row =
        new StatementParameters(addCall)
            .numbers(tried.run().number(), tried.call())
            .texts(call.lane(), call.model(), call.lens(), call.kind(), call.name())
            .numbers(attempt.number(), attempt.outcome().code())
            .maybeText(attempt.throttledBy().isEmpty() ? null : attempt.throttledBy())
            .numbers(usage.input(), usage.cacheRead(), usage.cacheWrite(), usage.output())
            .numbers(call.estimatedInput(), call.maxOutput());
    switch (attempt.prices()) {
      case PriceBasis.Listed(String version) -> row.number(usage.cost().micros()).text(version);
      case PriceBasis.Unknown unknown -> row.maybeNumber(null).maybeText(null);
    }
    row.numbers(attempt.latency().toMillis(), attempt.at().toEpochMilli()).text(call.tenant());
    addCall.addBatch();
  }

  private boolean waits(PendingWrite.Tried tried) throws SQLException {
    boolean any = false;
    for (Map.Entry<String, Duration> each : tried.attempt().waits().entrySet()) {
      if (each.getValue().toMillis() > 0) {
        any = true;
        new StatementParameters(addWait)
            .numbers(tried.run().number(), tried.call())
            .text(each.getKey())
            .number(each.getValue().toMillis());
        addWait.addBatch();
      }
    }
    return any;
  }

  private static void add(
      PendingWrite.Tried tried, Map<HourSums.Key, HourSums> hours, Map<RunSums.Key, RunSums> runs) {
    var attempt = tried.attempt();
    hours
        .computeIfAbsent(HourSums.Key.of(tried.run().run(), attempt), key -> new HourSums())
        .add(attempt);
    if (attempt.outcome() == AttemptOutcome.ANSWERED) {
      var call = attempt.call();
      runs.computeIfAbsent(
              new RunSums.Key(call.model(), call.lens(), tried.run().number()),
              key -> new RunSums())
          .add(attempt);
    }
  }

  private void addHours(Map<HourSums.Key, HourSums> hours) throws SQLException {
    for (var entry : hours.entrySet()) {
      var key = entry.getKey();
      var sums = entry.getValue();
      var usage = sums.usage;
      new StatementParameters(addHourSums)
          .numbers(key.hour(), key.simulated())
          .texts(key.model(), key.mode(), key.lens(), key.repository(), key.lane(), key.tenant())
          .numbers(sums.attempts, sums.answered, sums.throttled, sums.retried)
          .numbers(usage.input(), usage.cacheRead(), usage.cacheWrite(), usage.output())
          .numbers(sums.wasted, sums.latency, usage.cost().micros(), sums.unpriced)
          .numbers(sums.mostTokens, sums.longest);
      addHourSums.addBatch();
    }
    addHourSums.executeBatch();
  }

  private void addRuns(Map<RunSums.Key, RunSums> runs) throws SQLException {
    if (runs.isEmpty()) {
      return;
    }
    for (var entry : runs.entrySet()) {
      var key = entry.getKey();
      var sums = entry.getValue();
      new StatementParameters(addRunSums)
          .texts(key.model(), key.lens())
          .numbers(key.run(), sums.answered, sums.input, sums.estimatedInput)
          .numbers(sums.output, sums.outputSquares)
          .numbers(sums.latency, sums.latencySquares, sums.latencyTimesOutput)
          .numbers(sums.maxOutput, sums.mostOutput);
      addRunSums.addBatch();
    }
    addRunSums.executeBatch();
  }

  private void review(PastReview review, String run) throws SQLException {
    try (var statement = connection.prepareStatement(WriteStatements.MOVE_REVIEW)) {
      var key = review.key();
      long updated = key.updated().toEpochMilli();
      new StatementParameters(statement)
          .number(updated)
          .texts(key.platform(), key.repository(), key.pr(), review.sha())
          .texts(key.platform(), key.repository(), key.pr())
          .number(updated);
      statement.executeUpdate();
    }
    long number;
    try (var statement = connection.prepareStatement(WriteStatements.REPLACE_REVIEW)) {
      var key = review.key();
      new StatementParameters(statement)
          .texts(key.platform(), key.repository(), key.pr())
          .number(key.updated().toEpochMilli())
          .text(review.sha())
          .number(review.reviewed().toEpochMilli())
          .texts(review.decision(), review.summary())
          .numbers(review.tokensUsed(), review.tokenBudget())
          .text(review.executionMode())
          .number(review.took().toMillis())
          .text(run);
      try (var rows = statement.executeQuery()) {
        rows.next();
        number = rows.getLong(1);
      }
    }
    try (var statement = connection.prepareStatement(WriteStatements.DELETE_FINDINGS)) {
      new StatementParameters(statement).number(number);
      statement.executeUpdate();
    }
    try (var statement = connection.prepareStatement(WriteStatements.ADD_FINDING)) {
      int position = 0;
      for (var finding : review.findings()) {
        new StatementParameters(statement)
            .numbers(number, position++)
            .texts(finding.id(), finding.file())
            .number(finding.line())
            .texts(finding.severity(), finding.category(), finding.lens())
            .texts(finding.title(), finding.text())
            .fraction(finding.confidence())
            .text(finding.code());
        statement.addBatch();
      }
      if (position > 0) {
        statement.executeBatch();
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
