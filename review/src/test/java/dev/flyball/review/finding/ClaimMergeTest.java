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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClaimMergeTest {
  private record Pair(boolean same, Claim one, Claim other) {}

  private static Claim claim(int line, String title, String message) {
    return claim(line, title, message, Category.CORRECTNESS, "correctness", 0.8);
  }

  private static Claim other(int line, String title, String message) {
    return claim(line, title, message, Category.SECURITY, "security", 0.8);
  }

  private static Claim claim(
      int line, String title, String message, Category category, String lens, double confidence) {
    return new Claim(
        lens,
        new Place.Lines("src/A.java", line, 1, line, 2, DiffSide.RIGHT),
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

  private static List<Pair> pairs(String file) throws IOException {
    var pairs = new ArrayList<Pair>();
    try (var in = ClaimMergeTest.class.getResourceAsStream(file)) {
      var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      for (var line : text.lines().filter(it -> !it.startsWith("#")).toList()) {
        var cells = line.split(" \\| ", -1);
        pairs.add(
            new Pair(
                cells[0].equals("same"),
                claim(Integer.parseInt(cells[1]), cells[2], cells[3]),
                other(Integer.parseInt(cells[4]), cells[5], cells[6])));
      }
    }
    return pairs;
  }

  /** What words reach: the threshold is chosen for precision, so that no finding hides another. */
  @ParameterizedTest
  @CsvSource({
    "pairs.txt, 1.00, 0.29",
    "pairs-neighbours.txt, 1.00, 0.00",
    "pairs-held-out.txt, 0.00, 0.00",
    "pairs-second-look.txt, 0.95, 0.00",
    "pairs-models.txt, 0.95, 0.00"
  })
  void pairs_that_people_call_the_same_are_one(String file, double precise, double found)
      throws IOException {
    int right = 0;
    int wrong = 0;
    int missed = 0;
    var errors = new ArrayList<String>();
    for (var pair : pairs(file)) {
      boolean one = ClaimMerge.of(List.of(pair.one(), pair.other())).size() == 1;
      right += one && pair.same() ? 1 : 0;
      wrong += one && !pair.same() ? 1 : 0;
      missed += !one && pair.same() ? 1 : 0;
      if (one != pair.same()) {
        errors.add(
            (one ? "merged: " : "apart: ") + pair.one().title() + " / " + pair.other().title());
      }
    }
    double precision = right + wrong == 0 ? 1 : (double) right / (right + wrong);
    double recall = (double) right / (right + missed);
    System.out.printf(
        "merging by words, %s: precision %.3f, recall %.3f%n", file, precision, recall);
    assertThat(precision).as(String.join("\n", errors)).isGreaterThanOrEqualTo(precise);
    assertThat(recall).as(String.join("\n", errors)).isGreaterThanOrEqualTo(found);
  }

  /** Only what is at one place may be asked about; whoever answers knows what people say. */
  @ParameterizedTest
  @ValueSource(strings = {"pairs-second-look.txt", "pairs-models.txt"})
  void a_second_look_finds_what_words_do_not(String file) throws IOException {
    int asked = 0;
    int right = 0;
    int wrong = 0;
    int missed = 0;
    for (var pair : pairs(file)) {
      boolean one = ClaimMerge.of(List.of(pair.one(), pair.other())).size() == 1;
      if (!one && ClaimMerge.isDoubtful(pair.one(), pair.other())) {
        asked++;
        one = pair.same();
      }
      right += one && pair.same() ? 1 : 0;
      wrong += one && !pair.same() ? 1 : 0;
      missed += !one && pair.same() ? 1 : 0;
    }
    double precision = (double) right / (right + wrong);
    double recall = (double) right / (right + missed);
    System.out.printf(
        "with a second look, %s: %d of 60 pairs asked, precision %.3f, recall %.3f%n",
        file, asked, precision, recall);
    assertThat(precision).isGreaterThanOrEqualTo(0.95);
    assertThat(recall).isGreaterThanOrEqualTo(0.8);
  }

  /** Two lenses, each asked twice, that all say just the same. */
  @Test
  void identical_answers_are_one_finding_in_every_order() {
    var all = new ArrayList<Claim>();
    for (var lens : List.of("security", "correctness")) {
      for (var source : List.of("model", "model #2")) {
        var said = claim(7, "Add a check", "It is missing.", Category.CORRECTNESS, lens, 0.8);
        all.add(
            new Claim(
                lens,
                said.place(),
                said.severity(),
                said.category(),
                said.lenses(),
                said.title(),
                said.message(),
                said.suggestion(),
                said.evidence(),
                List.of(source),
                said.confidence()));
      }
    }
    for (int order = 0; order < 24; order++) {
      var left = new ArrayList<>(all);
      var shuffled = new ArrayList<Claim>();
      for (int n = 4, rest = order; n > 0; rest /= n, n--) {
        shuffled.add(left.remove(rest % n));
      }
      assertThat(ClaimMerge.of(shuffled)).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pairs.txt", "pairs-neighbours.txt", "pairs-held-out.txt"})
  void the_order_of_arrival_changes_nothing(String file) throws IOException {
    var claims = new ArrayList<Claim>();
    pairs(file).forEach(pair -> Collections.addAll(claims, pair.one(), pair.other()));
    var first = ClaimMerge.of(claims);
    var random = new Random(5);
    for (int i = 0; i < 50; i++) {
      Collections.shuffle(claims, random);
      assertThat(ClaimMerge.of(claims)).isEqualTo(first);
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
    var merged = ClaimMerge.of(List.of(one, other));
    assertThat(merged).hasSize(1);
    assertThat(merged.getFirst().category()).isEqualTo(Category.SECURITY);
    assertThat(merged.getFirst().lenses()).containsExactlyInAnyOrder("architecture", "security");
    assertThat(merged.getFirst().confidence()).isGreaterThan(0.8);
  }

  @Test
  void two_claims_of_one_answer_are_two() {
    var one = claim(5, "No test for empty lists", "average has no test with an empty list.");
    var other = claim(6, "No test for long lists", "average has no test with a long list.");
    assertThat(ClaimMerge.of(List.of(one, other))).hasSize(2);
  }

  @Test
  void what_contradicts_each_other_is_not_the_same() {
    var one = claim(5, "Missing null check of user", "user is null for guests; check user.");
    var other = other(5, "Redundant null check of user", "user is never null; the check can go.");
    assertThat(ClaimMerge.of(List.of(one, other))).hasSize(2);
    assertThat(Contradiction.between(one, other)).isTrue();
  }

  @Test
  void different_problems_on_one_line_stay_apart() {
    var one = claim(5, "SQL injection", "name is concatenated into the query.");
    var other = claim(5, "Result set is never closed", "It stays open after an exception.");
    assertThat(ClaimMerge.of(List.of(one, other))).hasSize(2);
  }

  @Test
  void the_same_words_far_away_are_another_finding() {
    var one = claim(5, "SQL injection", "name is concatenated into the query.");
    var other = claim(50, "SQL injection", "name is concatenated into the query.");
    assertThat(ClaimMerge.of(List.of(one, other))).hasSize(2);
  }

  @Test
  void what_differs_in_nothing_but_its_suggestion_comes_in_one_order_too() {
    var one = claim(5, "SQL injection", "name is concatenated into the query.");
    var bound = suggesting(one, "Bind it.");
    var checked = suggesting(one, "Check it.");
    assertThat(ClaimMerge.of(List.of(bound, checked)))
        .isEqualTo(ClaimMerge.of(List.of(checked, bound)));
  }

  private static Claim suggesting(Claim claim, String suggestion) {
    return new Claim(
        claim.rule(),
        claim.place(),
        claim.severity(),
        claim.category(),
        claim.lenses(),
        claim.title(),
        claim.message(),
        Optional.of(suggestion),
        claim.evidence(),
        claim.sources(),
        claim.confidence());
  }

  @Test
  void what_is_not_sure_enough_is_not_shown_unless_it_is_critical() {
    assertThat(ClaimMerge.isSureEnough(claim(1, "a", "b", Category.OTHER, "x", 0.69))).isFalse();
    assertThat(ClaimMerge.isSureEnough(claim(1, "a", "b", Category.OTHER, "x", 0.7))).isTrue();
  }
}
