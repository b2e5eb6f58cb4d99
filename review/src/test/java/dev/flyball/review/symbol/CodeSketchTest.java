package dev.flyball.review.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a stretch looks like, of streams of tokens that are drawn from a seed. */
final class CodeSketchTest {
  private static final int SEEDS = 100;

  @Test
  void equal_streams_are_wholly_alike() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var tokens = tokens(new SplittableRandom(seed), 40, 400);
      assertThat(sketch(tokens)).as("seed %d", seed).isEqualTo(sketch(List.copyOf(tokens)));
      assertThat(sketch(tokens).alike(sketch(tokens))).as("seed %d", seed).isEqualTo(1);
    }
  }

  @Test
  void streams_are_as_alike_as_their_runs_of_five() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var random = new SplittableRandom(seed);
      var shared = tokens(random, 40, 400);
      var one = with(shared, tokens(random, 0, 300));
      var other = with(shared, tokens(random, 0, 300));
      assertThat(sketch(one).alike(sketch(other)))
          .as("seed %d", seed)
          .isCloseTo(jaccard(one, other), within(0.2))
          .isEqualTo(sketch(other).alike(sketch(one)));
    }
  }

  @Test
  void streams_without_a_common_run_are_not_alike() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var random = new SplittableRandom(seed);
      var one = tokens(random, 40, 400).stream().map(token -> token + "a").toList();
      var other = tokens(random, 40, 400).stream().map(token -> token + "b").toList();
      assertThat(sketch(one).alike(sketch(other))).as("seed %d", seed).isLessThan(0.05);
    }
  }

  @Test
  void drawings_made_one_after_the_other_or_by_turns_come_out_the_same() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var random = new SplittableRandom(seed);
      var one = tokens(random, 40, 200);
      var other = tokens(random, 40, 200);
      var first = new CodeSketch.Drawing();
      var second = new CodeSketch.Drawing();
      for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
        if (i < other.size()) {
          second.add(other.get(i));
        }
        if (i < one.size()) {
          first.add(one.get(i));
        }
      }
      assertThat(first.drawn()).as("seed %d", seed).contains(sketch(one));
      assertThat(second.drawn()).as("seed %d", seed).contains(sketch(other));
    }
  }

  @Test
  void the_order_of_the_tokens_matters() {
    var tokens = tokens(new SplittableRandom(7), 100, 100);
    assertThat(sketch(tokens).alike(sketch(tokens.reversed()))).isLessThan(0.2);
  }

  @Test
  void too_few_tokens_give_no_sketch() {
    var random = new SplittableRandom(8);
    for (int size = 0; size < CodeSketch.FEWEST; size++) {
      assertThat(drawn(tokens(random, size, size))).isEmpty();
    }
    assertThat(drawn(tokens(random, CodeSketch.FEWEST, CodeSketch.FEWEST))).isPresent();
  }

  @Test
  void a_drawing_goes_on_after_it_was_looked_at() {
    var tokens = tokens(new SplittableRandom(9), 100, 100);
    var drawing = new CodeSketch.Drawing();
    tokens.subList(0, 50).forEach(drawing::add);
    var half = drawing.drawn();
    tokens.subList(50, 100).forEach(drawing::add);
    assertThat(half).contains(sketch(tokens.subList(0, 50)));
    assertThat(drawing.drawn()).contains(sketch(tokens));
  }

  @Test
  void a_sketch_comes_back_from_its_numbers() {
    var sketch = sketch(tokens(new SplittableRandom(10), 100, 100));
    var numbers = sketch.numbers();
    assertThat(CodeSketch.of(numbers)).isEqualTo(sketch).hasSameHashCodeAs(sketch);
    numbers[0]++;
    assertThat(CodeSketch.of(numbers)).isNotEqualTo(sketch);
    assertThat(sketch.numbers()).isNotEqualTo(numbers);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CodeSketch.of(new int[63]))
        .withMessage("a sketch has 64 numbers, but there were 63");
  }

  private static CodeSketch sketch(List<String> tokens) {
    return drawn(tokens).orElseThrow();
  }

  private static Optional<CodeSketch> drawn(List<String> tokens) {
    var drawing = new CodeSketch.Drawing();
    tokens.forEach(drawing::add);
    return drawing.drawn();
  }

  private static List<String> tokens(SplittableRandom random, int least, int most) {
    return random
        .ints(random.nextInt(least, most + 1), 0, 50)
        .mapToObj(word -> "word" + word)
        .toList();
  }

  private static List<String> with(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private static double jaccard(List<String> one, List<String> other) {
    var both = new HashSet<>(runs(one));
    both.retainAll(runs(other));
    var all = new HashSet<>(runs(one));
    all.addAll(runs(other));
    return (double) both.size() / all.size();
  }

  private static Set<List<String>> runs(List<String> tokens) {
    var runs = new ArrayList<List<String>>();
    for (int i = 0; i + 5 <= tokens.size(); i++) {
      runs.add(tokens.subList(i, i + 5));
    }
    return Set.copyOf(new HashSet<>(runs));
  }
}
