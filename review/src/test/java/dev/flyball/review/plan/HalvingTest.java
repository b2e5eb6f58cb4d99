package dev.flyball.review.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

final class HalvingTest {
  private record File(String name, int size, int version) {}

  private static Predicate<List<File>> within(int most) {
    return run -> run.stream().mapToInt(File::size).sum() <= most;
  }

  private static List<List<File>> cut(List<File> files, int most) {
    return Halving.of(files, File::name, within(most));
  }

  private static List<File> files(Random random, int count, int largest) {
    var files = new ArrayList<File>();
    for (int i = 0; i < count; i++) {
      files.add(
          new File("src/p%02d/File%03d.java".formatted(i / 7, i), 1 + random.nextInt(largest), 1));
    }
    return files;
  }

  @Test
  void runs_are_in_order_and_each_fits() {
    var random = new Random(3);
    for (int i = 0; i < 500; i++) {
      var files = files(random, 1 + random.nextInt(80), 900);
      var runs = cut(files, 1_000);
      assertThat(runs.stream().flatMap(List::stream).toList()).isEqualTo(files);
      assertThat(runs).allMatch(run -> run.size() == 1 || within(1_000).test(run));
    }
  }

  @Test
  void nothing_is_no_run_and_what_is_too_large_is_one_of_its_own() {
    assertThat(cut(List.of(), 10)).isEmpty();
    assertThat(cut(List.of(new File("a", 50, 1)), 10)).hasSize(1);
  }

  @Test
  void what_fits_is_not_cut() {
    assertThat(cut(files(new Random(1), 55, 10), 1_000)).hasSize(1);
  }

  /** Seed: batches crossed the borders of folders. */
  @Test
  void folders_are_kept_together_where_that_is_possible() {
    var files = new ArrayList<File>();
    for (int i = 0; i < 4; i++) {
      files.add(new File("a/x/f" + i, 10, 1));
    }
    for (int i = 0; i < 5; i++) {
      files.add(new File("b/y/f" + i, 10, 1));
    }
    assertThat(cut(files, 50)).containsExactly(files.subList(0, 4), files.subList(4, 9));
  }

  /** One changed file of 55 makes at most two units of a lens others than they were. */
  @Test
  void a_file_that_changes_makes_at_most_two_runs_new() {
    for (int seed = 0; seed < 40; seed++) {
      var random = new Random(seed);
      var files = files(random, 55, 400);
      var before = new HashSet<>(cut(files, 2_000));
      for (int i = 0; i < files.size(); i++) {
        var changed = new ArrayList<>(files);
        var old = files.get(i);
        int size = Math.max(1, old.size() + random.nextInt(401) - 200);
        changed.set(i, new File(old.name(), size, 2));
        var runs = new ArrayList<>(cut(changed, 2_000));
        runs.removeIf(before::contains);
        assertThat(runs).as("seed %d, file %d", seed, i).hasSizeLessThanOrEqualTo(2);
      }
    }
  }

  @Test
  void a_new_file_moves_little() {
    int moved = 0;
    int all = 0;
    for (int seed = 0; seed < 40; seed++) {
      var random = new Random(seed);
      var files = files(random, 55, 400);
      var before = new HashSet<>(cut(files, 2_000));
      var more = new ArrayList<>(files);
      int at = random.nextInt(55);
      more.add(at, new File(files.get(at).name() + "x", 200, 1));
      var runs = new ArrayList<>(cut(more, 2_000));
      all += runs.size();
      runs.removeIf(before::contains);
      moved += runs.size();
    }
    assertThat((double) moved / all).isLessThan(0.35);
  }
}
