package dev.flyball.history;

import static dev.flyball.history.Attempts.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CalibrationSums;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PastRun;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.ReviewSums;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunForecast;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.record.UsageGrouping;
import dev.flyball.history.record.UsageQuery;
import dev.flyball.history.record.UsageRow;
import dev.flyball.history.store.Database;
import dev.flyball.history.store.HistoryTimeouts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A history in each of the databases that it can be in. */
@Timeout(120)
class HistoryTest {
  private static final InstantSource CLOCK = InstantSource.fixed(NOON);
  private static final PriceBasis LISTED = new PriceBasis.Listed("2026-11-01");
  private static final RunStart BATCH =
      RunStart.of("batch", "batch", AnswerOrigin.REAL).in("ours/repo", "in.jsonl");

  private static History open(HistoryLocation location) throws HistoryUnavailable {
    return History.open(location, CLOCK);
  }

  private static AttemptRecord answered(String run, String model, Usage usage) {
    return AttemptRecord.answered(
        run, CallKey.of("lane", model, "q1"), usage, LISTED, Duration.ofSeconds(2), NOON);
  }

  @ParameterizedTest
  @EnumSource
  void a_run_is_kept_when_it_began_and_complete_when_it_ended(TestLocations locations)
      throws Exception {
    var location = locations.fresh();
    var forecast =
        new RunForecast.Expected(
            Duration.ofSeconds(40), Duration.ofSeconds(60), Usage.of(1_000, 200), 3);
    var run = BATCH.asking("anthropic", "model-a,model-b", LISTED);
    var ending = new RunEnding(Duration.ofMillis(41_234), 1, 10, 9, 1, new Cost(1_234_567));
    try (var history = open(location)) {
      var id = history.begin(run);
      assertThat(history.runs(AnswerOrigin.REAL, 5))
          .containsExactly(new PastRun(id, run, NOON, RunForecast.NONE, new PastRun.Open()));

      history.expect(id, forecast);
      assertThat(history.end(id, ending)).isEqualTo(Receipt.Fate.KEPT);
      assertThat(history.runs(AnswerOrigin.REAL, 5))
          .containsExactly(new PastRun(id, run, NOON, forecast, new PastRun.Ended(NOON, ending)));
      assertThat(history.runs(AnswerOrigin.SIMULATED, 5)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_expected_of_a_run_may_come_after_it_began(TestLocations locations) throws Exception {
    var forecast =
        new RunForecast.Expected(
            Duration.ofSeconds(40), Duration.ofSeconds(60), Usage.of(1_000, 200), 3);
    var run = BATCH.asking("anthropic", "model-a", LISTED);
    try (var history = open(locations.fresh())) {
      var id = history.begin(run);
      history.expect(id, forecast);
      history.flush();
      assertThat(history.runs(AnswerOrigin.REAL, 5))
          .containsExactly(new PastRun(id, run, NOON, forecast, new PastRun.Open()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_last_runs_come_first(TestLocations locations) throws Exception {
    try (var history = open(locations.fresh())) {
      var first = history.begin(BATCH);
      var second = history.begin(BATCH);
      var third = history.begin(BATCH);
      assertThat(history.runs(AnswerOrigin.REAL, 2))
          .extracting(PastRun::id)
          .containsExactly(third, second);
      assertThat(first).isNotEqualTo(second);
    }
  }

  @ParameterizedTest
  @EnumSource
  void usage_is_summed_by_what_was_asked_for(TestLocations locations) throws Exception {
    var location = locations.fresh();
    try (var history = open(location)) {
      var run = history.begin(BATCH);
      var usage = new Usage(100, 30, 20, 50, new Cost(1_000));
      history.record(answered(run, "model-a", usage));
      history.record(answered(run, "model-a", Usage.of(10, 5)).tried(2));
      history.record(
          answered(run, "model-b", Usage.of(7, 0)).ending(AttemptOutcome.THROTTLED, "requests"));
      history.flush();
    }
    try (var history = open(location)) {
      var day =
          new UsageQuery(
              NOON.minus(Duration.ofDays(1)), NOON, Set.of(UsageGrouping.MODEL), AnswerOrigin.REAL);
      assertThat(history.usage(day))
          .containsExactly(
              new UsageRow(
                  Map.of(UsageGrouping.MODEL, "model-a"),
                  2,
                  2,
                  0,
                  1,
                  new Usage(110, 30, 20, 55, new Cost(1_000)),
                  0,
                  200,
                  Duration.ofSeconds(4),
                  Duration.ofSeconds(2),
                  0),
              new UsageRow(
                  Map.of(UsageGrouping.MODEL, "model-b"),
                  1,
                  0,
                  1,
                  0,
                  Usage.of(7, 0),
                  7,
                  7,
                  Duration.ofSeconds(2),
                  Duration.ofSeconds(2),
                  0));
      var byDay =
          new UsageQuery(
              NOON, NOON, Set.of(UsageGrouping.DAY, UsageGrouping.REPOSITORY), AnswerOrigin.REAL);
      assertThat(history.usage(byDay))
          .extracting(UsageRow::group)
          .containsExactly(
              Map.of(UsageGrouping.DAY, "2026-11-16", UsageGrouping.REPOSITORY, "ours/repo"));
      var together = new UsageQuery(NOON, NOON, Set.of(), AnswerOrigin.REAL);
      assertThat(history.usage(together)).extracting(UsageRow::attempts).containsExactly(3L);
      var simulated = new UsageQuery(NOON, NOON, Set.of(), AnswerOrigin.SIMULATED);
      assertThat(history.usage(simulated)).isEmpty();
      var before = NOON.minus(Duration.ofHours(1));
      assertThat(history.usage(new UsageQuery(before, before, Set.of(), AnswerOrigin.REAL)))
          .isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_without_a_price_is_counted_as_such(TestLocations locations) throws Exception {
    try (var history = open(locations.fresh())) {
      var run = history.begin(BATCH);
      var call = CallKey.of("lane", "new-model", "q");
      history.record(
          AttemptRecord.answered(
              run, call, Usage.of(5, 5), PriceBasis.UNKNOWN, Duration.ZERO, NOON));
      history.flush();
      var row = history.usage(new UsageQuery(NOON, NOON, Set.of(), AnswerOrigin.REAL)).getFirst();
      assertThat(row.unpriced()).isEqualTo(1);
      assertThat(row.usage().cost()).isEqualTo(Cost.NOTHING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_sums_are_those_of_the_calls_whoever_wrote_them(TestLocations locations)
      throws Exception {
    for (long seed = 1; seed <= 3; seed++) {
      var location = locations.fresh();
      try (var one = open(location);
          var other = open(location);
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var done = new ArrayList<Future<?>>();
        for (int i = 0; i < 4; i++) {
          var history = i % 2 == 0 ? one : other;
          var attempts = new Attempts(10 * seed + i);
          var origin = i == 0 ? AnswerOrigin.SIMULATED : AnswerOrigin.REAL;
          done.add(
              threads.submit(
                  () -> {
                    var run = history.begin(RunStart.of("batch", "batch", origin));
                    for (int n = 0; n < 200; n++) {
                      history.record(attempts.next(run));
                      if (n % 50 == 0) {
                        history.flush();
                      }
                    }
                    return run;
                  }));
        }
        for (var each : done) {
          each.get();
        }
      }
      var sums = new StoredSums(location);
      assertThat(sums.rows("select count(*) from calls")).containsExactly("800");
      assertThat(sums.tallies()).as("seed %d", seed).isEqualTo(sums.talliesAnew()).isNotEmpty();
      assertThat(sums.runTallies()).as("seed %d", seed).hasSameElementsAs(sums.runTalliesAnew());
      assertThat(sums.rows("select distinct waited_for from waits order by 1"))
          .containsExactly("requests", "slot");
      assertThat(sums.rows("select 1 from waits where millis = 0")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void calibration_is_by_run_the_latest_first(TestLocations locations) throws Exception {
    try (var history = open(locations.fresh())) {
      for (int i = 1; i <= 4; i++) {
        var run = history.begin(BATCH);
        var call = CallKey.of("lane", "model-a", "q").lens("tests").expecting(90L * i, 500);
        var usage = new Usage(60L * i, 30L * i, 10L * i, 20, Cost.NOTHING);
        var took = Duration.ofMillis(300);
        history.record(AttemptRecord.answered(run, call, usage, LISTED, took, NOON));
        history.record(
            AttemptRecord.answered(run, call, usage, LISTED, took, NOON)
                .ending(AttemptOutcome.BROKEN, ""));
        history.end(run, new RunEnding(took, 0, 1, 1, 0, Cost.NOTHING));
      }
      var found = history.calibration("model-a", "tests", AnswerOrigin.REAL, 3);
      assertThat(found).extracting(CalibrationSums::input).containsExactly(400L, 300L, 200L);
      assertThat(found)
          .extracting(CalibrationSums::estimatedInput)
          .containsExactly(360L, 270L, 180L);
      assertThat(found)
          .allSatisfy(
              each -> {
                assertThat(each.answered()).isEqualTo(1);
                assertThat(each.outputSquares()).isEqualTo(400);
                assertThat(each.latencySquares()).isEqualTo(90_000);
                assertThat(each.latencyTimesOutput()).isEqualTo(6_000);
                assertThat(each.maxOutput()).isEqualTo(500);
              });
      assertThat(history.calibration("model-a", "", AnswerOrigin.REAL, 3)).isEmpty();
      assertThat(history.calibration("batch", AnswerOrigin.REAL, 3)).isEqualTo(found);
      assertThat(history.calibration("review", AnswerOrigin.REAL, 3)).isEmpty();
      assertThat(history.calibration("model-a", "tests", AnswerOrigin.SIMULATED, 3)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_second_review_of_the_same_state_replaces_the_first(TestLocations locations)
      throws Exception {
    var key = new PastReview.Key("github", "ours/repo", "17", NOON);
    var finding =
        new PastReview.Finding(
            "f1", "A.java", 3, "high", "bug", "security", "A hole", "Deep.", 0.9, "if (open) {");
    var other =
        new PastReview.Finding("f2", "B.java", 0, "low", "style", "tests", "Untidy", "", 0.25, "");
    var first = review(key, "comment", List.of(finding, other));
    var second = review(key, "approve", List.of(other));
    var later = new PastReview.Key("github", "ours/repo", "17", NOON.plusMillis(1));
    try (var history = open(locations.fresh())) {
      assertThat(history.review(key)).isEmpty();
      history.upsert(first);
      assertThat(history.review(key)).contains(first);
      history.upsert(second);
      assertThat(history.review(key)).contains(second);
      assertThat(history.review(later)).isEmpty();
      history.upsert(review(later, "def", "comment", List.of(finding)));
      assertThat(history.review(key)).contains(second);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_second_review_of_the_same_commit_updates_the_first(TestLocations locations)
      throws Exception {
    var key = new PastReview.Key("local", "repo", "main..work", NOON);
    var later = new PastReview.Key("local", "repo", "main..work", NOON.plusSeconds(60));
    var last = new PastReview.Key("local", "repo", "main..work", NOON.plusSeconds(90));
    var other = new PastReview.Key("local", "repo", "main..other", NOON);
    try (var history = open(locations.fresh())) {
      history.upsert(review(key, "comment", List.of()));
      history.upsert(review(other, "comment", List.of()));
      history.upsert(review(later, "approve", List.of()));
      assertThat(history.review(key)).isEmpty();
      assertThat(history.review(later)).isPresent();
      history.upsert(review(last, "", "approve", List.of()));
      history.upsert(review(key, "", "approve", List.of()));
      assertThat(history.reviews("local", "repo", "main..work")).hasSize(3);
      assertThat(history.reviews(9)).hasSize(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void reviews_are_summed_with_what_their_runs_cost(TestLocations locations) throws Exception {
    try (var history = open(locations.fresh())) {
      var call = CallKey.of("l", "model-a", "q");
      int number = 0;
      for (var prices : List.of(new PriceBasis.Listed("1"), PriceBasis.UNKNOWN)) {
        var origin = AnswerOrigin.REAL;
        var run = history.begin(RunStart.of("review", "parallel", origin).in("owner/a", "17"));
        history.record(
            AttemptRecord.answered(run, call, Usage.of(1, 1), prices, Duration.ofSeconds(1), NOON));
        var key = new PastReview.Key("github", "a", "17", NOON.plusSeconds(number));
        history.upsert(run, review(key, "sha" + number++, "approved", List.of()));
        history.end(run, new RunEnding(Duration.ofSeconds(1), 0, 1, 1, 0, new Cost(50)));
      }
      var older = new PastReview.Key("local", "b", ".", NOON);
      history.upsert(review(older, "simulated", List.of()));
      var until = NOON.plusSeconds(3_600);
      var by = Set.of(UsageGrouping.REVIEW, UsageGrouping.REPOSITORY);
      var sums = history.reviewed(new UsageQuery(NOON, until, by, AnswerOrigin.REAL));
      assertThat(sums)
          .containsExactly(
              new ReviewSums(
                  Map.of(UsageGrouping.REVIEW, "github a#17", UsageGrouping.REPOSITORY, "owner/a"),
                  2,
                  2_000,
                  1_000,
                  Duration.ofSeconds(18),
                  Duration.ofSeconds(9),
                  new Cost(50),
                  1));
      assertThat(sums.getFirst().meanCost()).isEqualTo(new Cost(50));
      assertThat(history.reviewed(new UsageQuery(NOON, until, by, AnswerOrigin.SIMULATED)))
          .extracting(each -> each.group().get(UsageGrouping.REVIEW))
          .containsExactly("local b .");
      var earlier = NOON.minusSeconds(7_200);
      assertThat(history.reviewed(new UsageQuery(earlier, NOON, Set.of(), AnswerOrigin.REAL)))
          .isEmpty();
    }
  }

  private static PastReview review(
      PastReview.Key key, String decision, List<PastReview.Finding> findings) {
    return review(key, "abc", decision, findings);
  }

  private static PastReview review(
      PastReview.Key key, String sha, String decision, List<PastReview.Finding> findings) {
    return new PastReview(
        key,
        sha,
        Instant.parse("2026-11-16T12:01:00Z"),
        decision,
        "A summary",
        1_000,
        2_000,
        "parallel",
        Duration.ofSeconds(9),
        findings);
  }

  @ParameterizedTest
  @EnumSource
  void text_that_a_database_cannot_keep_does_no_harm(TestLocations locations) throws Exception {
    var location = locations.fresh();
    try (var history = open(location)) {
      var run = history.begin(BATCH);
      var call = CallKey.of("lane", "m", "zero \0 half \ud83d whole \ud83d\ude80");
      var kept =
          history.record(
              AttemptRecord.answered(run, call, Usage.NONE, LISTED, Duration.ZERO, NOON));
      history.flush();
      assertThat(kept.await()).isEqualTo(Receipt.Fate.KEPT);
    }
    assertThat(new StoredSums(location).rows("select name from calls"))
        .containsExactly("zero \ufffd half ? whole \ud83d\ude80");
  }

  @ParameterizedTest
  @EnumSource
  void a_run_of_somebody_else_is_not_added_to(TestLocations locations) throws Exception {
    try (var history = open(locations.fresh())) {
      assertThatThrownBy(() -> history.record(answered("nobody", "m", Usage.NONE)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("nobody");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_schema_of_a_newer_program_is_left_alone(TestLocations locations) throws Exception {
    var location = locations.fresh();
    open(location).close();
    try (var connection = Database.of(location, HistoryTimeouts.USUAL).openForWriting();
        var statement = connection.createStatement()) {
      statement.execute(
          "update " + Database.VERSION_TABLE + " set version = '7' where version = '1'");
    }
    assertThatThrownBy(() -> open(location))
        .isInstanceOf(HistoryUnavailable.class)
        .hasMessageContaining(
            "made by a newer Flyball: schema 7, this one knows " + Database.SCHEMA_VERSION)
        .hasMessageEndingWith("(or go on without it: --no-history)");
  }

  @ParameterizedTest
  @EnumSource
  void many_may_open_a_new_place_at_once(TestLocations locations) throws Exception {
    var location = locations.fresh();
    try (var threads = Executors.newFixedThreadPool(6)) {
      var done = new ArrayList<Future<String>>();
      for (int i = 0; i < 6; i++) {
        done.add(
            threads.submit(
                () -> {
                  try (var history = open(location)) {
                    return history.begin(BATCH);
                  }
                }));
      }
      for (var each : done) {
        assertThat(each.get()).isNotEmpty();
      }
    }
    assertThat(new StoredSums(location).rows("select count(*) from runs")).containsExactly("6");
  }
}
