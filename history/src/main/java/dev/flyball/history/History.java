package dev.flyball.history;

import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CalibrationSums;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryTrouble;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PastRun;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunForecast;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.record.UsageQuery;
import dev.flyball.history.record.UsageRow;
import dev.flyball.history.store.CommitThread;
import dev.flyball.history.store.Database;
import dev.flyball.history.store.HistoryTimeouts;
import dev.flyball.history.store.OpenRun;
import dev.flyball.history.store.PendingWrite;
import dev.flyball.history.store.SchemaSetup;
import dev.flyball.history.store.UsageQueries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What ran, what it used and what it cost. May be used by many threads, and its place by many
 * processes. What is acknowledged is committed, and outlives the process.
 */
public final class History implements AutoCloseable {
  private static final DateTimeFormatter STARTED =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final InstantSource clock;
  private final SchemaSetup opening;
  private final CommitThread writer;
  private final Map<String, OpenRun> runs = new ConcurrentHashMap<>();
  private final ReentrantLock reading = new ReentrantLock();
  private @Nullable Connection reader;

  private History(SchemaSetup opening, CommitThread writer, InstantSource clock) {
    this.opening = opening;
    this.writer = writer;
    this.clock = clock;
  }

  /** Opens a history, and makes it if there is none. */
  public static History open(HistoryLocation place, InstantSource clock) throws HistoryUnavailable {
    return open(place, clock, HistoryTimeouts.USUAL);
  }

  static History open(HistoryLocation place, InstantSource clock, HistoryTimeouts patience)
      throws HistoryUnavailable {
    return open(Database.of(place, patience), clock, patience);
  }

  static History open(Database database, InstantSource clock, HistoryTimeouts patience)
      throws HistoryUnavailable {
    var opening = new SchemaSetup(database, patience);
    opening.prepare();
    var writer = new CommitThread(database, patience);
    writer.start();
    return new History(opening, writer, clock);
  }

  /** A run begins. When this returns it is kept under the id that it returns. */
  public String begin(RunStart run) throws HistoryUnavailable, InterruptedException {
    var now = clock.instant();
    var id = STARTED.format(now) + "-" + UUID.randomUUID().toString().substring(0, 8);
    var open = new OpenRun(id, run);
    keep(new PendingWrite.Began(open, now, new Receipt()));
    runs.put(id, open);
    return id;
  }

  /** What is expected of a run, which may take a moment longer to know than to begin. */
  public void expect(String run, RunForecast.Expected forecast) throws InterruptedException {
    writer.now(new PendingWrite.Foreseen(known(run), forecast, new Receipt()));
  }

  /**
   * An attempt ended. It is committed a moment later; this waits only while too much is waiting to
   * be written.
   */
  public Receipt record(AttemptRecord attempt) throws InterruptedException {
    return writer.record(known(attempt.run()), attempt);
  }

  /** A run ended. Returns when that, and all that was recorded before, is kept or lost. */
  public Receipt.Fate end(String run, RunEnding ending) throws InterruptedException {
    return writer
        .now(new PendingWrite.Ended(known(run), ending, clock.instant(), new Receipt()))
        .await();
  }

  /** Keeps a review; one of the same state of a pull request is replaced, with its findings. */
  public void upsert(PastReview review) throws HistoryUnavailable, InterruptedException {
    keep(new PendingWrite.Reviewed(review, new Receipt()));
  }

  private void keep(PendingWrite entry) throws HistoryUnavailable, InterruptedException {
    switch (writer.now(entry).await()) {
      case KEPT -> {}
      case LOST -> {
        switch (writer.trouble()) {
          case HistoryTrouble.GaveUp gaveUp -> throw new HistoryUnavailable(gaveUp.reason());
          case HistoryTrouble.Retrying retrying -> throw new HistoryUnavailable(retrying.reason());
          case HistoryTrouble.None none -> throw new AssertionError("lost without trouble");
        }
      }
    }
  }

  private OpenRun known(String id) {
    var run = runs.get(id);
    if (run == null) {
      throw new IllegalArgumentException(
          "only a run that this history began is added to, but there is no " + id);
    }
    return run;
  }

  /** Waits until all that was recorded so far is kept or lost. */
  public void flush() throws InterruptedException {
    writer.flush();
  }

  /** Whether what is recorded is being kept. */
  public HistoryTrouble trouble() {
    return writer.trouble();
  }

  /** How many threads wait for room at this moment. */
  public int waiting() {
    return writer.waiting();
  }

  /** How often somebody had to wait for room. */
  public long waits() {
    return writer.waits();
  }

  /** Sums by group, in the order of the groups. */
  public List<UsageRow> usage(UsageQuery query) throws HistoryUnavailable {
    return read(reader -> reader.usage(query));
  }

  /** The last runs, the latest first. */
  public List<PastRun> runs(AnswerOrigin origin, int last) throws HistoryUnavailable {
    return read(reader -> reader.runs(origin, last));
  }

  /** What the last runs with a model and a lens say about the next, the latest first. */
  public List<CalibrationSums> calibration(
      String model, String lens, AnswerOrigin origin, int lastRuns) throws HistoryUnavailable {
    return read(reader -> reader.calibration(model, lens, origin, lastRuns));
  }

  public Optional<PastReview> review(PastReview.Key key) throws HistoryUnavailable {
    return read(reader -> reader.review(key));
  }

  /** A question. */
  private interface Question<T> {
    T ask(UsageQueries reader) throws SQLException;
  }

  private <T> T read(Question<T> question) throws HistoryUnavailable {
    reading.lock();
    try {
      var connection = reader;
      if (connection == null || connection.isClosed()) {
        connection = opening.database().toRead();
        reader = connection;
      }
      return question.ask(new UsageQueries(connection));
    } catch (SQLException failure) {
      forget();
      throw opening.unavailable(failure);
    } finally {
      reading.unlock();
    }
  }

  private void forget() {
    var old = reader;
    reader = null;
    try {
      if (old != null) {
        old.close();
      }
    } catch (SQLException broken) {
      // It is given away because it is broken.
      return;
    }
  }

  /** Writes what is left, as far as the database takes it. */
  @Override
  public void close() {
    writer.close();
    reading.lock();
    try {
      forget();
    } finally {
      reading.unlock();
    }
  }
}
