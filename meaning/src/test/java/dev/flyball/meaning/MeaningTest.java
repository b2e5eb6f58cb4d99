package dev.flyball.meaning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Likeness;
import dev.flyball.review.finding.Merge;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.Side;
import dev.flyball.review.finding.Words;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MeaningTest {
  private record Pair(boolean same, Claim one, Claim other) {}

  private static Claim claim(int line, String title, String message) {
    return claim(line, title, message, "correctness");
  }

  private static Claim other(int line, String title, String message) {
    return claim(line, title, message, "security");
  }

  private static Claim claim(int line, String title, String message, String lens) {
    return new Claim(
        lens,
        new Place.Lines("src/A.java", line, 1, line, 2, Side.RIGHT),
        Severity.MAJOR,
        Category.CORRECTNESS,
        List.of(lens),
        title,
        message,
        Optional.empty(),
        Optional.empty(),
        List.of("model"),
        0.8);
  }

  private static List<Pair> pairs(String file) throws IOException {
    try (var in = Merge.class.getResourceAsStream(file)) {
      var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" \\| ", -1))
          .map(
              cells ->
                  new Pair(
                      cells[0].equals("same"),
                      claim(Integer.parseInt(cells[1]), cells[2], cells[3]),
                      other(Integer.parseInt(cells[4]), cells[5], cells[6])))
          .toList();
    }
  }

  /**
   * What is reached, so that it does not get worse: 0.95 and 0.85 are wanted of all. Processors
   * round differently, so that a pair or two may fall otherwise.
   */
  @ParameterizedTest
  @CsvSource({
    "pairs.txt, 0.95, 0.80",
    "pairs-neighbours.txt, 0.80, 0.23",
    "pairs-held-out.txt, 0.43, 0.15"
  })
  void pairs_that_people_call_the_same_are_one(String file, double precise, double found)
      throws IOException {
    var meaning = new Meaning();
    int right = 0;
    int wrong = 0;
    int missed = 0;
    var errors = new ArrayList<String>();
    for (var pair : pairs(file)) {
      boolean one = Merge.of(List.of(pair.one(), pair.other()), meaning).size() == 1;
      right += one && pair.same() ? 1 : 0;
      wrong += one && !pair.same() ? 1 : 0;
      missed += !one && pair.same() ? 1 : 0;
      if (one != pair.same()) {
        errors.add(
            (one ? "merged: " : "apart: ") + pair.one().title() + " / " + pair.other().title());
      }
    }
    double precision = (double) right / (right + wrong);
    double recall = (double) right / (right + missed);
    System.out.printf(
        "merging by meaning, %s: precision %.3f, recall %.3f%n", file, precision, recall);
    assertThat(meaning.failure()).isEmpty();
    assertThat(precision).as(String.join("\n", errors)).isGreaterThanOrEqualTo(precise);
    assertThat(recall).as(String.join("\n", errors)).isGreaterThanOrEqualTo(found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pairs.txt", "pairs-neighbours.txt", "pairs-held-out.txt"})
  void the_order_of_arrival_changes_nothing(String file) throws IOException {
    var claims = new ArrayList<Claim>();
    pairs(file).forEach(pair -> Collections.addAll(claims, pair.one(), pair.other()));
    var meaning = new Meaning();
    var first = Merge.of(claims, meaning);
    var random = new Random(5);
    for (int i = 0; i < 50; i++) {
      Collections.shuffle(claims, random);
      assertThat(Merge.of(claims, meaning)).isEqualTo(first);
    }
  }

  @Test
  void claims_that_share_hardly_a_word_can_mean_the_same() {
    var one = claim(1, "Missing rollback", "If the second insert fails the first one stays.");
    var other =
        claim(
            2,
            "Inserts are not atomic",
            "Order and items are written outside of a transaction, so a failure leaves an order"
                + " without items.");
    assertThat(new Words().of(one, other)).isZero();
    assertThat(new Meaning().of(one, other)).isGreaterThanOrEqualTo(Likeness.SAME);
  }

  @Test
  void no_text_is_looked_at_if_no_two_claims_are_near() {
    var looks = new AtomicInteger();
    var meaning =
        new Meaning(
            text -> {
              looks.incrementAndGet();
              return new float[] {1};
            });
    Merge.of(List.of(claim(1, "a", "b"), claim(100, "c", "d"), claim(200, "e", "f")), meaning);
    assertThat(looks).hasValue(0);
  }

  @Test
  void each_text_is_looked_at_once() {
    var looks = new HashMap<String, Integer>();
    var meaning =
        new Meaning(
            text -> {
              looks.merge(text, 1, Integer::sum);
              return new float[] {text.length() % 2, (text.length() + 1) % 2};
            });
    var claims = new ArrayList<Claim>();
    for (int i = 0; i < 6; i++) {
      claims.add(claim(1, "title".repeat(i + 1), "message".repeat(i + 1), "lens" + i));
    }
    Merge.of(claims, meaning);
    assertThat(looks).isNotEmpty();
    assertThat(looks.values()).containsOnly(1);
  }

  @Test
  void words_are_compared_where_the_model_cannot_be_loaded_and_the_reason_is_kept() {
    var tries = new AtomicInteger();
    var meaning =
        new Meaning(
            text -> {
              tries.incrementAndGet();
              throw new ExceptionInInitializerError(new UnsatisfiedLinkError("no such library"));
            });
    var one = claim(1, "SQL injection", "The name is concatenated into the query.");
    var other = claim(2, "SQL injection in query", "The name is concatenated.");
    assertThat(meaning.failure()).isEmpty();
    assertThat(meaning.of(one, other)).isEqualTo(new Words().of(one, other));
    assertThat(meaning.of(other, one)).isEqualTo(new Words().of(one, other));
    assertThat(meaning.failure()).get().asString().contains("no such library");
    assertThat(tries).hasValue(1);
  }

  @Test
  void threads_share_one_meaning() throws Exception {
    var pairs = pairs("pairs.txt").subList(0, 20);
    var meaning = new Meaning();
    var tasks = new ArrayList<Callable<List<Double>>>();
    for (int i = 0; i < 4; i++) {
      tasks.add(() -> pairs.stream().map(pair -> meaning.of(pair.one(), pair.other())).toList());
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var alone = new Meaning();
      var expected = pairs.stream().map(pair -> alone.of(pair.one(), pair.other())).toList();
      for (var answer : threads.invokeAll(tasks)) {
        assertThat(answer.get()).isEqualTo(expected);
      }
    }
    assertThat(meaning.failure()).isEmpty();
  }
}
