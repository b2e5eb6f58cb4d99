package dev.flyball.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What comes after all other calls. */
class FollowUpTest {
  private static final FollowUp USUAL = new FollowUp(1, 3_000, 250);

  private static List<FollowUp.Past> runs(int with, int without) {
    var runs = new ArrayList<FollowUp.Past>();
    runs.addAll(Collections.nCopies(with, new FollowUp.Past(3, 1, 900, 40)));
    runs.addAll(Collections.nCopies(without, new FollowUp.Past(3, 0, 0, 0)));
    return runs;
  }

  @Test
  void four_runs_are_too_few() {
    assertThat(FollowUp.of(runs(2, 2), 3, 8, USUAL)).isEqualTo(USUAL);
  }

  @Test
  void what_half_of_the_runs_had_is_half_expected() {
    var follows = FollowUp.of(runs(5, 5), 3, 8, USUAL);
    assertThat(follows.calls()).isCloseTo(0.5, within(0.05));
    assertThat(follows.input()).isEqualTo(900);
    assertThat(follows.output()).isEqualTo(40);
  }

  @Test
  void what_no_run_had_is_hardly_expected() {
    assertThat(FollowUp.of(runs(0, 10), 3, 8, USUAL).calls()).isBetween(0.01, 0.1);
  }

  @Test
  void what_all_runs_had_is_expected() {
    assertThat(FollowUp.of(runs(20, 0), 3, 8, USUAL).calls()).isBetween(0.9, 1.5);
  }

  @Test
  void a_larger_run_is_more_likely_to_have_it_and_has_many_things_in_one_call() {
    double large = FollowUp.of(runs(5, 5), 30, 8, USUAL).calls();
    assertThat(large).isBetween(1.0, 2.5);
    double huge = FollowUp.of(runs(5, 5), 300, 8, USUAL).calls();
    assertThat(huge).isBetween(7.0, 12.0);
  }

  @Test
  void runs_that_had_many_have_as_many_again() {
    var many = Collections.nCopies(5, new FollowUp.Past(100, 10, 9_000, 400));
    assertThat(FollowUp.of(many, 100, 8, USUAL).calls()).isCloseTo(10, within(1.0));
    assertThat(FollowUp.of(many, 50, 8, USUAL).calls()).isCloseTo(5, within(1.0));
  }

  @Test
  void less_than_nothing_is_refused() {
    assertThatThrownBy(() -> new FollowUp(-1, 0, 0)).hasMessageContaining("at least 0");
  }
}
