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

  private static boolean isBound(UnstatedCase test) {
    // A burst of one under jitter, and a penalty: the first refusal alone costs more than a tenth.
    return test.name().endsWith("burst 1") || test.name().contains("shut");
  }

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
    var fair = cells.stream().filter(cell -> !isBound(cell.test())).toList();
    long near = fair.stream().filter(cell -> cell.ratio() <= 1.105).count();
    assertThat(near).as("of %s", fair.size()).isGreaterThanOrEqualTo(fair.size() * 88 / 100);
    assertThat(fair)
        .allSatisfy(cell -> assertThat(cell.ratio()).as(cell.toString()).isLessThan(1.6));
    assertThat(cells)
        .allSatisfy(cell -> assertThat(cell.refused()).as(cell.toString()).isLessThan(60));
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
    var cells = cells(UnstatedCase.unseen(), Refusal.BARE, false);
    assertThat(cells).allMatch(UnstatedTable.Cell::allAnswered);
    assertThat(cells.stream().filter(cell -> cell.ratio() <= 1.3).count())
        .isGreaterThanOrEqualTo(cells.size() * 80 / 100);
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
