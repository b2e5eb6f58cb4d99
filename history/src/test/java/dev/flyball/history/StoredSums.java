package dev.flyball.history;

import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.store.Database;
import dev.flyball.history.store.HistoryTimeouts;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The contents of the tables, read behind the history's back, to hold its sums against its calls.
 */
public final class StoredSums {
  private static final String TALLIES =
      """
      select hour, simulated, model, mode, lens, repository, lane, attempts, answered, throttled,
        retried, input, cache_read, cache_write, output, wasted, most_tokens, latency, longest,
        cost, unpriced
      from tallies order by 1, 2, 3, 4, 5, 6, 7\
      """;
  private static final String TALLIES_ANEW =
      """
      select c.at / 3600000, r.simulated, c.model, r.mode, c.lens, r.repository, c.lane, count(*),
        sum(case when c.outcome = 1 then 1 else 0 end),
        sum(case when c.outcome = 2 then 1 else 0 end),
        sum(case when c.attempt > 1 then 1 else 0 end),
        sum(c.input), sum(c.cache_read), sum(c.cache_write), sum(c.output),
        sum(case when c.outcome = 1 then 0
            else c.input + c.cache_read + c.cache_write + c.output end),
        max(c.input + c.cache_read + c.cache_write + c.output), sum(c.latency), max(c.latency),
        coalesce(sum(c.cost), 0), sum(case when c.cost is null then 1 else 0 end)
      from calls c join runs r on r.number = c.run
      group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7\
      """;
  private static final String RUN_TALLIES =
      """
      select model, lens, run, answered, input, estimated_input, output, output_squares, latency,
        latency_squares, latency_times_output, most_output, max_output
      from run_tallies order by 1, 2, 3\
      """;
  private static final String RUN_TALLIES_ANEW =
      """
      select model, lens, run, count(*), sum(input + cache_read + cache_write),
        sum(estimated_input), sum(output), sum(output * output), sum(latency),
        sum(latency * latency), sum(latency * output), max(output), sum(max_output)
      from calls where outcome = 1 group by 1, 2, 3 order by 1, 2, 3\
      """;

  private final Database database;

  public StoredSums(HistoryLocation location) {
    database = Database.of(location, HistoryTimeouts.USUAL);
  }

  public List<String> tallies() throws SQLException {
    return rows(TALLIES);
  }

  public List<String> talliesAnew() throws SQLException {
    return rows(TALLIES_ANEW);
  }

  List<String> runTallies() throws SQLException {
    return rows(RUN_TALLIES);
  }

  List<String> runTalliesAnew() throws SQLException {
    return rows(RUN_TALLIES_ANEW);
  }

  /** Each row as one text. */
  public List<String> rows(String sql) throws SQLException {
    var found = new ArrayList<String>();
    try (var connection = database.openForReading();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        var row = new ArrayList<String>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(rows.getString(i));
        }
        found.add(String.join("|", row));
      }
    }
    return found;
  }
}
