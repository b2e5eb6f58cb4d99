package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunStart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A history that is found in a folder: somebody's own from before, or a stranger's trap. */
class OldHistoryAttackTest {
  private static final PriceBasis LISTED = new PriceBasis.Listed("v1");
  private static final String OLD = ".flyball/history.db";

  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() throws Exception {
    desk = new CommandDesk(Files.createDirectory(folder.resolve("here")));
    var now = Instant.now();
    var old = new HistoryLocation.File(desk.file(OLD));
    try (var history = History.open(old, InstantSource.fixed(now))) {
      var run = history.begin(RunStart.of("batch", "batch", AnswerOrigin.REAL));
      var asked = CallKey.of("anthropic/large", "model-\u001b[2Ja", "q1");
      var usage = new Usage(1_000, 200, 100, 500, new Cost(12_345));
      history.record(AttemptRecord.answered(run, asked, usage, LISTED, Duration.ofSeconds(2), now));
      history.record(
          AttemptRecord.answered(run, asked, Usage.of(30, 0), LISTED, Duration.ofSeconds(1), now)
              .ending(AttemptOutcome.THROTTLED, "requests"));
      history.record(
          AttemptRecord.answered(
                  run, asked, Usage.of(40, 60), PriceBasis.UNKNOWN, Duration.ofSeconds(3), now)
              .tried(2));
    }
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private CommandDesk.Screen copy() {
    return desk.flyball("usage", "--import", OLD);
  }

  private void change(String sql) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + desk.file(OLD));
        var statement = connection.createStatement()) {
      for (var each : sql.split(";;", -1)) {
        statement.execute(each);
      }
    }
  }

  @Test
  void whoever_has_an_old_folder_is_told_once_what_to_do() throws Exception {
    desk.write("in.jsonl", CommandDesk.openAi("a", "m", "hello"));
    var quiet =
        desk.flyball("batch", "in.jsonl", "--provider=simulated", "--progress=json", "--dry-run");
    assertThat(quiet.out() + quiet.err()).doesNotContain("--import");
    assertThat(desk.flyball("review", ".", "--no-history").err()).doesNotContain("--import");
    var told = desk.flyball("review", ".");
    assertThat(told.err())
        .contains(desk.state().toString(), "flyball usage --import .flyball/history.db");
    assertThat(told.out()).doesNotContain("--import");
    assertThat(desk.flyball("review", ".").err()).doesNotContain("--import");
    assertThat(desk.flyball("usage").err()).doesNotContain("--import");
  }

  @Test
  void a_history_is_carried_over_once_and_its_sums_are_the_same() throws Exception {
    var before = desk.flyball("usage", "--history", OLD, "--format=json");
    var kept = Files.readAllBytes(desk.file(OLD));

    var screen = copy();

    assertThat(screen.err()).isEmpty();
    assertThat(screen.exit()).isZero();
    assertThat(screen.out()).contains("1 runs with 3 attempts, 0 reviews");
    assertThat(copy().out()).contains("0 runs with 0 attempts, 0 reviews");
    assertThat(Files.readAllBytes(desk.file(OLD))).isEqualTo(kept);
    var rows = CommandDesk.JSON.readTree(before.out()).path("rows");
    var now = CommandDesk.JSON.readTree(desk.flyball("usage", "--format=json").out()).path("rows");
    assertThat(now.toString()).isEqualTo(rows.toString().replace("\\u001B", "?"));
    assertThat(now.get(0).path("attempts").asInt()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update calls set input = 'many'",
        "update calls set latency = -1",
        "update runs set id = x'00ff'",
        "alter table calls add column more text",
        "alter table calls rename to other;;create view calls as select * from other",
        "alter table waits rename to other;;create table waits (run, call, waited_for,"
            + " millis generated always as (1) virtual)",
        "drop table findings"
      })
  void a_trap_is_refused_and_nothing_of_it_is_taken(String sql) throws Exception {
    change("pragma writable_schema=off;;" + sql);

    var screen = copy();

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .startsWith("flyball usage: nothing was copied from ")
        .doesNotContain("\u001b", "\tat ");
    assertThat(desk.flyball("usage").out()).contains("no calls since");
  }

  @Test
  void triggers_of_a_foreign_history_do_not_run() throws Exception {
    change(
        """
        create trigger t1 before insert on runs begin select raise(abort, 'GOTCHA'); end;;
        create trigger t2 after update on calls begin delete from runs; end\
        """);
    assertThat(copy().out()).contains("1 runs with 3 attempts");
  }

  @Test
  void garbage_links_and_what_is_not_there_are_refused_without_their_words() throws Exception {
    Files.writeString(desk.file("garbage.db"), "\u001b[2J::error::GOTCHA");
    Files.createSymbolicLink(desk.file("link.db"), desk.file(OLD));
    for (var name : new String[] {"garbage.db", "link.db", "nowhere.db", ".flyball"}) {
      var screen = desk.flyball("usage", "--import", name);
      assertThat(screen.exit()).as(name).isEqualTo(2);
      assertThat(screen.err()).contains(name).doesNotContain("GOTCHA", "\u001b", "\tat ");
    }
  }

  @Test
  void a_projects_file_cannot_bring_a_history_in() throws Exception {
    desk.put("flyball.yaml", "usage:\n  import: " + OLD + "\n");
    var screen = desk.flyball("usage");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("import");
  }
}
