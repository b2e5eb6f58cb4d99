package dev.flyball.history;

import static dev.flyball.history.Attempts.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.PastCall;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.record.TenantKey;
import dev.flyball.history.record.TenantSpending;
import dev.flyball.history.record.TenantTerms;
import dev.flyball.history.record.TenantTerms.Ceiling;
import dev.flyball.history.record.UsageGrouping;
import dev.flyball.history.record.UsageQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys, spending and calls of tenants, in each of the databases. */
@Timeout(120)
class HistoryOfTenantsTest {
  private static final InstantSource CLOCK = InstantSource.fixed(NOON);
  private static final TenantTerms TERMS =
      new TenantTerms(
          2.5,
          "interactive",
          OptionalLong.of(60),
          OptionalLong.empty(),
          OptionalLong.of(4),
          new Ceiling(OptionalLong.of(1_000_000), Optional.of(new Cost(1_000_000))),
          new Ceiling(OptionalLong.empty(), Optional.of(new Cost(20_000_000))));

  @ParameterizedTest
  @EnumSource
  void spending_is_claimed_by_one_at_a_time(TestLocations locations) throws Exception {
    var location = locations.fresh();
    try (var one = History.open(location, CLOCK);
        var other = History.open(location, CLOCK)) {
      var claim = one.claimSpending().orElseThrow();
      assertThat(claim.holds()).isTrue();
      assertThat(other.claimSpending()).isEmpty();
      claim.close();
      assertThat(claim.holds()).isFalse();
      var next = other.claimSpending().orElseThrow();
      assertThat(one.claimSpending()).isEmpty();
      next.close();
    }
  }

  private static TenantKey key(String tenant, String hash, TenantTerms terms, String... models) {
    return new TenantKey(
        tenant, hash, "flyball_ab", terms, List.of(models), NOON, Optional.empty());
  }

  @ParameterizedTest
  @EnumSource
  void a_key_comes_back_as_it_was_given_until_it_is_revoked(TestLocations locations)
      throws Exception {
    var location = locations.fresh();
    var alice = key("alice", "h1", TERMS, "claude-*", "gpt-5");
    var bob = key("bob", "h2", TenantTerms.USUAL);
    try (var history = History.open(location, CLOCK)) {
      assertThat(history.tenantKeys()).isEmpty();
      history.add(alice);
      history.add(bob);
      history.revoke("alice");
    }
    try (var history = History.open(location, CLOCK)) {
      assertThat(history.tenantKeys())
          .containsExactly(
              new TenantKey(
                  "alice", "h1", "flyball_ab", TERMS, alice.models(), NOON, Optional.of(NOON)),
              bob);
      history.add(key("alice", "h3", TERMS));
      assertThat(history.tenantKeys()).hasSize(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void spending_adds_up_whoever_writes_it(TestLocations locations) throws Exception {
    var location = locations.fresh();
    var day = new TenantSpending("alice", "2026-11-16", 10, new Cost(7));
    var month = new TenantSpending("alice", "2026-11", 10, new Cost(7));
    try (var one = History.open(location, CLOCK);
        var other = History.open(location, CLOCK)) {
      assertThat(one.spent(List.of(day, month)).await()).isEqualTo(Receipt.Fate.KEPT);
      assertThat(other.spent(List.of(day, month)).await()).isEqualTo(Receipt.Fate.KEPT);
      assertThat(one.spending(List.of("2026-11-16", "2026-10")))
          .containsExactly(new TenantSpending("alice", "2026-11-16", 20, new Cost(14)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void usage_is_told_by_tenant_and_by_hour_and_the_last_calls_as_they_were(TestLocations locations)
      throws Exception {
    try (var history = History.open(locations.fresh(), CLOCK)) {
      var run = history.begin(RunStart.of("serve", "serve", AnswerOrigin.REAL));
      var call = CallKey.of("lane", "m", "q").on("alice");
      var first =
          AttemptRecord.answered(
                  run, call, Usage.of(5, 6), PriceBasis.UNKNOWN, Duration.ofMillis(40), NOON)
              .waiting(Map.of("requests", Duration.ofMillis(1_500)));
      var second =
          new AttemptRecord(
              run,
              CallKey.of("lane", "m", "q"),
              2,
              AttemptOutcome.THROTTLED,
              "requests",
              Usage.of(1, 0).costing(new Cost(3)),
              new PriceBasis.Listed("2026-11-01"),
              Duration.ofMillis(20),
              Map.of(),
              NOON.plusSeconds(1));
      history.record(first);
      history.record(second);
      history.flush();
      assertThat(history.calls(AnswerOrigin.REAL, 9))
          .containsExactly(new PastCall("serve", second), new PastCall("serve", first));
      assertThat(history.calls(AnswerOrigin.REAL, 1)).hasSize(1);
      assertThat(history.calls(AnswerOrigin.SIMULATED, 9)).isEmpty();
      var query =
          new UsageQuery(
              NOON, NOON, Set.of(UsageGrouping.TENANT, UsageGrouping.HOUR), AnswerOrigin.REAL);
      assertThat(history.usage(query))
          .extracting(row -> row.group().get(UsageGrouping.TENANT))
          .containsExactlyInAnyOrder("", "alice");
      assertThat(history.usage(query))
          .allSatisfy(
              row ->
                  assertThat(row.group())
                      .containsEntry(UsageGrouping.HOUR, "2026-11-16T12:00:00Z"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_last_reviews_come_with_the_code_of_their_findings(TestLocations locations)
      throws Exception {
    var finding =
        new PastReview.Finding(
            "f1", "A.java", 3, "high", "bug", "security", "A hole", "Deep.", 0.9, "x = 1;\ny = 2;");
    try (var history = History.open(locations.fresh(), CLOCK)) {
      for (int i = 0; i < 3; i++) {
        var key = new PastReview.Key("github", "ours/repo", "1" + i, NOON);
        history.upsert(
            new PastReview(
                key,
                "abc",
                NOON.plusSeconds(i),
                "comment",
                "",
                1,
                2,
                "units",
                Duration.ofSeconds(9),
                List.of(finding)));
      }
      assertThat(history.reviews(2))
          .extracting(review -> review.key().pr())
          .containsExactly("12", "11");
      assertThat(history.reviews(1).getFirst().findings()).containsExactly(finding);
    }
  }

  @Test
  void the_sums_of_the_first_version_are_taken_along(@TempDir Path folder) throws Exception {
    var file = folder.resolve("history.db");
    asFirstVersion(file);
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.execute(
          "insert into tallies values (494352, 0, 'm', 'batch', '', '', 'l', 7, 6, 1, 0, 10, 0, 0,"
              + " 20, 0, 9, 100, 30, 5, 0)");
    }
    try (var history = History.open(new HistoryLocation.File(file), CLOCK)) {
      var all = new UsageQuery(NOON.minusSeconds(1L << 32), NOON, Set.of(), AnswerOrigin.REAL);
      assertThat(history.usage(all)).hasSize(1);
      assertThat(history.usage(all).getFirst().attempts()).isEqualTo(7);
      assertThat(history.usage(all).getFirst().usage().cost()).isEqualTo(new Cost(5));
      assertThat(history.tenantKeys()).isEmpty();
    }
  }

  private static void asFirstVersion(Path file) throws IOException {
    Files.createFile(file);
    Flyway.configure()
        .locations("classpath:dev/flyball/history/schema")
        .table("flyball_schema")
        .placeholders(Map.of("number", "integer primary key", "clustered", "without rowid"))
        .target("1")
        .dataSource("jdbc:sqlite:" + file, null, null)
        .load()
        .migrate();
  }
}
