package dev.flyball.review.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lenses;
import dev.flyball.review.plan.BudgetShares.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BudgetSharesTest {
  /** Seed: shares summed to everything and left nothing for the reserve that the text promised. */
  @Test
  void the_reserve_is_kept_back_before_anything_is_shared() {
    assertThat(BudgetShares.usable(100_000, 20)).isEqualTo(80_000);
    assertThat(BudgetShares.usable(100_000, 0)).isEqualTo(100_000);
    assertThat(BudgetShares.usable(7, 20)).isEqualTo(5);
    int all = Lenses.ours().of(Lens.SubjectKind.CHANGE).stream().mapToInt(Lens::share).sum();
    assertThat(all + Lenses.SYNTHESIS).isEqualTo(100);
  }

  @Test
  void what_one_does_not_need_passes_down() {
    var security = new Group("security", true, 50, 10_000);
    var style = new Group("style", false, 50, 80_000);
    var shares = BudgetShares.of(100_000, List.of(security, style));
    assertThat(shares.granted()).containsEntry(security, 10_000L).containsEntry(style, 80_000L);
    assertThat(shares.dropped()).isEmpty();
  }

  @Test
  void the_least_important_goes_first() {
    var security = new Group("security", true, 25, 40_000);
    var tests = new Group("tests", false, 15, 40_000);
    var style = new Group("style", false, 5, 40_000);
    var shares = BudgetShares.of(80_000, List.of(security, tests, style));
    assertThat(shares.dropped()).containsExactly(style);
    assertThat(shares.granted()).containsEntry(security, 40_000L).containsEntry(tests, 40_000L);
  }

  @Test
  void what_a_review_cannot_do_without_is_cut_and_never_dropped() {
    var security = new Group("security", true, 25, 90_000);
    var correctness = new Group("correctness", true, 25, 90_000);
    var style = new Group("style", false, 50, 10);
    var shares = BudgetShares.of(80_000, List.of(security, correctness, style));
    assertThat(shares.dropped()).containsExactly(style);
    assertThat(shares.granted())
        .containsEntry(security, 40_000L)
        .containsEntry(correctness, 40_000L);
  }

  @Test
  void no_more_is_granted_than_there_is_or_than_is_needed() {
    var random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      var groups = new ArrayList<Group>();
      for (int j = random.nextInt(8); j >= 0; j--) {
        groups.add(
            new Group(
                "lens" + j, random.nextBoolean(), random.nextInt(40), random.nextInt(50_000)));
      }
      long usable = random.nextInt(200_000);
      var shares = BudgetShares.of(usable, groups);
      long sum = shares.granted().values().stream().mapToLong(Long::longValue).sum();
      assertThat(sum).isLessThanOrEqualTo(usable);
      shares.granted().forEach((group, tokens) -> assertThat(tokens).isBetween(0L, group.need()));
      assertThat(shares.dropped()).noneMatch(Group::required);
      assertThat(shares.granted().size() + shares.dropped().size()).isEqualTo(groups.size());
      boolean cut =
          shares.granted().entrySet().stream().anyMatch(e -> e.getValue() < e.getKey().need());
      if (cut) {
        assertThat(shares.granted().keySet()).allMatch(Group::required);
        assertThat(sum).isEqualTo(usable);
      }
    }
  }
}
