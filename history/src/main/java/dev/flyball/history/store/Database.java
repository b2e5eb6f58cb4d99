package dev.flyball.history.store;

import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.SpendingClaim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A database that holds a history, in its own dialect. */
public sealed interface Database {
  /** The last of the files in the folder {@code schema}. */
  int SCHEMA_VERSION = 3;

  String VERSION_TABLE = "flyball_schema";

  /** What the name of the file ends with that is locked by whoever counts spending. */
  String LOCK = ".spending";

  HistoryLocation location();

  /** A connection whose transactions may wait for those of others. */
  Connection openForWriting() throws SQLException;

  /** A connection that only looks. */
  Connection openForReading() throws SQLException;

  /** Brings the tables to the version that this program knows. */
  void migrate() throws FlywayException;

  /** The version of the tables, 0 if there are none. */
  int version(Connection connection) throws SQLException;

  /** Claims to be the process that counts spending, unless another one is. */
  Optional<SpendingClaim> claimSpending() throws SQLException;

  static Database of(HistoryLocation location, HistoryTimeouts timeouts) {
    return switch (location) {
      case HistoryLocation.File file -> new Sqlite(file, timeouts);
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
        .table(VERSION_TABLE)
        .placeholders(dialect);
  }

  /**
   * A file. Several processes may use it: it keeps a log of changes beside it (WAL), so that
   * readers and the one writer of the moment do not hold each other up, and each commit is forced
   * to the disk.
   */
  record Sqlite(HistoryLocation.File location, HistoryTimeouts timeouts) implements Database {
    private SQLiteDataSource source(SQLiteConfig config) {
      DriverPlatform.startNothing();
      config.setBusyTimeout(Math.toIntExact(timeouts.locked().toMillis()));
      config.enforceForeignKeys(true);
      config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      var source = new SQLiteDataSource(config);
      // As a URI, because of question marks in names.
      source.setUrl("jdbc:sqlite:" + location.path().toAbsolutePath().toUri());
      return source;
    }

    @Override
    public Connection openForWriting() throws SQLException {
      var config = new SQLiteConfig();
      // A transaction that reads first could not wait for the lock later.
      config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
      return source(config).getConnection();
    }

    @Override
    public Connection openForReading() throws SQLException {
      return source(new SQLiteConfig()).getConnection();
    }

    @Override
    public int version(Connection connection) throws SQLException {
      var sql =
          "select 1 from sqlite_master where type = 'table' and name = '" + VERSION_TABLE + "'";
      return has(connection, sql) ? Database.version(connection, VERSION_TABLE) : 0;
    }

    @Override
    public Optional<SpendingClaim> claimSpending() throws SQLException {
      var file = Path.of(location.path().toAbsolutePath() + LOCK);
      try {
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
          var lock = channel.tryLock();
          if (lock != null) {
            return Optional.of(new FileClaim(channel, lock));
          }
        } catch (OverlappingFileLockException ours) {
          // Another server in this process has it.
        }
        channel.close();
        return Optional.empty();
      } catch (IOException no) {
        throw new SQLException("the lock beside the history cannot be had: " + file, no);
      }
    }

    /** A file that the system keeps locked for as long as the process lives. */
    private record FileClaim(FileChannel channel, FileLock lock) implements SpendingClaim {
      @Override
      public boolean holds() {
        return lock.isValid();
      }

      @Override
      public void close() {
        try {
          channel.close();
        } catch (IOException gone) {
          throw new UncheckedIOException(gone);
        }
      }
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
  record Postgres(HistoryLocation.Server location) implements Database {
    private static final String SCHEMA = "flyball";
    private static final int ALIVE_SECONDS = 2;

    private Properties properties() {
      var properties = new Properties();
      if (!location.user().isEmpty()) {
        properties.setProperty("user", location.user());
      }
      if (!location.password().isEmpty()) {
        properties.setProperty("password", location.password());
      }
      properties.setProperty("currentSchema", SCHEMA);
      properties.setProperty("ApplicationName", "flyball");
      properties.setProperty("connectTimeout", "10");
      properties.setProperty("socketTimeout", "60");
      properties.setProperty("tcpKeepAlive", "true");
      properties.setProperty("reWriteBatchedInserts", "true");
      return properties;
    }

    @Override
    public Optional<SpendingClaim> claimSpending() throws SQLException {
      var connection = connect();
      try (var statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  "select pg_try_advisory_lock(hashtext('flyball spending'), 0)")) {
        rows.next();
        if (rows.getBoolean(1)) {
          return Optional.of(new ConnectionClaim(connection));
        }
      } catch (SQLException failed) {
        connection.close();
        throw failed;
      }
      connection.close();
      return Optional.empty();
    }

    /** A lock that the server keeps for as long as the connection is open. */
    private record ConnectionClaim(Connection connection) implements SpendingClaim {
      @Override
      public boolean holds() {
        try {
          return connection.isValid(ALIVE_SECONDS);
        } catch (SQLException never) {
          return false;
        }
      }

      @Override
      public void close() {
        try {
          connection.close();
        } catch (SQLException gone) {
          // Then the lock is gone as well.
          return;
        }
      }
    }

    private Connection connect() throws SQLException {
      return DriverManager.getConnection(location.url(), properties());
    }

    @Override
    public Connection openForWriting() throws SQLException {
      return connect();
    }

    @Override
    public Connection openForReading() throws SQLException {
      return connect();
    }

    @Override
    public int version(Connection connection) throws SQLException {
      var sql = "select 1 where to_regclass('%s.%s') is not null".formatted(SCHEMA, VERSION_TABLE);
      return has(connection, sql) ? Database.version(connection, SCHEMA + "." + VERSION_TABLE) : 0;
    }

    @Override
    public void migrate() {
      var dialect =
          Map.of("number", "bigint generated by default as identity primary key", "clustered", "");
      Database.flyway(dialect)
          .dataSource(
              location.url(),
              location.user().isEmpty() ? null : location.user(),
              location.password().isEmpty() ? null : location.password())
          .schemas(SCHEMA)
          .load()
          .migrate();
    }
  }
}
