package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.cli.screen.InertWriter;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.cli.screen.UsagePage;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.record.UsageGrouping;
import dev.flyball.history.record.UsageRow;
import dev.flyball.history.record.UsageSums;
import dev.flyball.run.file.RunningSimulators;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShowUsageTest {
  private static final PriceBasis LISTED = new PriceBasis.Listed("2026-11-01");

  private final Instant now = Instant.now();
  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() {
    desk = new CommandDesk(folder);
  }

  private Path remember(String name, AnswerOrigin origin) throws Exception {
    var file = desk.state().resolve(name);
    try (var history = History.open(new HistoryLocation.File(file), InstantSource.fixed(now))) {
      var run = history.begin(RunStart.of("batch", "batch", origin));
      var asked = CallKey.of("anthropic/large", "model-a", "q1");
      var usage = new Usage(1_000, 200, 100, 500, new Cost(12_345));
      history.record(AttemptRecord.answered(run, asked, usage, LISTED, Duration.ofSeconds(2), now));
      history.record(
          AttemptRecord.answered(run, asked, Usage.of(30, 0), LISTED, Duration.ofSeconds(1), now)
              .ending(AttemptOutcome.THROTTLED, "requests"));
      history.record(
          AttemptRecord.answered(run, asked, Usage.of(40, 60), LISTED, Duration.ofSeconds(3), now)
              .tried(2));
      history.record(
          AttemptRecord.answered(
              run,
              CallKey.of("openai/small", "model,b", "q2"),
              Usage.of(5, 5),
              PriceBasis.UNKNOWN,
              Duration.ofMillis(100),
              now.minus(Duration.ofDays(3))));
    }
    return file;
  }

  @Test
  void what_was_asked_of_a_simulator_of_this_user_is_no_real_call() throws Exception {
    var simulators = RunningSimulators.of(desk.environment);
    try (var started = desk.provider(CommandDesk.quick())) {
      assertThat(started).isNotNull();
      desk.questions(2);
      assertThat(desk.batch().exit()).isZero();
      assertThat(desk.flyball("usage", "--format", "csv").out()).contains(",2,");

      simulators.begun(desk.simulator().uri().getPort());
      desk.questions(5);
      assertThat(desk.batch().exit()).isZero();
      assertThat(desk.flyball("usage", "--simulated", "--format", "csv").out()).contains(",3,");
      simulators.ended(desk.simulator().uri().getPort());
    }
  }

  @Test
  void without_a_history_it_says_so_and_makes_none() {
    var screen = desk.flyball("usage");
    assertThat(screen.exit()).isZero();
    assertThat(screen.out()).startsWith("no history yet in ");
    assertThat(desk.state()).doesNotExist();
  }

  @Test
  void the_history_in_the_state_folder_is_shown_by_model() throws Exception {
    remember("history.db", AnswerOrigin.REAL);
    var screen = desk.flyball("usage");
    assertThat(screen.err()).isEmpty();
    assertThat(screen.exit()).isZero();
    var lines = screen.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
    assertThat(lines.subList(1, lines.size()))
        .containsExactly(
            "model calls input output cache read cache write mean tokens max tokens mean time cost"
                + " throttled retried wasted",
            "model,b 1 5 5 0 0 10 10 100 ms – 0 0 0",
            "model-a 2 1.07k 560 200 100 643 1.80k 2 s $0.0123 1 1 30",
            "all 3 1.08k 565 200 100 485 1.80k 1.5 s $0.0123+ 1 1 30",
            "+ 1 attempt has no known price and is not in the cost");
    assertThat(screen.out()).doesNotContain("\u001b", "█");
  }

  @Test
  void json_has_exact_numbers_and_money_as_text() throws Exception {
    var file = remember("other.db", AnswerOrigin.REAL);
    var screen =
        desk.flyball(
            "usage",
            "--history",
            file.toString(),
            "--format=json",
            "--by",
            "lane,day",
            "--since=24h");
    var page = CommandDesk.JSON.readTree(screen.out());
    assertThat(page.path("by").toString()).isEqualTo("[\"lane\",\"day\"]");
    assertThat(page.path("rows")).hasSize(1);
    var row = page.path("rows").get(0);
    assertThat(row.path("lane").asText()).isEqualTo("anthropic/large");
    assertThat(row.path("day").asText()).isEqualTo(now.toString().substring(0, 10));
    assertThat(row.path("costUsd").isTextual()).isTrue();
    assertThat(row.path("costUsd").asText()).isEqualTo("0.012345");
    assertThat(row.path("calls").asLong()).isEqualTo(2);
    assertThat(row.path("attempts").asLong()).isEqualTo(3);
    assertThat(page.path("total").path("wasted").asLong()).isEqualTo(30);
  }

  @Test
  void csv_quotes_what_it_must() throws Exception {
    desk.environment.put("FLYBALL_HISTORY", remember("other.db", AnswerOrigin.REAL).toString());
    var lines = desk.flyball("usage", "--format", "csv", "--by", "model", "--by", "mode").out();
    assertThat(lines.lines().toList())
        .hasSize(3)
        .satisfies(all -> assertThat(all.get(0)).startsWith("model,mode,calls,attempts,answered,"))
        .satisfies(all -> assertThat(all.get(1)).startsWith("\"model,b\",batch,1,1,1,"))
        .satisfies(all -> assertThat(all.get(2)).startsWith("model-a,batch,2,3,2,"));
  }

  @Test
  void simulated_runs_are_shown_only_when_they_are_asked_for() throws Exception {
    remember("history.db", AnswerOrigin.SIMULATED);
    var real = desk.flyball("usage");
    assertThat(real.exit()).isZero();
    assertThat(real.out())
        .contains("no calls to a real provider")
        .contains("`--simulated` shows 4 simulated attempts");
    assertThat(desk.flyball("usage", "--simulated").out())
        .startsWith("simulated, ")
        .contains("model-a");
    assertThat(CommandDesk.JSON.readTree(desk.flyball("usage", "--format=json").out()).path("rows"))
        .isEmpty();
  }

  private void review(History history, String pr, String sha, long tokens, Cost cost, int days)
      throws Exception {
    var start =
        RunStart.of("review", "parallel", AnswerOrigin.REAL)
            .in("ours", pr)
            .asking("anthropic", "model-a", LISTED);
    var run = history.begin(start);
    var at = now.minus(Duration.ofDays(days));
    history.record(
        AttemptRecord.answered(
            run,
            CallKey.of("anthropic/large", "model-a", "q"),
            Usage.of(tokens, 0).costing(cost),
            LISTED,
            Duration.ofSeconds(2),
            at));
    history.upsert(
        run,
        new PastReview(
            new PastReview.Key("local", "ours", pr, at),
            sha,
            at,
            "approved",
            "",
            tokens,
            0,
            "parallel",
            Duration.ofSeconds(tokens / 100),
            List.of()));
    history.end(run, new RunEnding(Duration.ofSeconds(2), 0, 1, 1, 0, cost));
  }

  private void threeReviews() throws Exception {
    var file = remember("history.db", AnswerOrigin.REAL);
    try (var history = History.open(new HistoryLocation.File(file), InstantSource.fixed(now))) {
      review(history, "main..a", "s1", 9_000, new Cost(90_000), 2);
      review(history, "main..a", "s1", 1_000, new Cost(10_000), 1);
      review(history, "main..a", "s2", 2_000, new Cost(20_000), 0);
      review(history, "=b,c", "s3", 6_000, new Cost(60_000), 0);
    }
  }

  @Test
  void reviews_are_counted_once_for_each_state_of_what_they_are_of() throws Exception {
    threeReviews();
    var screen = desk.flyball("usage", "--by", "review");
    assertThat(screen.err()).isEmpty();
    var lines = screen.out().lines().map(line -> line.replaceAll(" +", " ").strip()).toList();
    assertThat(lines.subList(1, lines.size()))
        .containsExactly(
            "review reviews tokens mean tokens max tokens mean time max time cost mean cost",
            "local ours =b,c 1 6.00k 6.00k 6.00k 1 min 1 min $0.0600 $0.0600",
            "local ours main..a 2 3.00k 1.50k 2.00k 15 s 20 s $0.0300 $0.0150",
            "all 3 9.00k 3.00k 6.00k 30 s 1 min $0.0900 $0.0300");
    assertThat(desk.flyball("usage", "--by", "review", "--since", "12h").out())
        .doesNotContain("1.50k")
        .contains("all");
  }

  @Test
  void reviews_by_mode_are_beside_the_calls() throws Exception {
    threeReviews();
    var page = CommandDesk.JSON.readTree(desk.flyball("usage", "--by=mode", "--format=json").out());
    var row = page.path("rows").get(1);
    assertThat(row.path("mode").asText()).isEqualTo("parallel");
    assertThat(row.path("calls").asLong()).isEqualTo(4);
    assertThat(row.path("reviews").asLong()).isEqualTo(3);
    assertThat(row.path("meanReviewTokens").asLong()).isEqualTo(3_000);
    assertThat(row.path("maxReviewTokens").asLong()).isEqualTo(6_000);
    assertThat(row.path("meanReviewMs").asLong()).isEqualTo(30_000);
    assertThat(row.path("meanReviewCostUsd").asText()).isEqualTo("0.030000");
    assertThat(page.path("rows").get(0).path("reviews").asLong()).isZero();
    assertThat(page.path("total").path("reviews").asLong()).isEqualTo(3);
    assertThat(desk.flyball("usage", "--by", "repository").out())
        .contains("cache read")
        .containsPattern("ours +3 +9.00k +3.00k +6.00k");
    assertThat(desk.flyball("usage", "--by=review,mode", "--format=csv").out().lines())
        .containsExactly(
            "review,mode,reviews,reviewTokens,meanReviewTokens,maxReviewTokens,meanReviewMs,"
                + "maxReviewMs,reviewCostUsd,meanReviewCostUsd,unpricedReviews",
            "\"local ours =b,c\",parallel,1,6000,6000,6000,60000,60000,0.060000,0.060000,0",
            "local ours main..a,parallel,2,3000,1500,2000,15000,20000,0.030000,0.015000,0");
  }

  @Test
  void a_review_has_no_single_model() throws Exception {
    remember("history.db", AnswerOrigin.REAL);
    var screen = desk.flyball("usage", "--by", "review,model");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("--by: review can only be combined with repository and mode");
    assertThat(desk.flyball("usage", "--by", "review").out())
        .startsWith("no reviews by a real provider since ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "2026-13-01", "7 moons", ""})
  void a_time_that_nobody_understands_is_refused(String since) {
    var screen = desk.flyball("usage", "--since", since);
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .contains("write a time as 7d, 24h or 2026-11-01")
        .contains("'" + since + "'");
  }

  @Test
  void the_future_was_not_used_yet() {
    var screen = desk.flyball("usage", "--since", "2999-01-01");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("--since must be in the past, not 2999-01-01");
  }

  @Test
  void other_groups_are_refused() {
    var screen = desk.flyball("usage", "--by", "colour");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("--by: must be model, mode");
  }

  @Test
  void a_file_that_is_no_history_is_refused() throws Exception {
    var file = Files.writeString(folder.resolve("text.db"), "no database at all\n".repeat(99));
    var screen = desk.flyball("usage", "--history", file.toString());
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("no database").doesNotContain("--no-history");
  }

  @Test
  void a_password_is_not_among_what_is_in_force() {
    desk.environment.put("FLYBALL_HISTORY", "postgresql://me:hidden@db/ours");
    assertThat(desk.flyball("config").out()).contains("usage.history").doesNotContain("hidden");
  }

  @Test
  void a_terminal_sees_how_it_is_shared_and_how_it_went() {
    var rows =
        List.of(row(UsageGrouping.MODEL, "a", 750_000), row(UsageGrouping.MODEL, "b", 250_000));
    var days =
        List.of(
            row(UsageGrouping.DAY, "2026-11-13", 100_000),
            row(UsageGrouping.DAY, "2026-11-16", 900_000));
    var usages =
        new UsageSums(
            Instant.parse("2026-11-12T10:20:00Z"),
            Instant.parse("2026-11-16T12:00:00Z"),
            new LinkedHashSet<>(List.of(UsageGrouping.MODEL)),
            AnswerOrigin.REAL,
            rows,
            days,
            List.of());
    var plain = new Terminal(new PrintWriter(new StringWriter()), false, 120);
    var lines = new UsagePage(plain, UsagePage.Style.DRAWN).lines(usages);
    assertThat(lines.getFirst()).isEqualTo("2026-11-12 10:00 to 2026-11-16 12:00 UTC");
    assertThat(lines.get(1)).endsWith("share of cost");
    assertThat(lines.get(2)).endsWith("█████████░░░  75 %");
    assertThat(lines.get(4)).contains("all").doesNotContain("%");
    assertThat(lines.getLast()).isEqualTo(" ▁  █ cost per day");
    var coloured = new Terminal(new PrintWriter(new StringWriter()), true, 120);
    var shown = new StringWriter();
    new UsagePage(coloured, UsagePage.Style.DRAWN)
        .lines(usages)
        .forEach(InertWriter.before(new PrintWriter(shown))::println);
    assertThat(shown.toString()).contains("\u001b[36m█");
  }

  private static UsageRow row(UsageGrouping by, String name, long micros) {
    return new UsageRow(
        Map.of(by, name),
        1,
        1,
        0,
        0,
        Usage.of(10, 10).costing(new Cost(micros)),
        0,
        20,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        0);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 999, 1_000, 9_994, 9_996, 99_960, 999_499, 999_500, 12_345_678})
  void large_numbers_have_three_digits_and_a_letter(long count) {
    assertThat(UsagePage.brief(count))
        .matches("\\d{1,3}|\\d\\.\\d\\d[kM]|\\d\\d\\.\\d[kM]|\\d{3}[kM]");
  }
}
