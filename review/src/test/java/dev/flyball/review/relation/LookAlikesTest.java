package dev.flyball.review.relation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.flyball.review.relation.LookAlikes.Pair;
import dev.flyball.review.relation.LookAlikes.Stretch;
import dev.flyball.review.symbol.CodeSketch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which stretches look alike, of sketches that are drawn from a seed. */
@Timeout(120)
final class LookAlikesTest {
  @Test
  void a_hundred_thousand_equal_stretches_are_a_chain_and_each_has_partners() {
    var sketch = sketch(new Random(1));
    var pairs =
        LookAlikes.of(
            IntStream.range(0, 100_000)
                .mapToObj(i -> stretch("src/%06d.java".formatted(i), sketch))
                .toList(),
            0.7);
    var partners = partners(pairs);
    assertThat(pairs.size()).isLessThanOrEqualTo(100_000 * LookAlikes.PARTNERS / 2);
    assertThat(partners).hasSize(100_000);
    assertThat(partners.values()).allMatch(count -> count <= LookAlikes.PARTNERS);
    assertThat(pairs).allMatch(pair -> pair.alike() == 1);
  }

  @Test
  void twenty_thousand_stretches_that_agree_on_nearly_all_numbers_take_no_square_of_them() {
    var random = new Random(2);
    var sketch = sketch(random);
    var pairs =
        LookAlikes.of(
            IntStream.range(0, 20_000)
                .mapToObj(i -> stretch("%05d.c".formatted(i), changed(sketch, 6, random)))
                .toList(),
            0.7);
    assertThat(partners(pairs).values()).allMatch(count -> count <= LookAlikes.PARTNERS);
    assertThat(partners(pairs)).hasSizeGreaterThan(19_900);
  }

  @Test
  void of_fifty_thousand_at_random_the_planted_pairs_are_found_and_nothing_else() {
    var random = new Random(3);
    var stretches = new ArrayList<Stretch>();
    int planted = 5_000;
    for (int i = 0; i < planted; i++) {
      var sketch = sketch(random);
      stretches.add(stretch("a/%05d.go".formatted(i), sketch));
      stretches.add(stretch("b/%05d.go".formatted(i), changed(sketch, 19, random)));
    }
    for (int i = stretches.size(); i < 50_000; i++) {
      stretches.add(stretch("c/%05d.go".formatted(i), sketch(random)));
    }
    Collections.shuffle(stretches, random);
    var pairs = LookAlikes.of(stretches, 0.7);
    assertThat(pairs)
        .hasSizeBetween(planted * 99 / 100, planted)
        .allMatch(pair -> pair.one().path().substring(2).equals(pair.other().path().substring(2)))
        .allMatch(pair -> pair.alike() == 45.0 / 64);
  }

  @Test
  void pairs_are_found_at_every_threshold_in_more_than_99_of_100_cases() {
    for (int unlike : new int[] {0, 3, 6, 13, 19, 26, 32, 45}) {
      var random = new Random(unlike);
      var stretches = new ArrayList<Stretch>();
      for (int i = 0; i < 1_000; i++) {
        var sketch = sketch(random);
        stretches.add(stretch("a/%d".formatted(i), sketch));
        stretches.add(stretch("b/%d".formatted(i), changed(sketch, unlike, random)));
      }
      assertThat(LookAlikes.of(stretches, (64.0 - unlike) / 64))
          .as("%d of 64 numbers differ", unlike)
          .hasSizeBetween(990, 1_000);
    }
  }

  @Test
  void the_order_of_the_input_does_not_matter() {
    for (long seed = 0; seed < 20; seed++) {
      var random = new Random(seed);
      var stretches = new ArrayList<Stretch>();
      while (stretches.size() < 300) {
        var sketch = sketch(random);
        for (int copy = random.nextInt(40); copy >= 0; copy--) {
          stretches.add(
              new Stretch(
                  "f" + random.nextInt(20),
                  "g" + random.nextInt(3),
                  1 + random.nextInt(50),
                  60 + random.nextInt(50),
                  changed(sketch, random.nextInt(20), random)));
        }
      }
      var pairs = LookAlikes.of(stretches, 0.7);
      Collections.shuffle(stretches, random);
      assertThat(LookAlikes.of(stretches, 0.7)).as("seed %d", seed).isEqualTo(pairs);
      assertThat(pairs)
          .as("seed %d", seed)
          .isNotEmpty()
          .allMatch(pair -> pair.alike() >= 0.7)
          .isSortedAccordingTo((one, other) -> Double.compare(other.alike(), one.alike()));
      assertThat(partners(pairs).values()).allMatch(count -> count <= LookAlikes.PARTNERS);
    }
  }

  @Test
  void of_equals_the_first_by_path_and_line_comes_first() {
    var sketch = sketch(new Random(4));
    var late = new Stretch("a", "late", 10, 19, sketch);
    var early = new Stretch("a", "early", 2, 9, sketch);
    var far = new Stretch("b", "far", 1, 9, sketch);
    assertThat(LookAlikes.of(List.of(far, late, early), 1))
        .containsExactly(new Pair(early, late, 1), new Pair(early, far, 1), new Pair(late, far, 1));
  }

  @Test
  void a_stretch_and_what_it_contains_are_no_pair() {
    var sketch = sketch(new Random(5));
    var outer = new Stretch("a", "outer", 1, 20, sketch);
    var inner = new Stretch("a", "inner", 3, 20, sketch);
    assertThat(LookAlikes.of(List.of(outer, inner, outer), 0.7)).isEmpty();
    assertThat(LookAlikes.of(List.of(outer, new Stretch("b", "inner", 3, 20, sketch)), 0.7))
        .hasSize(1);
    assertThat(LookAlikes.of(List.of(inner, new Stretch("a", "across", 10, 30, sketch)), 0.7))
        .hasSize(1);
  }

  @Test
  void what_is_less_alike_than_asked_is_no_pair() {
    var random = new Random(6);
    var sketch = sketch(random);
    var stretches = List.of(stretch("a", sketch), stretch("b", changed(sketch, 20, random)));
    assertThat(LookAlikes.of(stretches, 0.7)).isEmpty();
    assertThat(LookAlikes.of(List.of(), 0.7)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LookAlikes.of(stretches, Double.NaN))
        .withMessage("what looks alike is so by more than 0 and up to 1, but it was NaN");
  }

  private static Stretch stretch(String path, CodeSketch sketch) {
    return new Stretch(path, "f", 1, 20, sketch);
  }

  private static CodeSketch sketch(Random random) {
    return CodeSketch.of(random.ints(64, 0, Integer.MAX_VALUE).toArray());
  }

  private static CodeSketch changed(CodeSketch sketch, int howMany, Random random) {
    var numbers = sketch.numbers();
    var places = new ArrayList<>(IntStream.range(0, 64).boxed().toList());
    Collections.shuffle(places, random);
    places.subList(0, howMany).forEach(place -> numbers[place] ^= 1 + random.nextInt(1 << 20));
    return CodeSketch.of(numbers);
  }

  private static Map<Stretch, Integer> partners(List<Pair> pairs) {
    Map<Stretch, Integer> partners = new HashMap<>();
    for (var pair : pairs) {
      partners.merge(pair.one(), 1, Integer::sum);
      partners.merge(pair.other(), 1, Integer::sum);
    }
    return partners;
  }
}
