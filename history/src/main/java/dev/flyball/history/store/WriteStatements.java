package dev.flyball.history.store;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text of the statements that write a history. */
final class WriteStatements {
  static final String BEGIN_RUN =
      insert(
              "runs",
              "id, command, mode, repository, input, simulated, provider, models, prices,"
                  + " started_at")
          + " on conflict (id) do nothing";
  static final String RUN_NUMBER = "select number from runs where id = ?";
  static final String EXPECT =
      "update runs set forecast_p50 = ?, forecast_p90 = ?, forecast_cost = ?, forecast_input = ?,"
          + " forecast_output = ?, calibrated_on = ? where number = ?";
  static final String END_RUN =
      "update runs set ended_at = ?, wall = ?, exit = ?, calls = ?, completed = ?, errored = ?,"
          + " cost = ? where number = ?";
  static final String ADD_CALL =
      insert(
          "calls",
          "run, call, lane, model, lens, kind, name, attempt, outcome, throttled_by, input,"
              + " cache_read, cache_write, output, estimated_input, max_output, cost, prices,"
              + " latency, at, tenant");
  static final String FIND_CALL = "select 1 from calls where run = ? and call = ?";
  static final String ADD_WAIT = insert("waits", "run, call, waited_for, millis");
  static final String ADD_HOUR_SUMS =
      sum(
          "tallies",
          "hour, simulated, model, mode, lens, repository, lane, tenant",
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
  static final String ADD_RUN_SUMS =
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

  /** The review of the same commit or content gets the key that the next one has. */
  static final String MOVE_REVIEW =
      """
      update reviews set pr_updated_at = ? where number = (
        select max(number) from reviews
        where platform = ? and repository = ? and pr_id = ? and sha = ? and sha <> ''
          and not exists (select 1 from reviews
            where platform = ? and repository = ? and pr_id = ? and pr_updated_at = ?))\
      """;

  static final String REPLACE_REVIEW =
      insert(
              "reviews",
              "platform, repository, pr_id, pr_updated_at, sha, reviewed_at, decision, summary,"
                  + " tokens_used, token_budget, execution_mode, duration, run")
          + " on conflict (platform, repository, pr_id, pr_updated_at) do update set "
          + Stream.of(
                  "sha",
                  "reviewed_at",
                  "decision",
                  "summary",
                  "tokens_used",
                  "token_budget",
                  "execution_mode",
                  "duration",
                  "run")
              .map(column -> column + " = excluded." + column)
              .collect(Collectors.joining(", "))
          + " returning number";
  static final String DELETE_FINDINGS = "delete from findings where review = ?";
  static final String ADD_FINDING =
      insert(
          "findings",
          "review, place, id, file, line, severity, category, lens, title, body, confidence, code");

  private WriteStatements() {}

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
}
