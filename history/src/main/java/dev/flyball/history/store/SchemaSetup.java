package dev.flyball.history.store;

import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The preparation of a database: that it is there, is ours, and has tables as this program knows
 * them. Flyway takes a third of a second to look, so it is asked only if the version is behind. It
 * does not keep two processes out of one file of SQLite, so a lock on a file beside it does.
 */
public record SchemaSetup(Database database, HistoryTimeouts timeouts) {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  public void prepare() throws HistoryUnavailable {
    try {
      switch (database.location()) {
        case HistoryLocation.File file -> {
          checkWritable(file.path());
          if (!current()) {
            migrateAlone(file.path());
          }
        }
        case HistoryLocation.Server server -> {
          if (!current()) {
            database.migrate();
          }
        }
      }
    } catch (SQLException | IOException | FlywayException failure) {
      throw unavailable(failure);
    }
  }

  private boolean current() throws SQLException, HistoryUnavailable {
    int version;
    try (var connection = database.openForReading()) {
      version = database.version(connection);
    }
    if (version > Database.SCHEMA_VERSION) {
      throw new HistoryUnavailable(
          "the history in %s was made by a newer Flyball: schema %d, this one knows %d; use the newer one, or another place"
              .formatted(database.location(), version, Database.SCHEMA_VERSION));
    }
    return version == Database.SCHEMA_VERSION;
  }

  private void checkWritable(Path file) throws IOException, HistoryUnavailable {
    var folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null) {
      throw new HistoryUnavailable("history is kept in a file, but " + file + " is a folder");
    }
    Files.createDirectories(folder, rights("rwx------"));
    for (var each : Files.exists(file) ? new Path[] {folder, file} : new Path[] {folder}) {
      if (!Files.isWritable(each)) {
        throw new HistoryUnavailable(
            "the history needs %s, which cannot be written; change its permissions, or name another place with --history"
                .formatted(each));
      }
    }
    make(file);
  }

  /** What runs were about is nobody else's business; SQLite makes what is beside it alike. */
  private static void make(Path file) throws IOException {
    try {
      Files.createFile(file, rights("rw-------"));
    } catch (FileAlreadyExistsException known) {
      // It goes on, with the rights that it has.
    }
  }

  private static FileAttribute<?>[] rights(String posix) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(posix))
        }
        : new FileAttribute<?>[0];
  }

  /** Migrates while no other process does. */
  private void migrateAlone(Path file) throws IOException, SQLException, HistoryUnavailable {
    var lockFile = file.resolveSibling(file.getFileName() + "-opening");
    make(lockFile);
    try (var channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
      long tries = timeouts.locked().dividedBy(LOOK_AGAIN);
      while (!locked(channel)) {
        if (tries-- <= 0) {
          throw new HistoryUnavailable(
              "the history in %s is being made by another process, for more than %s; end it, or try again later"
                  .formatted(file, dev.flyball.call.DurationText.of(timeouts.locked())));
        }
        LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      }
      if (!current()) {
        database.migrate();
      }
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException ourselves) {
      return false;
    }
  }

  /** What went wrong with the database, and what to do about it. */
  public HistoryUnavailable unavailable(Exception failure) {
    return new HistoryUnavailable(reason(database, failure), failure);
  }

  static String reason(Database database, Exception failure) {
    var where = database.location();
    var sql = cause(failure, SQLException.class);
    if (sql instanceof SQLiteException sqlite) {
      return switch (code(sqlite)) {
        case SQLITE_BUSY, SQLITE_LOCKED ->
            "the history in %s is locked by another process; end it, or try again later"
                .formatted(where);
        case SQLITE_NOTADB, SQLITE_CORRUPT ->
            "the history in %s is no database, or a damaged one; move it away and a new one is made"
                .formatted(where);
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN ->
            "the history in %s cannot be opened for writing; change its rights, or name another place with --history"
                .formatted(where);
        case SQLITE_FULL ->
            "the history in %s has no room: the disk is full; make room".formatted(where);
        default -> "the history in %s fails: %s".formatted(where, firstLine(sqlite));
      };
    }
    if (sql != null && sql.getSQLState() != null) {
      var state = sql.getSQLState();
      if (state.startsWith("08")) {
        return "the history in %s cannot be reached: %s; start PostgreSQL, or correct the address"
            .formatted(where, firstLine(sql));
      }
      if (state.startsWith("28")) {
        return "the history in %s is refused: %s; correct the user or the password"
            .formatted(where, firstLine(sql));
      }
      if (state.equals("3D000")) {
        return "the history in %s has no such database; create it".formatted(where);
      }
    }
    if (failure instanceof java.nio.file.FileSystemException file) {
      return "history is written to a file and beside it, but %s cannot be made%s; name another place with --history"
          .formatted(file.getFile(), file.getReason() == null ? "" : ": " + file.getReason());
    }
    return "the history in %s fails: %s".formatted(where, firstLine(sql == null ? failure : sql));
  }

  static boolean isLocked(Exception failure) {
    var sqlite = cause(failure, SQLiteException.class);
    return sqlite != null && code(sqlite) == SQLiteErrorCode.SQLITE_BUSY;
  }

  /** Without its finer half. */
  private static SQLiteErrorCode code(SQLiteException failure) {
    return SQLiteErrorCode.getErrorCode(failure.getResultCode().code & 0xff);
  }

  private static <T> @Nullable T cause(Throwable failure, Class<T> type) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (type.isInstance(each)) {
        return type.cast(each);
      }
    }
    return null;
  }

  private static String firstLine(Throwable failure) {
    var message = String.valueOf(failure.getMessage());
    return message.lines().findFirst().orElse(message);
  }
}
