package dev.flyball.history;

import dev.flyball.history.record.HistoryLocation;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** Sources of new locations for histories, in real databases of both kinds. */
public enum TestLocations {
  SQLITE,
  POSTGRESQL;

  private static final AtomicInteger MADE = new AtomicInteger();

  /** The server, started when it is first needed and stopped with the process. */
  private static final class Server {
    static final EmbeddedPostgres ONLY = start();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder().setCleanDataDirectory(true).start();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  public HistoryLocation fresh() {
    try {
      return switch (this) {
        case SQLITE -> {
          Path folder = Files.createTempDirectory(Path.of("target"), "history");
          yield new HistoryLocation.File(folder.resolve("of ours?#%41").resolve("history.db"));
        }
        case POSTGRESQL -> {
          var name = "history" + MADE.incrementAndGet();
          try (var connection = Server.ONLY.getPostgresDatabase().getConnection();
              var statement = connection.createStatement()) {
            statement.execute("create database " + name);
          }
          yield HistoryLocation.of(
              "postgresql://postgres@localhost:%d/%s".formatted(Server.ONLY.getPort(), name));
        }
      };
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
