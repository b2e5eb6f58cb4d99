package dev.flyball.bench.limiters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.bench.limiters.TapRecord.Exchange;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunTallyTest {
  private static Exchange exchange(int call, double sent, double ended, int status) {
    return new Exchange(call, nanos(sent), nanos(ended), status);
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }

  private static RunTally tally(int calls, double end, boolean stopped, Exchange... exchanges) {
    return RunTally.of(List.of(exchanges), calls, nanos(end), stopped);
  }

  @Test
  void a_run_lasts_from_its_first_request_to_its_last_answer() {
    var tally =
        tally(
            2,
            99,
            false,
            exchange(0, 5, 5.2, 200),
            exchange(1, 5.1, 5.15, 429),
            exchange(1, 8, 8.5, 200));

    assertThat(tally).isEqualTo(new RunTally(3.5, 1, 0, 2.85, 0, 0, 2, false));
  }

  @Test
  void time_in_which_everything_left_is_under_way_is_no_silence() {
    var tally = tally(2, 99, false, exchange(0, 0, 15, 200), exchange(1, 1, 15.5, 200));

    assertThat(tally.silence()).isEqualTo(1);
  }

  @Test
  void silence_begins_again_when_a_call_comes_back_refused() {
    var tally =
        tally(
            2,
            99,
            false,
            exchange(0, 0, 1, 200),
            exchange(1, 0, 10, 503),
            exchange(1, 12, 13, 200));

    assertThat(tally.silence()).isEqualTo(2);
  }

  @Test
  void a_run_that_was_stopped_has_been_silent_to_its_end() {
    var tally = tally(3, 60, true, exchange(0, 0, 1, 200), exchange(1, 2, 3, 403));

    assertThat(tally).isEqualTo(new RunTally(60, 1, 0, 58, 2, 0, 1, true));
  }

  @Test
  void a_call_that_is_answered_twice_is_seen() {
    var tally =
        tally(
            2,
            9,
            false,
            exchange(0, 0, 1, 200),
            exchange(0, 1, 2, 200),
            exchange(1, 1, 3, 200),
            exchange(1, 2, 2.5, TapRecord.CUT));

    assertThat(tally.twice()).isEqualTo(1);
    assertThat(tally.others()).isEqualTo(1);
    assertThat(tally.unanswered()).isZero();
  }

  @Test
  void an_answer_that_the_client_does_not_have_is_lost() {
    var tally = tally(2, 9, false, exchange(0, 0, 1, 200), exchange(1, 0, 1, 200));

    assertThat(tally.having(1, 2).unanswered()).isEqualTo(1);
  }
}
