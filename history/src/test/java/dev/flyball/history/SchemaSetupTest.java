package dev.flyball.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.store.Database;
import dev.flyball.history.store.HistoryTimeouts;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SplittableRandom;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Locations in which no history can be kept, and what is said about them. */
@Timeout(60)
class SchemaSetupTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Attempts.NOON);
  private static final HistoryTimeouts SHORT =
      new HistoryTimeouts(
          Duration.ofMillis(50), Duration.ofMillis(10), Duration.ofMillis(200), 100);

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("history.db");
  }

  private static AbstractThrowableAssert<?, ?> opening(HistoryLocation location) {
    return assertThatThrownBy(() -> History.open(location, CLOCK, SHORT))
        .isInstanceOf(HistoryUnavailable.class)
        .hasMessageEndingWith("(or go on without it: --no-history)");
  }

  @Test
  void a_file_that_another_process_has_is_locked() throws Exception {
    History.open(new HistoryLocation.File(file), CLOCK).close();
    try (var connection = Database.of(new HistoryLocation.File(file), SHORT).openForReading();
        var statement = connection.createStatement()) {
      statement.execute("pragma locking_mode = exclusive");
      statement.execute("begin exclusive");
      opening(new HistoryLocation.File(file))
          .hasMessageContaining(file.toString())
          .hasMessageContaining("locked by another process; end it, or try again later");
    }
  }

  @Test
  void a_file_that_somebody_is_making_for_ever_is_not_waited_for_as_long() throws Exception {
    try (var channel =
            java.nio.channels.FileChannel.open(
                folder.resolve("history.db-opening"),
                java.nio.file.StandardOpenOption.CREATE,
                java.nio.file.StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      opening(new HistoryLocation.File(file))
          .hasMessageContaining("is being made by another process");
    }
  }

  @Test
  void a_text_file_is_no_database() throws IOException {
    Files.writeString(file, "What ran, and what it cost.\n".repeat(100));
    opening(new HistoryLocation.File(file))
        .hasMessageContaining("no database, or a damaged one; move it away");
    assertThat(file).content().startsWith("What ran");
  }

  @Test
  void a_damaged_file_is_no_database() throws Exception {
    try (var history = History.open(new HistoryLocation.File(file), CLOCK)) {
      history.begin(RunStart.of("batch", "batch", AnswerOrigin.REAL));
    }
    var bytes = Files.readAllBytes(file);
    var random = new SplittableRandom(1);
    for (int i = 100; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    Files.write(file, bytes);
    opening(new HistoryLocation.File(file))
        .hasMessageContaining("no database, or a damaged one; move it away");
  }

  @Test
  void a_folder_is_no_file() {
    opening(new HistoryLocation.File(folder)).hasMessageContaining(folder + " is a folder");
  }

  @Test
  void below_a_file_there_is_no_folder() throws IOException {
    Files.writeString(file, "");
    opening(new HistoryLocation.File(file.resolve("history.db")))
        .hasMessageContaining("cannot be made")
        .hasMessageContaining("--history");
  }

  @Test
  void what_may_not_be_written_is_said() throws Exception {
    History.open(new HistoryLocation.File(file), CLOCK).close();
    assumeTrue(file.toFile().setReadOnly(), "this file system has no rights");
    assumeTrue(!Files.isWritable(file), "SKIPPED: root may write everything; run as another user");
    opening(new HistoryLocation.File(file))
        .hasMessageContaining(file + " cannot be written; change its permissions");
  }

  @Test
  void a_server_that_is_not_there_cannot_be_reached() throws IOException {
    int free;
    try (var socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    opening(HistoryLocation.of("postgresql://me:hidden@localhost:" + free + "/ours"))
        .hasMessageContaining("localhost:" + free + "/ours as me cannot be reached")
        .hasMessageContaining("start PostgreSQL, or correct the address")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void a_wrong_password_is_refused() throws Exception {
    var location = (HistoryLocation.Server) TestLocations.POSTGRESQL.fresh();
    opening(new HistoryLocation.Server(location.url(), "nobody", "hidden"))
        .hasMessageContaining("as nobody is refused")
        .hasMessageContaining("correct the user or the password")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void a_database_that_is_not_there_is_to_be_created() throws Exception {
    var location = (HistoryLocation.Server) TestLocations.POSTGRESQL.fresh();
    opening(new HistoryLocation.Server(location.url() + "x", location.user(), ""))
        .hasMessageContaining("has no such database; create it");
  }

  @Test
  void the_version_known_is_that_of_the_last_file() throws IOException {
    var schema = Path.of("src/main/resources/dev/flyball/history/schema");
    try (var files = Files.list(schema)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .hasSize(Database.SCHEMA_VERSION)
          .anyMatch(name -> name.startsWith("V" + Database.SCHEMA_VERSION + "__"));
    }
  }
}
