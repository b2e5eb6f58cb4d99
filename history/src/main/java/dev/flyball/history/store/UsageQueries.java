package dev.flyball.history.store;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.CalibrationSums;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PastRun;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.ReviewSums;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunForecast;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.record.UsageGrouping;
import dev.flyball.history.record.UsageQuery;
import dev.flyball.history.record.UsageRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The queries for sums, runs and reviews. None of them looks at single calls, but for those that
 * reviews made and that have no price.
 */
public record UsageQueries(Connection connection) {
  public List<UsageRow> usage(UsageQuery query) throws SQLException {
    if (query.groupings().contains(UsageGrouping.REVIEW)) {
      throw new IllegalArgumentException("calls are not grouped by review");
    }
    var groups =
        query.groupings().stream().map(UsageGrouping::sql).collect(Collectors.joining(", "));
    var sql =
        """
        select sum(attempts), sum(answered), sum(throttled), sum(retried), sum(input),
          sum(cache_read), sum(cache_write), sum(output), sum(wasted), max(most_tokens),
          sum(latency), max(longest), sum(cost), sum(unpriced)%s
        from tallies where hour between ? and ? and simulated = ?%s\
        """
            .formatted(
                groups.isEmpty() ? "" : ", " + groups,
                groups.isEmpty()
                    ? " having count(*) > 0"
                    : " group by " + groups + " order by " + groups);
    var found = new ArrayList<UsageRow>();
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement)
          .numbers(
              HourSums.hour(query.since().toEpochMilli()),
              HourSums.hour(query.until().toEpochMilli()),
              query.origin().code());
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(usage(query, rows));
        }
      }
    }
    return found;
  }

  private static UsageRow usage(UsageQuery query, ResultSet rows) throws SQLException {
    var group = new EnumMap<UsageGrouping, String>(UsageGrouping.class);
    int column = 15;
    for (var grouping : query.groupings()) {
      group.put(
          grouping,
          switch (grouping) {
            case DAY -> LocalDate.ofEpochDay(rows.getLong(column)).toString();
            case HOUR -> Instant.EPOCH.plus(Duration.ofHours(rows.getLong(column))).toString();
            case REVIEW, MODEL, MODE, LENS, REPOSITORY, LANE, TENANT -> rows.getString(column);
          });
      column++;
    }
    return new UsageRow(
        group,
        rows.getLong(1),
        rows.getLong(2),
        rows.getLong(3),
        rows.getLong(4),
        new Usage(
            rows.getLong(5),
            rows.getLong(6),
            rows.getLong(7),
            rows.getLong(8),
            new Cost(rows.getLong(13))),
        rows.getLong(9),
        rows.getLong(10),
        Duration.ofMillis(rows.getLong(11)),
        Duration.ofMillis(rows.getLong(12)),
        rows.getLong(14));
  }

  /** Reviews, each with what its run cost if all of that is known. */
  private static final String REVIEWS =
      """
      select v.platform || ' ' || v.repository || case v.platform when 'local' then ' ' else '#' end
          || v.pr_id as review,
        coalesce(r.repository, v.repository) as repository, coalesce(r.mode, v.execution_mode) as mode,
        v.tokens_used, v.duration, v.reviewed_at,
        coalesce(r.simulated, case v.decision when 'simulated' then 1 else 0 end) as simulated,
        case when not exists (select 1 from calls c where c.run = r.number and c.cost is null)
          then r.cost end as cost
      from reviews v left join runs r on r.id = v.run\
      """;

  public List<ReviewSums> reviewed(UsageQuery query) throws SQLException {
    if (!UsageGrouping.OF_REVIEWS.containsAll(query.groupings())) {
      throw new IllegalArgumentException(
          "reviews are grouped by review, repository and mode, not by " + query.groupings());
    }
    var groups =
        query.groupings().stream().map(UsageGrouping::sql).collect(Collectors.joining(", "));
    var sql =
        """
        select count(*), sum(tokens_used), max(tokens_used), sum(duration), max(duration),
          sum(cost), sum(case when cost is null then 1 else 0 end)%s
        from (%s) each_review where reviewed_at between ? and ? and simulated = ?%s\
        """
            .formatted(
                groups.isEmpty() ? "" : ", " + groups,
                REVIEWS,
                groups.isEmpty()
                    ? " having count(*) > 0"
                    : " group by " + groups + " order by " + groups);
    var found = new ArrayList<ReviewSums>();
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement)
          .numbers(
              query.since().truncatedTo(ChronoUnit.HOURS).toEpochMilli(),
              query.until().toEpochMilli(),
              query.origin().code());
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(reviewed(query, rows));
        }
      }
    }
    return found;
  }

  private static ReviewSums reviewed(UsageQuery query, ResultSet rows) throws SQLException {
    var group = new EnumMap<UsageGrouping, String>(UsageGrouping.class);
    int column = 8;
    for (var grouping : query.groupings()) {
      group.put(grouping, rows.getString(column++));
    }
    return new ReviewSums(
        group,
        rows.getLong(1),
        rows.getLong(2),
        rows.getLong(3),
        Duration.ofMillis(rows.getLong(4)),
        Duration.ofMillis(rows.getLong(5)),
        new Cost(rows.getLong(6)),
        rows.getLong(7));
  }

  public List<PastRun> runs(AnswerOrigin origin, int last) throws SQLException {
    var sql =
        "select * from runs where simulated = ? order by started_at desc, number desc limit ?";
    var found = new ArrayList<PastRun>();
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement).numbers(origin.code(), last);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(run(rows));
        }
      }
    }
    return found;
  }

  private static PastRun run(ResultSet row) throws SQLException {
    var version = row.getString("prices");
    PriceBasis prices = version == null ? PriceBasis.UNKNOWN : new PriceBasis.Listed(version);
    row.getLong("calibrated_on");
    RunForecast forecast = row.wasNull() ? RunForecast.NONE : forecast(row);
    var run =
        new RunStart(
            row.getString("command"),
            row.getString("mode"),
            row.getString("repository"),
            row.getString("input"),
            AnswerOrigin.of(row.getInt("simulated")),
            row.getString("provider"),
            row.getString("models"),
            prices);
    long ended = row.getLong("ended_at");
    PastRun.State state =
        row.wasNull()
            ? new PastRun.Open()
            : new PastRun.Ended(
                Instant.ofEpochMilli(ended),
                new RunEnding(
                    Duration.ofMillis(row.getLong("wall")),
                    row.getInt("exit"),
                    row.getLong("calls"),
                    row.getLong("completed"),
                    row.getLong("errored"),
                    new Cost(row.getLong("cost"))));
    return new PastRun(
        row.getString("id"), run, Instant.ofEpochMilli(row.getLong("started_at")), forecast, state);
  }

  private static RunForecast forecast(ResultSet row) throws SQLException {
    return new RunForecast.Expected(
        Duration.ofMillis(row.getLong("forecast_p50")),
        Duration.ofMillis(row.getLong("forecast_p90")),
        Usage.of(row.getLong("forecast_input"), row.getLong("forecast_output"))
            .costing(new Cost(row.getLong("forecast_cost"))),
        row.getInt("calibrated_on"));
  }

  public List<CalibrationSums> calibration(String model, String lens, AnswerOrigin origin, int last)
      throws SQLException {
    var sql =
        """
        select r.id, r.started_at, t.answered, t.input, t.estimated_input, t.output,
          t.output_squares, t.latency, t.latency_squares, t.latency_times_output, t.most_output,
          t.max_output
        from run_tallies t join runs r on r.number = t.run
        where t.model = ? and t.lens = ? and r.simulated = ? and r.exit in (0, 1)
        order by t.run desc limit ?\
        """;
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement).texts(model, lens).numbers(origin.code(), last);
      return calibrations(statement);
    }
  }

  /** The sums of all that the last runs of a command asked, the latest first. */
  public List<CalibrationSums> calibration(String command, AnswerOrigin origin, int last)
      throws SQLException {
    var sql =
        """
        select r.id, r.started_at, sum(t.answered), sum(t.input), sum(t.estimated_input),
          sum(t.output), sum(t.output_squares), sum(t.latency), sum(t.latency_squares),
          sum(t.latency_times_output), sum(t.most_output), sum(t.max_output)
        from run_tallies t join runs r on r.number = t.run
        where r.command = ? and r.simulated = ? and r.exit in (0, 1)
        group by r.number, r.id, r.started_at order by r.number desc limit ?\
        """;
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement).texts(command).numbers(origin.code(), last);
      return calibrations(statement);
    }
  }

  private static List<CalibrationSums> calibrations(PreparedStatement statement)
      throws SQLException {
    var found = new ArrayList<CalibrationSums>();
    try (var rows = statement.executeQuery()) {
      while (rows.next()) {
        found.add(
            new CalibrationSums(
                rows.getString(1),
                Instant.ofEpochMilli(rows.getLong(2)),
                rows.getLong(3),
                rows.getLong(4),
                rows.getLong(5),
                rows.getLong(6),
                rows.getLong(7),
                rows.getLong(8),
                rows.getLong(9),
                rows.getLong(10),
                rows.getLong(11),
                rows.getLong(12)));
      }
    }
    return found;
  }

  public Optional<PastReview> review(PastReview.Key key) throws SQLException {
    var sql =
        """
        select * from reviews
        where platform = ? and repository = ? and pr_id = ? and pr_updated_at = ?\
        """;
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement)
          .texts(key.platform(), key.repository(), key.pr())
          .number(key.updated().toEpochMilli());
      try (var rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(review(key, rows)) : Optional.empty();
      }
    }
  }

  public List<PastReview> reviews(int last) throws SQLException {
    var found = new ArrayList<PastReview>();
    var sql = "select * from reviews order by reviewed_at desc, number desc limit ?";
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement).number(last);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          var key =
              new PastReview.Key(
                  rows.getString("platform"),
                  rows.getString("repository"),
                  rows.getString("pr_id"),
                  Instant.ofEpochMilli(rows.getLong("pr_updated_at")));
          found.add(review(key, rows));
        }
      }
    }
    return found;
  }

  public List<PastReview> reviews(String platform, String repository, String pr)
      throws SQLException {
    var sql =
        """
        select * from reviews
        where platform = ? and repository = ? and pr_id = ?
        order by reviewed_at desc, number desc\
        """;
    var found = new ArrayList<PastReview>();
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement).texts(platform, repository, pr);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          var updated = Instant.ofEpochMilli(rows.getLong("pr_updated_at"));
          found.add(review(new PastReview.Key(platform, repository, pr, updated), rows));
        }
      }
    }
    return found;
  }

  private PastReview review(PastReview.Key key, ResultSet row) throws SQLException {
    return new PastReview(
        key,
        row.getString("sha"),
        Instant.ofEpochMilli(row.getLong("reviewed_at")),
        row.getString("decision"),
        row.getString("summary"),
        row.getLong("tokens_used"),
        row.getLong("token_budget"),
        row.getString("execution_mode"),
        Duration.ofMillis(row.getLong("duration")),
        findings(row.getLong("number")));
  }

  private List<PastReview.Finding> findings(long review) throws SQLException {
    var found = new ArrayList<PastReview.Finding>();
    var sql = "select * from findings where review = ? order by place";
    try (var statement = connection.prepareStatement(sql)) {
      new StatementParameters(statement).number(review);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(
              new PastReview.Finding(
                  rows.getString("id"),
                  rows.getString("file"),
                  rows.getInt("line"),
                  rows.getString("severity"),
                  rows.getString("category"),
                  rows.getString("lens"),
                  rows.getString("title"),
                  rows.getString("body"),
                  rows.getDouble("confidence"),
                  rows.getString("code")));
        }
      }
    }
    return found;
  }
}
