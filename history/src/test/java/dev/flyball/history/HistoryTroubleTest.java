package dev.flyball.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryTrouble;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.store.Database;
import dev.flyball.history.store.HistoryTimeouts;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Databases that do not take what they are given, and what becomes of it. */
@Timeout(60)
class HistoryTroubleTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Attempts.NOON);
  private static final int ROOM = 20;
  private static final HistoryTimeouts LONG =
      new HistoryTimeouts(Duration.ofMillis(20), Duration.ofMillis(5), Duration.ofMinutes(5), ROOM);
  private static final HistoryTimeouts SHORT =
      new HistoryTimeouts(
          Duration.ofMillis(20), Duration.ofMillis(5), Duration.ofMillis(100), ROOM);

  @TempDir private Path folder;
  private HistoryLocation.File location;
  private final Attempts attempts = new Attempts(1);

  @BeforeEach
  void name() {
    location = new HistoryLocation.File(folder.resolve("history.db"));
  }

  /** Another process that has the file, until it is closed. */
  private final class Other implements AutoCloseable {
    private final Connection connection = Database.of(location, LONG).openForReading();
    private final Statement statement = connection.createStatement();

    Other() throws SQLException {
      statement.execute("begin immediate");
    }

    @Override
    public void close() throws SQLException {
      statement.execute("rollback");
      connection.close();
    }
  }

  private static void until(java.util.function.BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void while_the_database_fails_nothing_is_lost_and_who_records_waits_for_room() throws Exception {
    try (var history = History.open(location, CLOCK, LONG);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var run = history.begin(RunStart.of("batch", "batch", AnswerOrigin.REAL));
      var receipts = new ArrayList<Future<Receipt>>();
      try (var other = new Other()) {
        assertThat(other.connection.isClosed()).isFalse();
        history.record(attempts.next(run));
        until(() -> history.trouble() instanceof HistoryTrouble.Retrying);
        assertThat(history.trouble().toString()).contains("locked by another process");
        for (int i = 0; i < ROOM + 3; i++) {
          var attempt = attempts.next(run);
          receipts.add(threads.submit(() -> history.record(attempt)));
        }
        until(() -> history.waiting() == 3);
      }
      for (var receipt : receipts) {
        assertThat(receipt.get().await()).isEqualTo(Receipt.Fate.KEPT);
      }
      assertThat(history.trouble()).isEqualTo(HistoryTrouble.NONE);
      assertThat(history.waiting()).isZero();
    }
    assertThat(new StoredSums(location).rows("select count(*) from calls"))
        .containsExactly(String.valueOf(ROOM + 4));
  }

  @Test
  void after_its_time_is_over_what_is_lost_is_counted_and_nobody_waits() throws Exception {
    try (var history = History.open(location, CLOCK, SHORT)) {
      var run = history.begin(RunStart.of("batch", "batch", AnswerOrigin.REAL));
      history.record(attempts.next(run));
      history.flush();
      try (var other = new Other()) {
        assertThat(other.connection.isClosed()).isFalse();
        var lost = history.record(attempts.next(run));
        assertThat(lost.await()).isEqualTo(Receipt.Fate.LOST);
        for (int i = 0; i < 2 * ROOM; i++) {
          assertThat(history.record(attempts.next(run)).await()).isEqualTo(Receipt.Fate.LOST);
        }
        history.flush();
        assertThat(history.trouble())
            .isInstanceOfSatisfying(
                HistoryTrouble.GaveUp.class,
                gaveUp -> assertThat(gaveUp.lost()).isEqualTo(2 * ROOM + 1));
        assertThat(
                history.end(
                    run, new RunEnding(Duration.ZERO, 0, 1, 1, 0, dev.flyball.call.Cost.NOTHING)))
            .isEqualTo(Receipt.Fate.LOST);
        assertThatThrownBy(() -> history.begin(RunStart.of("batch", "batch", AnswerOrigin.REAL)))
            .isInstanceOf(HistoryUnavailable.class)
            .hasMessageContaining("locked by another process");
      }
    }
    assertThat(new StoredSums(location).rows("select count(*) from calls")).containsExactly("1");
  }

  @Test
  void a_server_that_hangs_up_is_called_again() throws Exception {
    var server = TestLocations.POSTGRESQL.fresh();
    try (var history = History.open(server, CLOCK, LONG)) {
      var run = history.begin(RunStart.of("batch", "batch", AnswerOrigin.REAL));
      for (int i = 0; i < 3; i++) {
        assertThat(history.record(attempts.next(run)).await()).isEqualTo(Receipt.Fate.KEPT);
        new StoredSums(server)
            .rows(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where datname = current_database() and pid <> pg_backend_pid()");
      }
      assertThat(history.record(attempts.next(run)).await()).isEqualTo(Receipt.Fate.KEPT);
      assertThat(history.trouble()).isEqualTo(HistoryTrouble.NONE);
    }
    var sums = new StoredSums(server);
    assertThat(sums.rows("select count(*) from calls")).containsExactly("4");
    assertThat(sums.tallies()).hasSameElementsAs(sums.talliesAnew());
  }

  @Test
  void tables_that_vanish_are_said_and_the_run_goes_on() throws Exception {
    try (var history = History.open(location, CLOCK, SHORT)) {
      var run = history.begin(RunStart.of("batch", "batch", AnswerOrigin.REAL));
      try (var connection = Database.of(location, LONG).openForReading();
          var statement = connection.createStatement()) {
        statement.execute("drop table waits");
      }
      assertThat(history.record(attempts.next(run)).await()).isEqualTo(Receipt.Fate.LOST);
      assertThat(history.trouble().toString()).contains("no such table").contains("lost=1");
    }
  }

  @Test
  void what_is_closed_has_written_everything() throws Exception {
    var timeouts =
        new HistoryTimeouts(
            Duration.ofSeconds(5), Duration.ofHours(1), Duration.ofSeconds(1), 1_000);
    var history = History.open(location, CLOCK, timeouts);
    var run = history.begin(RunStart.of("batch", "batch", AnswerOrigin.REAL));
    var receipt = history.record(attempts.next(run));
    history.close();
    assertThat(receipt.await()).isEqualTo(Receipt.Fate.KEPT);
    assertThat(new StoredSums(location).rows("select count(*) from calls")).containsExactly("1");
    assertThatThrownBy(() -> history.record(attempts.next(run)))
        .isInstanceOf(IllegalStateException.class);
  }
}
