package dev.flyball.history.store;

import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunForecast;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A connection with the statements that write; what it is given is committed as one. */
public final class SqlWriter implements AutoCloseable {
  private static final String BEGIN =
      insert(
              "runs",
              "id, command, mode, repository, input, simulated, provider, models, prices,"
                  + " forecast_p50, forecast_p90, forecast_cost, forecast_input, forecast_output,"
                  + " calibrated_on, started_at")
          + " on conflict (id) do nothing";
  private static final String NUMBER = "select number from runs where id = ?";
  private static final String FORESEE =
      "update runs set forecast_p50 = ?, forecast_p90 = ?, forecast_cost = ?, forecast_input = ?,"
          + " forecast_output = ?, calibrated_on = ? where number = ?";
  private static final String END =
      "update runs set ended_at = ?, wall = ?, exit = ?, calls = ?, completed = ?, errored = ?,"
          + " cost = ? where number = ?";
  private static final String CALL =
      insert(
          "calls",
          "run, call, lane, model, lens, kind, name, attempt, outcome, throttled_by, input,"
              + " cache_read, cache_write, output, estimated_input, max_output, cost, prices,"
              + " latency, at");
  private static final String WRITTEN = "select 1 from calls where run = ? and call = ?";
  private static final String WAIT = insert("waits", "run, call, waited_for, millis");
  private static final String TALLY =
      sum(
          "tallies",
          "hour, simulated, model, mode, lens, repository, lane",
          List.of(
              "attempts",
              "answered",
              "throttled",
              "retried",
              "input",
              "cache_read",
              "cache_write",
              "output",
              "wasted",
              "latency",
              "cost",
              "unpriced"),
          List.of("most_tokens", "longest"));
  private static final String RUN_TALLY =
      sum(
          "run_tallies",
          "model, lens, run",
          List.of(
              "answered",
              "input",
              "estimated_input",
              "output",
              "output_squares",
              "latency",
              "latency_squares",
              "latency_times_output",
              "max_output"),
          List.of("most_output"));
  private static final String REVIEW =
      insert(
              "reviews",
              "platform, repository, pr_id, pr_updated_at, sha, reviewed_at, decision, summary,"
                  + " tokens_used, token_budget, execution_mode, duration")
          + " on conflict (platform, repository, pr_id, pr_updated_at) do update set "
          + Stream.of(
                  "sha",
                  "reviewed_at",
                  "decision",
                  "summary",
                  "tokens_used",
                  "token_budget",
                  "execution_mode",
                  "duration")
              .map(column -> column + " = excluded." + column)
              .collect(Collectors.joining(", "))
          + " returning number";
  private static final String FORGET = "delete from findings where review = ?";
  private static final String FINDING =
      insert(
          "findings",
          "review, place, id, file, line, severity, category, lens, title, body, confidence");

  private final Connection connection;
  private final PreparedStatement call;
  private final PreparedStatement wait;
  private final PreparedStatement tally;
  private final PreparedStatement runTally;

  public SqlWriter(Connection connection) throws SQLException {
    this.connection = connection;
    this.call = connection.prepareStatement(CALL);
    this.wait = connection.prepareStatement(WAIT);
    this.tally = connection.prepareStatement(TALLY);
    this.runTally = connection.prepareStatement(RUN_TALLY);
  }

  private static String insert(String table, String columns) {
    var marks = "?, ".repeat(columns.split(",", -1).length);
    return "insert into %s (%s) values (%s)"
        .formatted(table, columns, marks.substring(0, marks.length() - 2));
  }

  private static String sum(String table, String key, List<String> sums, List<String> maxima) {
    var columns = Stream.concat(sums.stream(), maxima.stream()).collect(Collectors.joining(", "));
    var added = sums.stream().map(each -> "%2$s = %1$s.%2$s + excluded.%2$s");
    var raised =
        maxima.stream()
            .map(
                each ->
                    "%2$s = case when excluded.%2$s > %1$s.%2$s then excluded.%2$s else %1$s.%2$s"
                        + " end");
    var names = Stream.concat(sums.stream(), maxima.stream()).iterator();
    return insert(table, key + ", " + columns)
        + " on conflict (%s) do update set ".formatted(key)
        + Stream.concat(added, raised)
            .map(form -> form.formatted(table, names.next()))
            .collect(Collectors.joining(", "));
  }

  /**
   * Writes all of it or nothing. A commit whose answer was lost may have happened: so before a
   * second try it is looked up. The transaction is ended by committing automatically again:
   * SQLite's driver follows {@code commit()} with the next transaction, which would keep all others
   * out.
   */
  public void write(List<PendingWrite> entries, boolean again) throws SQLException {
    try {
      connection.setAutoCommit(false);
      boolean written = again && written(entries);
      var tallies = new TreeMap<HourSums.Key, HourSums>();
      var runTallies = new TreeMap<RunSums.Key, RunSums>();
      int calls = 0;
      boolean waited = false;
      for (var entry : entries) {
        switch (entry) {
          case PendingWrite.Began began -> begin(began);
          case PendingWrite.Foreseen foreseen -> foresee(foreseen);
          case PendingWrite.Ended ended -> end(ended);
          case PendingWrite.Reviewed reviewed -> review(reviewed.review());
          case PendingWrite.Tried tried -> {
            if (!written) {
              calls++;
              call(tried);
              waited |= waits(tried);
              add(tried, tallies, runTallies);
            }
          }
        }
      }
      if (calls > 0) {
        call.executeBatch();
        if (waited) {
          wait.executeBatch();
        }
        sum(tallies);
        sumRuns(runTallies);
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
        try (var statement = connection.prepareStatement(WRITTEN)) {
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
    try (var statement = connection.prepareStatement(BEGIN)) {
      var row =
          new StatementParameters(statement)
              .texts(began.run().id(), run.command(), run.mode(), run.repository(), run.input())
              .number(run.origin().code())
              .texts(run.provider(), run.models());
      switch (run.prices()) {
        case PriceBasis.Listed(String version) -> row.text(version);
        case PriceBasis.Unknown unknown -> row.maybeText(null);
      }
      switch (run.forecast()) {
        case RunForecast.Expected expected -> forecast(row, expected, run.prices());
        case RunForecast.None none -> {
          for (int i = 0; i < 6; i++) {
            row.maybeNumber(null);
          }
        }
      }
      row.number(began.at().toEpochMilli());
      statement.executeUpdate();
    }
    try (var statement = connection.prepareStatement(NUMBER)) {
      new StatementParameters(statement).text(began.run().id());
      try (var rows = statement.executeQuery()) {
        rows.next();
        began.run().numbered(rows.getLong(1));
      }
    }
  }

  private static StatementParameters forecast(
      StatementParameters row, RunForecast.Expected expected, PriceBasis prices)
      throws SQLException {
    var usage = expected.usage();
    return row.numbers(expected.p50().toMillis(), expected.p90().toMillis())
        .maybeNumber(prices instanceof PriceBasis.Listed ? (Long) usage.cost().micros() : null)
        .numbers(usage.prompt(), usage.output(), expected.calibratedOn());
  }

  private void foresee(PendingWrite.Foreseen foreseen) throws SQLException {
    try (var statement = connection.prepareStatement(FORESEE)) {
      forecast(
              new StatementParameters(statement),
              foreseen.forecast(),
              foreseen.run().run().prices())
          .number(foreseen.run().number());
      statement.executeUpdate();
    }
  }

  private void end(PendingWrite.Ended ended) throws SQLException {
    var ending = ended.ending();
    try (var statement = connection.prepareStatement(END)) {
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
    var asked = attempt.asked();
    var usage = attempt.usage();
    var row =
        new StatementParameters(call)
            .numbers(tried.run().number(), tried.call())
            .texts(asked.lane(), asked.model(), asked.lens(), asked.kind(), asked.name())
            .numbers(attempt.number(), attempt.outcome().code())
            .maybeText(attempt.throttledBy().isEmpty() ? null : attempt.throttledBy())
            .numbers(usage.input(), usage.cacheRead(), usage.cacheWrite(), usage.output())
            .numbers(asked.estimatedInput(), asked.maxOutput());
    switch (attempt.prices()) {
      case PriceBasis.Listed(String version) -> row.number(usage.cost().micros()).text(version);
      case PriceBasis.Unknown unknown -> row.maybeNumber(null).maybeText(null);
    }
    row.numbers(attempt.latency().toMillis(), attempt.at().toEpochMilli());
    call.addBatch();
  }

  private boolean waits(PendingWrite.Tried tried) throws SQLException {
    boolean any = false;
    for (Map.Entry<String, Duration> each : tried.attempt().waits().entrySet()) {
      if (each.getValue().toMillis() > 0) {
        any = true;
        new StatementParameters(wait)
            .numbers(tried.run().number(), tried.call())
            .text(each.getKey())
            .number(each.getValue().toMillis());
        wait.addBatch();
      }
    }
    return any;
  }

  private static void add(
      PendingWrite.Tried tried,
      Map<HourSums.Key, HourSums> tallies,
      Map<RunSums.Key, RunSums> runTallies) {
    var attempt = tried.attempt();
    tallies
        .computeIfAbsent(HourSums.Key.of(tried.run().run(), attempt), key -> new HourSums())
        .add(attempt);
    if (attempt.outcome() == AttemptOutcome.ANSWERED) {
      var asked = attempt.asked();
      runTallies
          .computeIfAbsent(
              new RunSums.Key(asked.model(), asked.lens(), tried.run().number()),
              key -> new RunSums())
          .add(attempt);
    }
  }

  private void sum(Map<HourSums.Key, HourSums> tallies) throws SQLException {
    for (var entry : tallies.entrySet()) {
      var key = entry.getKey();
      var sums = entry.getValue();
      var usage = sums.usage;
      new StatementParameters(tally)
          .numbers(key.hour(), key.simulated())
          .texts(key.model(), key.mode(), key.lens(), key.repository(), key.lane())
          .numbers(sums.attempts, sums.answered, sums.throttled, sums.retried)
          .numbers(usage.input(), usage.cacheRead(), usage.cacheWrite(), usage.output())
          .numbers(sums.wasted, sums.latency, usage.cost().micros(), sums.unpriced)
          .numbers(sums.mostTokens, sums.longest);
      tally.addBatch();
    }
    tally.executeBatch();
  }

  private void sumRuns(Map<RunSums.Key, RunSums> tallies) throws SQLException {
    if (tallies.isEmpty()) {
      return;
    }
    for (var entry : tallies.entrySet()) {
      var key = entry.getKey();
      var sums = entry.getValue();
      new StatementParameters(runTally)
          .texts(key.model(), key.lens())
          .numbers(key.run(), sums.answered, sums.input, sums.estimatedInput)
          .numbers(sums.output, sums.outputSquares)
          .numbers(sums.latency, sums.latencySquares, sums.latencyTimesOutput)
          .numbers(sums.maxOutput, sums.mostOutput);
      runTally.addBatch();
    }
    runTally.executeBatch();
  }

  private void review(PastReview review) throws SQLException {
    long number;
    try (var statement = connection.prepareStatement(REVIEW)) {
      var key = review.key();
      new StatementParameters(statement)
          .texts(key.platform(), key.repository(), key.pr())
          .number(key.updated().toEpochMilli())
          .text(review.sha())
          .number(review.reviewed().toEpochMilli())
          .texts(review.decision(), review.summary())
          .numbers(review.tokensUsed(), review.tokenBudget())
          .text(review.executionMode())
          .number(review.took().toMillis());
      try (var rows = statement.executeQuery()) {
        rows.next();
        number = rows.getLong(1);
      }
    }
    try (var statement = connection.prepareStatement(FORGET)) {
      new StatementParameters(statement).number(number);
      statement.executeUpdate();
    }
    try (var statement = connection.prepareStatement(FINDING)) {
      int place = 0;
      for (var finding : review.findings()) {
        new StatementParameters(statement)
            .numbers(number, place++)
            .texts(finding.id(), finding.file())
            .number(finding.line())
            .texts(finding.severity(), finding.category(), finding.lens())
            .texts(finding.title(), finding.text())
            .fraction(finding.confidence());
        statement.addBatch();
      }
      if (place > 0) {
        statement.executeBatch();
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
