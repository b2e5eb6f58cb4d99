package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Dimension;
import dev.flyball.call.Reply;
import dev.flyball.cli.demo.DemoAccount;
import dev.flyball.cli.demo.DemoScreen;
import dev.flyball.cli.demo.DemoTrack;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.llm.HttpConnections;
import dev.flyball.llm.Timeouts;
import dev.flyball.scheduler.Time;
import dev.flyball.simulator.provider.Stats;
import dev.flyball.simulator.provider.TokenTotals;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DemoTest {
  private static String words(String text) {
    return text.replaceAll(" +", " ");
  }

  @Test
  void both_sides_run_and_the_end_compares_them() {
    StringWriter out = new StringWriter();

    int exit =
        Main.run(new PrintWriter(out, true), new PrintWriter(out, true), "demo", "--speed", "20");

    assertThat(exit).isZero();
    assertThat(out.toString()).doesNotContain("\u001b");
    var lines = words(out.toString()).lines().toList();
    assertThat(lines.getFirst())
        .isEqualTo("The same 120 calls, twice, at the same time, to two accounts");
    assertThat(lines).contains(" pool of 20 + backoff Flyball");
    assertThat(lines).anyMatch(line -> line.matches("lost answers \\d+ 0"));
    assertThat(lines)
        .anyMatch(line -> line.matches("time vs. optimum .* \\d+\\.\\d\\d \\d+\\.\\d\\d"));
  }

  @Test
  void an_impossible_speed_is_refused() {
    StringWriter err = new StringWriter();

    int exit =
        Main.run(
            new PrintWriter(new StringWriter()), new PrintWriter(err, true), "demo", "--speed=0");

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString()).startsWith("flyball demo: --speed: must be from 1 to 50, not 0");
  }

  @Test
  void a_provider_charges_what_the_least_time_supposes() throws Exception {
    var account = new DemoAccount(50);
    var time = Time.system();
    try (var http = HttpConnections.of(Timeouts.USUAL, time::wall, Map.of());
        var track = new DemoTrack(account, http, time)) {
      for (int call = 0; call < 8; call++) {
        assertThat(track.attempt(call)).isInstanceOf(Reply.Answered.class);
      }

      var stats = track.standing().stats();
      assertThat(stats.inputTokens()).isEqualTo(sum(account, Dimension.INPUT_TOKENS));
      assertThat(stats.outputTokens()).isEqualTo(sum(account, Dimension.OUTPUT_TOKENS));
    }
  }

  private static long sum(DemoAccount account, Dimension dimension) {
    return IntStream.range(0, 8)
        .mapToLong(call -> account.demand(call).amounts().getOrDefault(dimension, 0L))
        .sum();
  }

  @Test
  void the_least_possible_time_of_the_usual_account_is_less_than_half_a_minute() {
    assertThat(new DemoAccount(1).least(DemoAccount.CALLS))
        .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
  }

  @Test
  void the_screen_shows_what_could_be_done_by_now() {
    var terminal = new Terminal(new PrintWriter(new StringWriter()), false, 80);
    var screen = new DemoScreen(terminal, new DemoAccount(1));
    var pool = side(10, 25, 3, false);
    var flyball = side(60, 0, 0, false);

    var picture = screen.picture(pool, 12, flyball, Optional.empty());

    picture = picture.subList(screen.title().size(), picture.size());
    assertThat(picture.getFirst()).startsWith("optimum").contains("%");
    assertThat(words(picture.get(3))).isEqualTo(" 429s: 25, lost: 3, 12 of 20 workers pausing");
    assertThat(picture.get(5)).startsWith("Flyball").contains(" 50 %");
    assertThat(picture).allMatch(line -> line.length() < 80);
    assertThat(words(screen.line(pool, flyball)).strip())
        .isEqualTo(
            "20.0 s pool of 20 + backoff: 10 of 120, 25 429s, 3 lost; Flyball: 60 of 120, 0 429s, 0"
                + " lost");
  }

  @Test
  void what_was_turned_away_was_sent_in_vain() {
    var terminal = new Terminal(new PrintWriter(new StringWriter()), false, 80);
    var screen = new DemoScreen(terminal, new DemoAccount(1));

    List<String> end = screen.end(side(117, 25, 3, true), side(120, 0, 0, true));

    assertThat(end.stream().map(DemoTest::words))
        .contains("time 20.0 s 20.0 s", "429s 25 0", "failed requests 25 0", "lost answers 3 0");
  }

  private static DemoScreen.Side side(long answered, long throttled, int lost, boolean over) {
    var stats =
        new Stats(
            0,
            answered + throttled,
            0,
            answered,
            answered,
            0,
            0,
            20,
            new TokenTotals(0, 0, 0, 0),
            Map.of("requests", throttled),
            Map.of());
    return new DemoScreen.Side(
        new DemoTrack.Standing(Duration.ofSeconds(20), stats, 17, over), lost);
  }
}
