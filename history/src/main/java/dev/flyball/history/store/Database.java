package dev.flyball.history.store;

import dev.flyball.history.record.HistoryLocation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A place that can be connected to, in its own dialect. */
public sealed interface Database {
  HistoryLocation place();

  /** The last of the files in the folder {@code schema}. */
  int KNOWN = 1;

  String VERSIONS = "flyball_schema";

  /** A connection whose transactions may wait for those of others. */
  Connection toWrite() throws SQLException;

  /** A connection that only looks. */
  Connection toRead() throws SQLException;

  /** Brings the tables to the version that this program knows. */
  void migrate() throws FlywayException;

  /** The version of the tables, 0 if there are none. */
  int version(Connection connection) throws SQLException;

  static Database of(HistoryLocation place, HistoryTimeouts patience) {
    return switch (place) {
      case HistoryLocation.File file -> new Sqlite(file, patience);
      case HistoryLocation.Server server -> new Postgres(server);
    };
  }

  private static int version(Connection connection, String table) throws SQLException {
    var sql = "select coalesce(max(cast(version as integer)), 0) from " + table + " where success";
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static boolean has(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      return rows.next();
    }
  }

  private static FluentConfiguration flyway(Map<String, String> dialect) {
    return Flyway.configure(Database.class.getClassLoader())
        .locations("classpath:dev/flyball/history/schema")
        .table(VERSIONS)
        .placeholders(dialect);
  }

  /**
   * A file. Several processes may use it: it keeps a log of changes beside it (WAL), so that
   * readers and the one writer of the moment do not hold each other up, and each commit is forced
   * to the disk.
   */
  record Sqlite(HistoryLocation.File place, HistoryTimeouts patience) implements Database {
    private SQLiteDataSource source(SQLiteConfig config) {
      config.setBusyTimeout(Math.toIntExact(patience.locked().toMillis()));
      config.enforceForeignKeys(true);
      config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      var source = new SQLiteDataSource(config);
      // As a URI, because of question marks in names.
      source.setUrl("jdbc:sqlite:" + place.path().toAbsolutePath().toUri());
      return source;
    }

    @Override
    public Connection toWrite() throws SQLException {
      var config = new SQLiteConfig();
      // A transaction that reads first could not wait for the lock later.
      config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
      return source(config).getConnection();
    }

    @Override
    public Connection toRead() throws SQLException {
      return source(new SQLiteConfig()).getConnection();
    }

    @Override
    public int version(Connection connection) throws SQLException {
      var sql = "select 1 from sqlite_master where type = 'table' and name = '" + VERSIONS + "'";
      return has(connection, sql) ? Database.version(connection, VERSIONS) : 0;
    }

    @Override
    public void migrate() {
      var config = new SQLiteConfig();
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
      Database.flyway(Map.of("number", "integer primary key", "clustered", "without rowid"))
          .dataSource(source(config))
          .load()
          .migrate();
    }
  }

  /** A server. The tables are in a schema of their own, so that they can share a database. */
  record Postgres(HistoryLocation.Server place) implements Database {
    private static final String SCHEMA = "flyball";

    private Properties properties() {
      var properties = new Properties();
      if (!place.user().isEmpty()) {
        properties.setProperty("user", place.user());
      }
      if (!place.password().isEmpty()) {
        properties.setProperty("password", place.password());
      }
      properties.setProperty("currentSchema", SCHEMA);
      properties.setProperty("ApplicationName", "flyball");
      properties.setProperty("connectTimeout", "10");
      properties.setProperty("socketTimeout", "60");
      properties.setProperty("tcpKeepAlive", "true");
      properties.setProperty("reWriteBatchedInserts", "true");
      return properties;
    }

    private Connection connect() throws SQLException {
      return DriverManager.getConnection(place.url(), properties());
    }

    @Override
    public Connection toWrite() throws SQLException {
      return connect();
    }

    @Override
    public Connection toRead() throws SQLException {
      return connect();
    }

    @Override
    public int version(Connection connection) throws SQLException {
      var sql = "select 1 where to_regclass('%s.%s') is not null".formatted(SCHEMA, VERSIONS);
      return has(connection, sql) ? Database.version(connection, SCHEMA + "." + VERSIONS) : 0;
    }

    @Override
    public void migrate() {
      var dialect =
          Map.of("number", "bigint generated by default as identity primary key", "clustered", "");
      Database.flyway(dialect)
          .dataSource(
              place.url(),
              place.user().isEmpty() ? null : place.user(),
              place.password().isEmpty() ? null : place.password())
          .schemas(SCHEMA)
          .load()
          .migrate();
    }
  }
}
