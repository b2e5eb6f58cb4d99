package dev.flyball.history;

import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CalibrationSums;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryTrouble;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PastCall;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PastRun;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.ReviewSums;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunForecast;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.record.SpendingClaim;
import dev.flyball.history.record.TenantKey;
import dev.flyball.history.record.TenantSpending;
import dev.flyball.history.record.UsageQuery;
import dev.flyball.history.record.UsageRow;
import dev.flyball.history.store.CommitThread;
import dev.flyball.history.store.Database;
import dev.flyball.history.store.HistoryTimeouts;
import dev.flyball.history.store.OpenRun;
import dev.flyball.history.store.RecentQueries;
import dev.flyball.history.store.SchemaSetup;
import dev.flyball.history.store.TenantTables;
import dev.flyball.history.store.UsageQueries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The record of runs: what ran, what it used and what it cost. May be used by many threads, and its
 * location by many processes. What is acknowledged is committed, and outlives the process.
 */
public final class History implements AutoCloseable {
  private static final DateTimeFormatter STARTED =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final InstantSource clock;
  private final SchemaSetup schema;
  private final CommitThread commits;
  private final Map<String, OpenRun> runs = new ConcurrentHashMap<>();
  private final ReentrantLock readLock = new ReentrantLock();
  private @Nullable Connection readConnection;

  private History(SchemaSetup schema, CommitThread commits, InstantSource clock) {
    this.schema = schema;
    this.commits = commits;
    this.clock = clock;
  }

  /** Opens a history, and makes it if there is none. */
  public static History open(HistoryLocation location, InstantSource clock)
      throws HistoryUnavailable {
    return open(location, clock, HistoryTimeouts.USUAL);
  }

  static History open(HistoryLocation location, InstantSource clock, HistoryTimeouts timeouts)
      throws HistoryUnavailable {
    var database = Database.of(location, timeouts);
    var schema = new SchemaSetup(database, timeouts);
    schema.prepare();
    var commits = new CommitThread(database, timeouts);
    commits.start();
    return new History(schema, commits, clock);
  }

  /** A run begins. When this returns it is kept under the id that it returns. */
  public String begin(RunStart run) throws HistoryUnavailable, InterruptedException {
    var now = clock.instant();
    var id = STARTED.format(now) + "-" + UUID.randomUUID().toString().substring(0, 8);
    var open = new OpenRun(id, run);
    keep(commits.began(open, now));
    runs.put(id, open);
    return id;
  }

  /** What is expected of a run, which may take a moment longer to know than to begin. */
  public void expect(String run, RunForecast.Expected forecast) throws InterruptedException {
    commits.expected(known(run), forecast);
  }

  /**
   * An attempt ended. It is committed a moment later; this waits only while too much is waiting to
   * be written.
   */
  public Receipt record(AttemptRecord attempt) throws InterruptedException {
    return commits.record(known(attempt.run()), attempt);
  }

  /** A run ended. Returns when that, and all that was recorded before, is kept or lost. */
  public Receipt.Fate end(String run, RunEnding ending) throws InterruptedException {
    return commits.ended(known(run), ending, clock.instant()).await();
  }

  /**
   * Keeps a review that a run made; one of the same state, or of the same commit or content, is
   * replaced, with its findings.
   */
  public void upsert(String run, PastReview review)
      throws HistoryUnavailable, InterruptedException {
    known(run);
    keep(commits.reviewed(review, run));
  }

  /** The same of a review whose run is not known. */
  public void upsert(PastReview review) throws HistoryUnavailable, InterruptedException {
    keep(commits.reviewed(review, ""));
  }

  /** Keeps a key that a tenant was given. */
  public void add(TenantKey key) throws HistoryUnavailable, InterruptedException {
    keep(commits.made(key));
  }

  /** A tenant's key is of no use from now on. */
  public void revoke(String tenant) throws HistoryUnavailable, InterruptedException {
    keep(commits.revoked(tenant, clock.instant()));
  }

  /** Tenants have used more; it is added to what is kept. */
  public Receipt spent(List<TenantSpending> more) throws InterruptedException {
    return commits.spent(more);
  }

  /** All keys that tenants were ever given, the oldest first. */
  public List<TenantKey> tenantKeys() throws HistoryUnavailable {
    return read(queries -> new TenantTables(queries.connection()).keys());
  }

  /** What tenants used in some days ({@code 2026-11-18}) and months ({@code 2026-11}). */
  public List<TenantSpending> spending(Collection<String> periods) throws HistoryUnavailable {
    return read(queries -> new TenantTables(queries.connection()).spending(periods));
  }

  /**
   * Claims to be the process that counts what tenants with budgets spend; empty if another one is.
   */
  public Optional<SpendingClaim> claimSpending() throws HistoryUnavailable {
    try {
      return schema.database().claimSpending();
    } catch (SQLException failure) {
      throw schema.unavailable(failure);
    }
  }

  /** The last attempts, the latest first. */
  public List<PastCall> calls(AnswerOrigin origin, int last) throws HistoryUnavailable {
    return read(queries -> new RecentQueries(queries.connection()).calls(origin, last));
  }

  /** The last reviews, the latest first. */
  public List<PastReview> reviews(int last) throws HistoryUnavailable {
    return read(queries -> queries.reviews(last));
  }

  private void keep(Receipt receipt) throws HistoryUnavailable, InterruptedException {
    switch (receipt.await()) {
      case KEPT -> {}
      case LOST -> {
        switch (commits.trouble()) {
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
  void flush() throws InterruptedException {
    commits.flush();
  }

  /** Whether what is recorded is being kept. */
  public HistoryTrouble trouble() {
    return commits.trouble();
  }

  /** How many threads wait for room at this moment. */
  public int waiting() {
    return commits.waiting();
  }

  /** Sums by group, in the order of the groups. */
  public List<UsageRow> usage(UsageQuery query) throws HistoryUnavailable {
    return read(queries -> queries.usage(query));
  }

  /** Sums of reviews by group, in the order of the groups. */
  public List<ReviewSums> reviewed(UsageQuery query) throws HistoryUnavailable {
    return read(queries -> queries.reviewed(query));
  }

  /** The last runs, the latest first. */
  public List<PastRun> runs(AnswerOrigin origin, int last) throws HistoryUnavailable {
    return read(queries -> queries.runs(origin, last));
  }

  /** What the last runs with a model and a lens say about the next, the latest first. */
  public List<CalibrationSums> calibration(
      String model, String lens, AnswerOrigin origin, int lastRuns) throws HistoryUnavailable {
    return read(queries -> queries.calibration(model, lens, origin, lastRuns));
  }

  /** The same of all that the last runs of a command asked, whatever model and lens. */
  public List<CalibrationSums> calibration(String command, AnswerOrigin origin, int lastRuns)
      throws HistoryUnavailable {
    return read(queries -> queries.calibration(command, origin, lastRuns));
  }

  /** The review of one state of a pull request. */
  Optional<PastReview> review(PastReview.Key key) throws HistoryUnavailable {
    return read(queries -> queries.review(key));
  }

  /** The reviews of a pull request in all its states, the latest first. */
  public List<PastReview> reviews(String platform, String repository, String pr)
      throws HistoryUnavailable {
    return read(queries -> queries.reviews(platform, repository, pr));
  }

  /** A read that may fail. */
  private interface Query<T> {
    T run(UsageQueries queries) throws SQLException;
  }

  private <T> T read(Query<T> query) throws HistoryUnavailable {
    readLock.lock();
    try {
      var connection = readConnection;
      if (connection == null || connection.isClosed()) {
        connection = schema.database().openForReading();
        readConnection = connection;
      }
      return query.run(new UsageQueries(connection));
    } catch (SQLException failure) {
      dropConnection();
      throw schema.unavailable(failure);
    } finally {
      readLock.unlock();
    }
  }

  private void dropConnection() {
    var old = readConnection;
    readConnection = null;
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
    commits.close();
    readLock.lock();
    try {
      dropConnection();
    } finally {
      readLock.unlock();
    }
  }
}
