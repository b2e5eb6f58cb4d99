package dev.flyball.history.store;

import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * The copying of a history's file from elsewhere into ours: all of it or nothing, and no run twice.
 *
 * <p>The file may be anybody's. It is only read, as if nobody could write to it, so that nothing
 * beside it is opened or made; the tables have to be plain ones with our columns, so that reading
 * them computes nothing; and each value is looked at before it is taken over.
 */
public final class HistoryImport {
  private static final long LARGEST = 1L << 30;

  /** The columns of each table that are copied; the first of a part says whose it is. */
  private static final Map<String, List<String>> TABLES = tables();

  /** Those of them that hold texts; all others hold numbers. */
  private static final Map<String, Set<String>> TEXTS =
      Map.of(
          "runs",
          Set.of("id", "command", "mode", "repository", "input", "provider", "models", "prices"),
          "reviews",
          Set.of(
              "platform",
              "repository",
              "pr_id",
              "sha",
              "decision",
              "summary",
              "execution_mode",
              "run"),
          "calls",
          Set.of("lane", "model", "lens", "kind", "name", "throttled_by", "prices", "tenant"),
          "waits",
          Set.of("waited_for"),
          "run_tallies",
          Set.of("model", "lens"),
          "findings",
          Set.of("id", "file", "severity", "category", "lens", "title", "body", "code"));

  /** How much was not there yet. */
  public record Copied(long runs, long attempts, long reviews) {}

  private final Connection from;
  private final Connection to;
  private long runs;
  private long attempts;
  private long reviews;

  /** The tables that have such a column. */
  private final Set<String> columnsLater = new HashSet<>();

  private HistoryImport(Connection from, Connection to) {
    this.from = from;
    this.to = to;
  }

  private static Map<String, List<String>> tables() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    all.put(
        "runs",
        columns(
            "id command mode repository input simulated provider models prices forecast_p50"
                + " forecast_p90 forecast_cost forecast_input forecast_output calibrated_on"
                + " started_at ended_at wall exit calls completed errored cost"));
    all.put(
        "reviews",
        columns(
            "platform repository pr_id pr_updated_at sha reviewed_at decision summary tokens_used"
                + " token_budget execution_mode duration"));
    all.put(
        "calls",
        columns(
            "run call lane model lens kind name attempt outcome throttled_by input cache_read"
                + " cache_write output estimated_input max_output cost prices latency at"));
    all.put("waits", columns("run call waited_for millis"));
    all.put(
        "run_tallies",
        columns(
            "run model lens answered input estimated_input output output_squares latency"
                + " latency_squares latency_times_output most_output max_output"));
    all.put(
        "findings",
        columns("review place id file line severity category lens title body confidence"));
    return all;
  }

  /** The columns that a table of an earlier version does not have yet. */
  private static final Map<String, String> LATER =
      Map.of("calls", "tenant", "findings", "code", "reviews", "run");

  private static List<String> columns(String names) {
    return List.of(names.split(" ", -1));
  }

  /** Copies what a file has into a history, which is made if it is not there. */
  public static Copied into(HistoryLocation location, Path file) throws HistoryUnavailable {
    check(file);
    var schema =
        new SchemaSetup(Database.of(location, HistoryTimeouts.USUAL), HistoryTimeouts.USUAL);
    schema.prepare();
    Connection from;
    try {
      from = open(file);
    } catch (SQLException no) {
      throw refused(file, "it is not a history of Flyball, or it is damaged", no);
    }
    try (from;
        var to = schema.database().openForWriting()) {
      return new HistoryImport(from, to).all();
    } catch (SQLException no) {
      throw refused(file, "it is not a history of Flyball, or it is damaged", no);
    } catch (IllegalArgumentException no) {
      throw refused(file, String.valueOf(no.getMessage()), no);
    }
  }

  private static HistoryUnavailable refused(Path file, String why, Exception cause) {
    return new HistoryUnavailable(
        "nothing was copied from %s: %s".formatted(shown(file), why), cause);
  }

  private static String shown(Path file) {
    return plain(file.toString());
  }

  private static void check(Path file) throws HistoryUnavailable {
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new HistoryUnavailable("%s is not a plain file".formatted(shown(file)));
      }
      if (Files.size(file) > LARGEST) {
        throw new HistoryUnavailable(
            "a history to copy may have %,d bytes, but %s has %,d"
                .formatted(LARGEST, shown(file), Files.size(file)));
      }
    } catch (IOException gone) {
      throw refused(file, "it cannot be read", gone);
    }
  }

  private static Connection open(Path file) throws SQLException {
    DriverPlatform.startNothing();
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    config.enableLoadExtension(false);
    var source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file.toAbsolutePath().toUri() + "?mode=ro&immutable=1");
    var connection = source.getConnection();
    try (var statement = connection.createStatement()) {
      for (var rule : List.of("trusted_schema=off", "query_only=on", "cell_size_check=on")) {
        statement.execute("pragma " + rule);
      }
      return connection;
    } catch (SQLException no) {
      connection.close();
      throw no;
    }
  }

  private Copied all() throws SQLException {
    for (var table : TABLES.entrySet()) {
      checkTable(table.getKey(), table.getValue());
    }
    to.setAutoCommit(false);
    try {
      each("runs", "id", List.of("id"), this::run);
      each(
          "reviews",
          "platform, repository, pr_id, pr_updated_at",
          List.of("platform", "repository", "pr_id", "pr_updated_at"),
          this::review);
      to.setAutoCommit(true);
      return new Copied(runs, attempts, reviews);
    } catch (SQLException | RuntimeException no) {
      to.rollback();
      throw no;
    }
  }

  /** A plain table with our columns: no view, nothing virtual, nothing that is computed. */
  private void checkTable(String table, List<String> columns) throws SQLException {
    var wanted = new TreeSet<>(columns);
    if (table.equals("runs") || table.equals("reviews")) {
      wanted.add("number");
    }
    Set<String> found = new TreeSet<>();
    boolean plain;
    try (var statement = from.createStatement();
        var rows =
            statement.executeQuery(
                "select type, sql from sqlite_master where name = '%s'".formatted(table))) {
      plain =
          rows.next()
              && rows.getString(1).equals("table")
              && !String.valueOf(rows.getString(2)).matches("(?is)create\\s+virtual.*");
    }
    try (var statement = from.createStatement();
        var rows = statement.executeQuery("pragma table_xinfo(%s)".formatted(table))) {
      while (rows.next()) {
        plain &= rows.getInt("hidden") == 0;
        found.add(rows.getString("name"));
      }
    }
    var later = LATER.get(table);
    if (later != null && found.contains(later)) {
      wanted.add(later);
      columnsLater.add(table);
    }
    if (!plain || !found.equals(wanted)) {
      throw new IllegalArgumentException("its table " + table + " is not one of Flyball's");
    }
  }

  /** Copies what belongs to a row that is new. */
  @FunctionalInterface
  private interface Rest {
    void copy(long old, long fresh) throws SQLException;
  }

  private void each(String table, String key, List<String> keys, Rest rest) throws SQLException {
    var columns = here(table);
    var marks = keys.stream().map(name -> name + " = ?").collect(Collectors.joining(" and "));
    try (var statement = from.createStatement();
        var find = to.prepareStatement("select 1 from %s where %s".formatted(table, marks));
        var add = to.prepareStatement(insert(table, columns) + " returning number");
        var rows =
            statement.executeQuery(
                "select number, %s from %s order by %s"
                    .formatted(String.join(", ", columns), table, key))) {
      while (rows.next()) {
        for (int i = 0; i < keys.size(); i++) {
          find.setObject(i + 1, value(rows, table, keys.get(i)));
        }
        try (var known = find.executeQuery()) {
          if (known.next()) {
            continue;
          }
        }
        fill(add, rows, table, columns);
        long fresh;
        try (var made = add.executeQuery()) {
          made.next();
          fresh = made.getLong(1);
        }
        rest.copy(rows.getLong("number"), fresh);
      }
    }
  }

  private void run(long old, long fresh) throws SQLException {
    runs++;
    attempts += belonging("calls", old, fresh);
    belonging("waits", old, fresh);
    belonging("run_tallies", old, fresh);
    try (var sums = to.prepareStatement(HOURS)) {
      sums.setLong(1, fresh);
      sums.executeUpdate();
    }
  }

  private void review(long old, long fresh) throws SQLException {
    reviews++;
    belonging("findings", old, fresh);
  }

  private long belonging(String table, long old, long fresh) throws SQLException {
    var columns = here(table);
    long copied = 0;
    try (var read =
            from.prepareStatement(
                "select %s from %s where %s = ?"
                    .formatted(String.join(", ", columns), table, columns.getFirst()));
        var add = to.prepareStatement(insert(table, columns))) {
      read.setLong(1, old);
      try (var rows = read.executeQuery()) {
        while (rows.next()) {
          fill(add, rows, table, columns);
          add.setLong(1, fresh);
          add.executeUpdate();
          copied++;
        }
      }
    }
    return copied;
  }

  /** The columns that a table of the file has. */
  private List<String> here(String table) {
    var columns = new ArrayList<>(TABLES.getOrDefault(table, List.of()));
    if (columnsLater.contains(table)) {
      columns.add(LATER.getOrDefault(table, ""));
    }
    return columns;
  }

  private static String insert(String table, List<String> columns) {
    return "insert into %s (%s) values (%s)"
        .formatted(
            table,
            String.join(", ", columns),
            columns.stream().map(name -> "?").collect(Collectors.joining(", ")));
  }

  private static void fill(
      PreparedStatement add, ResultSet rows, String table, List<String> columns)
      throws SQLException {
    for (int i = 0; i < columns.size(); i++) {
      add.setObject(i + 1, value(rows, table, columns.get(i)));
    }
  }

  /** A number that is not negative, or a text without signs that steer a terminal. */
  private static @Nullable Object value(ResultSet rows, String table, String column)
      throws SQLException {
    boolean isText = TEXTS.getOrDefault(table, Set.of()).contains(column);
    return switch (rows.getObject(column)) {
      case null -> null;
      case Integer number when !isText && number >= 0 -> (long) number;
      case Long number when !isText && number >= 0 -> number;
      case Double number when column.equals("confidence") && number >= 0 && number <= 1 -> number;
      case String text when isText -> plain(text);
      default ->
          throw new IllegalArgumentException("its column " + column + " has impossible values");
    };
  }

  private static String plain(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}&&[^\\n\\t]]", "?");
  }

  /** The sums of a run by hours, as they are kept when calls are recorded. */
  private static final String HOURS =
      WriteStatements.ADD_HOUR_SUMS.replaceFirst(
          "values \\([^)]*\\)",
          """
          select c.at / 3600000, r.simulated, c.model, r.mode, c.lens, r.repository, c.lane, c.tenant,
            count(*), sum(case when c.outcome = %1$d then 1 else 0 end),
            sum(case when c.outcome = %2$d then 1 else 0 end),
            sum(case when c.attempt > 1 then 1 else 0 end),
            sum(c.input), sum(c.cache_read), sum(c.cache_write), sum(c.output),
            sum(case when c.outcome = %1$d then 0
              else c.input + c.cache_read + c.cache_write + c.output end),
            sum(c.latency), sum(coalesce(c.cost, 0)),
            sum(case when c.cost is null then 1 else 0 end),
            max(c.input + c.cache_read + c.cache_write + c.output), max(c.latency)
          from calls c join runs r on r.number = c.run where r.number = ?
          group by c.at / 3600000, r.simulated, c.model, r.mode, c.lens, r.repository, c.lane, c.tenant\
          """
              .formatted(AttemptOutcome.ANSWERED.code(), AttemptOutcome.THROTTLED.code()));
}
