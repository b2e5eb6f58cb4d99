package dev.flyball.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.LearnedLimits;
import dev.flyball.worlds.UnstatedWorld.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits that nobody states. The whole table, over more seeds, is a program of the bench. */
class UnstatedTest {
  private static final List<Long> SEEDS = List.of(0L, 2L, 3L);

  private static List<UnstatedTable.Cell> cells(
      List<UnstatedCase> cases, Refusal refusal, boolean remembering) {
    var cells = new ArrayList<UnstatedTable.Cell>();
    for (var test : cases) {
      for (double latency : UnstatedCase.LATENCIES) {
        cells.add(UnstatedTable.cell(test, latency, refusal, remembering, SEEDS));
      }
    }
    return cells;
  }

  @Test
  void whoever_is_told_nothing_is_nearly_as_fast_as_one_who_knows() {
    var cells = cells(UnstatedCase.usual(), Refusal.BARE, false);
    assertThat(cells).allMatch(UnstatedTable.Cell::allAnswered);
    var fair = cells.stream().filter(cell -> !cell.test().isBound()).toList();
    long near = fair.stream().filter(cell -> cell.ratio() <= 1.105).count();
    assertThat(near).as("of %s", fair.size()).isGreaterThanOrEqualTo(fair.size() * 93 / 100);
    assertThat(fair)
        .allSatisfy(cell -> assertThat(cell.ratio()).as(cell.toString()).isLessThan(1.25));
    assertThat(cells)
        .allSatisfy(cell -> assertThat(cell.refused()).as(cell.toString()).isLessThan(50));
  }

  @Test
  void a_limiter_that_calls_itself_too_busy_is_found_out_like_any_other() {
    var cells = cells(UnstatedCase.usual(), Refusal.UNAVAILABLE, false);
    assertThat(cells).allMatch(UnstatedTable.Cell::allAnswered);
    var fair = cells.stream().filter(cell -> !cell.test().isBound()).toList();
    long near = fair.stream().filter(cell -> cell.ratio() <= 1.105).count();
    assertThat(near).as("of %s", fair.size()).isGreaterThanOrEqualTo(fair.size() * 93 / 100);
    assertThat(fair)
        .allSatisfy(cell -> assertThat(cell.ratio()).as(cell.toString()).isLessThan(1.25));
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void however_it_says_no_everything_is_answered(Refusal refusal) {
    for (boolean remembering : new boolean[] {false, true}) {
      for (var test : UnstatedCase.brief()) {
        var cell = UnstatedTable.cell(test, 0.2, refusal, remembering, List.of(2L));
        assertThat(cell.allAnswered()).as(cell.toString()).isTrue();
      }
    }
  }

  @Test
  void limiters_that_no_gauge_was_made_for_are_found_out_too() {
    var cells = cells(UnstatedCase.odd(), Refusal.BARE, false);
    assertThat(cells).allMatch(UnstatedTable.Cell::allAnswered);
    assertThat(cells.stream().filter(cell -> cell.ratio() <= 1.105).count())
        .isGreaterThanOrEqualTo(cells.size() * 75 / 100);
  }

  /** Its length is nearly known then: three probes that were early are no reason to be late. */
  @Test
  void the_second_window_of_a_length_that_nobody_chooses_ends_in_time() {
    var window = UnstatedCase.odder().get(4);
    assertThat(window.name()).isEqualTo("fixed 120 in 40 s");
    var run = UnstatedWorld.run(window, 0.2, Refusal.BARE, 0, LearnedLimits.NONE);
    assertThat(run.ratio()).isLessThan(1.1);
  }

  /** Refusals that lay waiting meanwhile were taken for calls let in, until they were heard. */
  @Test
  void a_machine_that_stands_still_learns_nothing_wrong() {
    for (var test : UnstatedCase.usual().subList(0, 9)) {
      for (double from : new double[] {0.5, 1.05, 6, 12.3}) {
        var stalled = UnstatedWorld.stalled(test, 0.2, 3, from);
        var usual = UnstatedWorld.run(test, 0.2, Refusal.BARE, 3, LearnedLimits.NONE);
        assertThat(stalled.answered()).isEqualTo(usual.answered());
        assertThat(stalled.seconds() - usual.seconds())
            .as("%s, still from %s s", test.name(), from)
            .isLessThan(3 + 0.1 * usual.seconds());
        assertThat(stalled.refused() - usual.refused())
            .as("%s, still from %s s", test.name(), from)
            .isLessThan(15);
      }
    }
  }

  /** The window began when the first call arrived, and not when it was sent. */
  @Test
  void a_window_is_found_though_the_first_connection_takes_a_while() {
    var window = UnstatedCase.brief().get(4);
    assertThat(window.name()).isEqualTo("brief fixed 100 in 10 s");
    for (long seed : new long[] {0, 1}) {
      for (double seconds : new double[] {0.1, 0.3, 0.6}) {
        var run = UnstatedWorld.connecting(window, 0.2, seed, seconds);
        assertThat(run.ratio()).as("%s after %s s", seed, seconds).isLessThan(1.16);
      }
    }
  }

  /** A few gauges doubt every call, and always the same ones. */
  @Test
  void a_remembered_limit_of_hundreds_a_second_is_not_approached_step_by_step() {
    for (var test : UnstatedCase.fast()) {
      var cell = UnstatedTable.cell(test, 0.02, Refusal.BARE, true, List.of(2L));
      assertThat(cell.ratio()).as(cell.toString()).isLessThan(1.25);
    }
  }

  /** Its rate lies between two of the grid, of which one drifts over the line again and again. */
  @Test
  void a_rate_between_two_of_the_grid_is_found() {
    var bucket = UnstatedCase.odd().getFirst();
    assertThat(bucket.name()).isEqualTo("bucket 17/s, burst 4");
    for (double latency : new double[] {0.2, 2}) {
      var cell =
          UnstatedTable.cell(bucket, latency, Refusal.BARE, true, List.of(0L, 2L, 3L, 4L, 5L));
      assertThat(cell.refused()).as(cell.toString()).isLessThan(8);
    }
  }

  @Test
  void what_was_felt_spares_the_next_run_most_of_its_refusals() {
    var bucket = UnstatedCase.usual().getFirst();
    var first = UnstatedWorld.run(bucket, 0.2, Refusal.BARE, 5, LearnedLimits.NONE);
    var second = UnstatedWorld.run(bucket, 0.2, Refusal.BARE, 5, first.learned());
    assertThat(second.refused()).isLessThanOrEqualTo(5).isLessThan(first.refused());
    assertThat(second.ratio()).isLessThanOrEqualTo(1.05);
  }
}
