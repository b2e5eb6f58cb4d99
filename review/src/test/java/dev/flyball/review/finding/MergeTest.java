package dev.flyball.review.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MergeTest {
  private record Pair(boolean same, Claim one, Claim other) {}

  private static Claim claim(int line, String title, String message) {
    return claim(line, title, message, Category.CORRECTNESS, "correctness", 0.8);
  }

  private static Claim claim(
      int line, String title, String message, Category category, String lens, double confidence) {
    return new Claim(
        lens,
        new Place.Lines("src/A.java", line, 1, line, 2, Side.RIGHT),
        Severity.MAJOR,
        category,
        List.of(lens),
        title,
        message,
        Optional.empty(),
        Optional.empty(),
        List.of("model"),
        confidence);
  }

  private static List<Pair> pairs() throws IOException {
    var pairs = new ArrayList<Pair>();
    try (var in = MergeTest.class.getResourceAsStream("pairs.txt")) {
      var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      for (var line : text.lines().filter(it -> !it.startsWith("#")).toList()) {
        var cells = line.split(" \\| ", -1);
        pairs.add(
            new Pair(
                cells[0].equals("same"),
                claim(Integer.parseInt(cells[1]), cells[2], cells[3]),
                claim(Integer.parseInt(cells[4]), cells[5], cells[6])));
      }
    }
    return pairs;
  }

  @Test
  void pairs_that_people_call_the_same_are_one_and_others_are_not() throws IOException {
    int right = 0;
    int wrong = 0;
    int missed = 0;
    var errors = new ArrayList<String>();
    for (var pair : pairs()) {
      boolean one = Merge.of(List.of(pair.one(), pair.other())).size() == 1;
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
    System.out.printf("merging: precision %.3f, recall %.3f%n", precision, recall);
    assertThat(pairs()).hasSizeGreaterThanOrEqualTo(60);
    assertThat(precision).as(String.join("\n", errors)).isGreaterThanOrEqualTo(0.95);
    assertThat(recall).as(String.join("\n", errors)).isGreaterThanOrEqualTo(0.85);
  }

  @Test
  void the_order_of_arrival_changes_nothing() throws IOException {
    var claims = new ArrayList<Claim>();
    pairs().forEach(pair -> Collections.addAll(claims, pair.one(), pair.other()));
    var first = Merge.of(claims);
    var random = new Random(5);
    for (int i = 0; i < 50; i++) {
      Collections.shuffle(claims, random);
      assertThat(Merge.of(claims)).isEqualTo(first);
    }
  }

  @Test
  void one_defect_seen_by_two_lenses_has_one_category_and_both_sources() {
    var one =
        claim(
            5,
            "SQL injection",
            "name is concatenated into the query.",
            Category.ARCHITECTURE,
            "architecture",
            0.7);
    var other =
        claim(
            6,
            "SQL injection in query",
            "The name is concatenated.",
            Category.SECURITY,
            "security",
            0.8);
    var merged = Merge.of(List.of(one, other));
    assertThat(merged).hasSize(1);
    assertThat(merged.getFirst().category()).isEqualTo(Category.SECURITY);
    assertThat(merged.getFirst().lenses()).containsExactlyInAnyOrder("architecture", "security");
    assertThat(merged.getFirst().confidence()).isGreaterThan(0.8);
  }

  @Test
  void different_problems_on_one_line_stay_apart() {
    var one = claim(5, "SQL injection", "name is concatenated into the query.");
    var other = claim(5, "Result set is never closed", "It stays open after an exception.");
    assertThat(Merge.of(List.of(one, other))).hasSize(2);
  }

  @Test
  void the_same_words_far_away_are_another_finding() {
    var one = claim(5, "SQL injection", "name is concatenated into the query.");
    var other = claim(50, "SQL injection", "name is concatenated into the query.");
    assertThat(Merge.of(List.of(one, other))).hasSize(2);
  }

  @Test
  void what_is_not_sure_enough_is_not_shown_unless_it_is_critical() {
    assertThat(Merge.isSureEnough(claim(1, "a", "b", Category.OTHER, "x", 0.69))).isFalse();
    assertThat(Merge.isSureEnough(claim(1, "a", "b", Category.OTHER, "x", 0.7))).isTrue();
  }
}
