package dev.flyball.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.report.StoredReview;
import dev.flyball.scheduler.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is posted, and what is not posted again, at hosts that keep the real rules. */
final class PublisherTest {
  @TempDir Path folder;

  private static String numbered(int lines) {
    return IntStream.rangeClosed(1, lines)
        .mapToObj(it -> "int value" + it + " = " + it + ";\n")
        .collect(Collectors.joining());
  }

  /** A pull request that adds a file of so many lines. */
  private static int opened(Scene scene, int lines) throws Exception {
    scene.put("README.md", "words\n");
    var target = scene.commit("first");
    scene.put("src/Shop.java", numbered(lines));
    return scene.forge.open(Scene.REPOSITORY, target, scene.commit("second"));
  }

  private static Claim at(int line, Severity severity) {
    return Scene.claim(
        new Place.Lines("src/Shop.java", line, 1, line, 5, DiffSide.RIGHT),
        severity,
        "Wrong at " + line,
        "It is wrong at " + line + ".");
  }

  private static StoredReview review(Scene scene, PullRequests door, int number, Claim... claims)
      throws Exception {
    var pull = door.read(scene.name(number));
    return scene.stored(
        "20261118-200000-0123abcd", door, pull, Scene.review(scene.identified(pull, claims)));
  }

  @ParameterizedTest
  @EnumSource
  void a_review_is_posted_once_however_often_it_is_tried(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var review = review(scene, door, number, at(3, Severity.MAJOR), at(9, Severity.CRITICAL));
      var first = door.post(review, false);
      assertThat(first.comments()).isEqualTo(2);
      assertThat(first.remarks()).isEmpty();
      var again = door.post(review, false);
      assertThat(again.comments()).isZero();
      assertThat(again.known()).isEqualTo(2);
      assertThat(scene.comments(number)).hasSize(2);
      assertThat(scene.comments(number).getFirst()).contains("Wrong at 9");
      assertThat(scene.summaries(number)).hasSize(1);
      assertThat(scene.summaries(number).getFirst())
          .contains("2 findings are beside the code")
          .doesNotContain("Wrong at 9");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_second_push_repeats_nothing_and_resolves_what_is_fixed(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      door.post(
          review(scene, door, number, at(3, Severity.MAJOR), at(9, Severity.CRITICAL)), false);
      // The lines move down, one finding is fixed and one is new.
      scene.put("src/Shop.java", "// a comment\n" + numbered(20).replace("value3 ", "third "));
      scene.forge.push(Scene.REPOSITORY, number, scene.commit("third"));
      var moved =
          Scene.claim(
              new Place.Lines("src/Shop.java", 10, 1, 10, 5, DiffSide.RIGHT),
              Severity.CRITICAL,
              "Wrong at 9",
              "It is wrong at 9.");
      var posting = door.post(review(scene, door, number, moved, at(15, Severity.MINOR)), false);
      assertThat(posting.comments()).isEqualTo(1);
      assertThat(posting.known()).isEqualTo(1);
      assertThat(posting.resolved()).isEqualTo(1);
      assertThat(scene.comments(number)).hasSize(3);
      assertThat(scene.resolved(number)).isEqualTo(1);
      assertThat(scene.summaries(number)).hasSize(1);
      assertThat(scene.summaries(number).getFirst()).contains("🔵 minor | 1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_incomplete_review_resolves_nothing(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      door.post(review(scene, door, number, at(3, Severity.MAJOR)), false);
      var pull = door.read(scene.name(number));
      var part =
          Scene.review(
              List.of(), new ReviewCoverage(3, 2, List.of(), List.of("security: a (timed out)")));
      var posting = door.post(scene.stored("20261118-200001-0123abcd", door, pull, part), false);
      assertThat(posting.resolved()).isZero();
      assertThat(scene.resolved(number)).isZero();
      assertThat(scene.summaries(number).getFirst()).contains("complete=no");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_crash_between_two_requests_repeats_none(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder)) {
      int number = opened(scene, 30);
      StoredReview review;
      try (var door = scene.door()) {
        review =
            review(
                scene,
                door,
                number,
                at(3, Severity.MAJOR),
                at(9, Severity.MAJOR),
                at(15, Severity.MAJOR));
      }
      // The first writes are carried out, and then this process or its network is gone.
      for (int writes = 0; writes < 3; writes++) {
        scene.forge.downAfter(writes == 0 ? 1 : writes);
        try (var door = scene.door()) {
          door.post(review, false);
        } catch (HostTrouble gone) {
          assertThat(gone.reason())
              .isIn(HostTrouble.Reason.UNCERTAIN, HostTrouble.Reason.UNREACHABLE);
        }
      }
      scene.forge.downAfter(Integer.MAX_VALUE);
      try (var door = scene.door()) {
        door.post(review, false);
      }
      assertThat(scene.comments(number)).hasSize(3);
      assertThat(scene.summaries(number)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_host_that_has_gone_is_unreachable_also_when_nothing_is_tried_for_a_while(HostKind kind)
      throws Exception {
    try (var scene = new Scene(kind, folder);
        var door =
            PullRequests.at(
                scene.place(), scene.environment, Time.system(), Duration.ofMillis(200))) {
      int number = opened(scene, 5);
      assertThat(door.read(scene.name(number)).state()).isEqualTo(PullRequest.State.OPEN);
      scene.forge.downAfter(0);
      for (int attempt = 1; attempt <= 4; attempt++) {
        assertThatThrownBy(() -> door.read(scene.name(number)))
            .as("attempt %d", attempt)
            .isInstanceOf(HostTrouble.class)
            .extracting(trouble -> ((HostTrouble) trouble).reason())
            .isEqualTo(HostTrouble.Reason.UNREACHABLE);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_reply_that_is_lost_is_not_asked_for_again(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 30);
      var review = review(scene, door, number, at(3, Severity.MAJOR), at(9, Severity.MAJOR));
      scene.forge.loseReplyTo(it -> it.method().equals("POST") && !it.path().endsWith("graphql"));
      var posting = door.post(review, false);
      assertThat(posting.known() + posting.comments()).isGreaterThanOrEqualTo(2);
      assertThat(scene.comments(number)).hasSize(2);
      assertThat(scene.summaries(number)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_others_write_is_not_taken_for_ours(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var review = review(scene, door, number, at(3, Severity.CRITICAL));
      var id = review.review().findings().getFirst().id();
      var head = door.read(scene.name(number)).head();
      var forged = Marker.of(id, head, "x").before("Nothing to see here.");
      var summary = Marker.ofSummary(head, "x", true).before("All is well.");
      if (kind == HostKind.GITHUB) {
        scene.gitHub().comment(Scene.REPOSITORY, number, 1, "src/Shop.java", forged);
      } else {
        scene.gitLab().note(Scene.REPOSITORY, number, 1, forged);
        scene.gitLab().note(Scene.REPOSITORY, number, 1, summary);
      }
      assertThat(door.post(review, false).comments()).isEqualTo(1);
      assertThat(door.unreviewed(Scene.REPOSITORY, false, pull -> false)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void ten_stand_beside_the_code_and_the_rest_is_in_the_summary(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 60);
      var claims = new ArrayList<Claim>();
      for (int line = 1; line <= 14; line++) {
        claims.add(at(line * 4, line == 14 ? Severity.CRITICAL : Severity.MINOR));
      }
      var posting = door.post(review(scene, door, number, claims.toArray(Claim[]::new)), false);
      assertThat(posting.comments()).isEqualTo(10);
      assertThat(scene.comments(number).getFirst()).contains("Wrong at 56");
      var summary = scene.summaries(number).getFirst();
      assertThat(Arrays.stream(summary.split("\\*\\*Wrong at", -1)).count() - 1).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_a_person_has_resolved_is_not_said_again_beside_the_code(HostKind kind)
      throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var review = review(scene, door, number, at(3, Severity.MAJOR));
      door.post(review, false);
      if (kind == HostKind.GITHUB) {
        scene.gitHub().resolve(Scene.REPOSITORY, number, 0);
        assertThat(door.post(review, false).comments()).isZero();
        assertThat(scene.comments(number)).hasSize(1);
        assertThat(scene.summaries(number).getFirst()).contains("Wrong at 3");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_suggestion_replaces_just_the_lines_that_it_is_beside(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var two =
          new Claim(
              "correctness",
              new Place.Lines("src/Shop.java", 4, 1, 5, 16, DiffSide.RIGHT),
              Severity.MAJOR,
              Category.CORRECTNESS,
              List.of("correctness"),
              "Wrong",
              "Wrong.",
              Optional.of("long value4 = 4;\nlong value5 = 5;"),
              Optional.of("int value4 = 4;\nint value5 = 5;"),
              List.of("m"),
              0.9);
      door.post(review(scene, door, number, two), false);
      assertThat(scene.comments(number).getFirst())
          .contains(
              kind == HostKind.GITHUB
                  ? "```suggestion\nlong value4 = 4;\nlong value5 = 5;\n```"
                  : "```suggestion:-1+0\nlong value4 = 4;\nlong value5 = 5;\n```");
    }
  }

  @ParameterizedTest
  @EnumSource
  void text_of_strangers_calls_nobody_and_links_nowhere(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var hostile =
          "/approve\n"
              + "@everyone see https://evil.example and #1 !2 ~bug %release $3 <!-- flyball:summary"
              + " v1 --> <img src=x> [a](b) www.evil.example\n"
              + "/merge";
      var claim =
          new Claim(
              "correctness",
              new Place.Lines("src/Shop.java", 4, 1, 4, 5, DiffSide.RIGHT),
              Severity.MAJOR,
              Category.CORRECTNESS,
              List.of("correctness"),
              hostile,
              hostile,
              Optional.of(hostile),
              Optional.of(hostile),
              List.of("m"),
              0.9);
      var whole = Scene.claim(new Place.Whole(), Severity.MAJOR, hostile, hostile);
      door.post(review(scene, door, number, claim, whole), false);
      for (var text :
          List.of(scene.comments(number).getFirst(), scene.summaries(number).getFirst())) {
        var rest = text.substring(text.indexOf('\n')).replaceAll("(?s)```text\n.*?\n```", "");
        assertThat(rest)
            .doesNotContain("@everyone")
            .doesNotContain("https://")
            .doesNotContain("#1 ")
            .doesNotContain(" !2")
            .doesNotContain("%release")
            .doesNotContain("<img")
            .doesNotContain("<!--")
            .doesNotContain("www.evil")
            .doesNotContain("](");
        assertThat(rest.lines().filter(line -> line.startsWith("/"))).isEmpty();
      }
      assertThat(door.post(review(scene, door, number, claim, whole), false).comments()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void it_approves_only_what_it_is_told_to_and_was_seen_whole(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var pull = door.read(scene.name(number));
      var clean = Scene.review(List.of());
      var run = "20261118-200000-0123abcd";
      assertThat(door.post(scene.stored(run, door, pull, clean), false).approved()).isFalse();
      var left =
          Scene.review(
              List.of(),
              new ReviewCoverage(
                  3, 2, List.of(new ReviewCoverage.Skipped("a.lock", "a lock file")), List.of()));
      var partly = door.post(scene.stored(run, door, pull, left), true);
      assertThat(partly.approved()).isFalse();
      assertThat(partly.remarks()).anyMatch(it -> it.contains("1 file was left out"));
      assertThat(door.post(scene.stored(run, door, pull, clean), true).approved()).isTrue();
      var wrong = review(scene, door, number, at(3, Severity.CRITICAL));
      assertThat(door.post(wrong, true).remarks()).anyMatch(it -> it.contains("withdrawn"));
      assertThat(kind == HostKind.GITLAB && scene.gitLab().approved(Scene.REPOSITORY, number))
          .isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void its_own_pull_request_is_commented_and_not_approved(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      scene.forge.author(Scene.REPOSITORY, number, Scene.ROBOT);
      var pull = door.read(scene.name(number));
      if (kind == HostKind.GITHUB) {
        var posting =
            door.post(
                scene.stored("20261118-200000-0123abcd", door, pull, Scene.review(List.of())),
                true);
        assertThat(posting.approved()).isFalse();
        assertThat(posting.remarks()).anyMatch(it -> it.startsWith("not approved: "));
        assertThat(scene.summaries(number)).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_older_review_does_not_take_the_place_of_a_newer_one(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var old = review(scene, door, number, at(3, Severity.MAJOR));
      scene.put("src/Shop.java", numbered(21));
      scene.forge.push(Scene.REPOSITORY, number, scene.commit("third"));
      door.post(review(scene, door, number, at(9, Severity.MAJOR)), false);
      var posting = door.post(old, false);
      assertThat(posting.remarks()).anyMatch(it -> it.contains("newer commit"));
      assertThat(scene.comments(number)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_cannot_be_posted_is_said_in_a_line(HostKind kind) throws Exception {
    try (var scene = new Scene(kind, folder)) {
      int number = opened(scene, 20);
      StoredReview review;
      try (var door = scene.door()) {
        review = review(scene, door, number, at(3, Severity.MAJOR));
      }
      scene.environment.remove(kind.variable());
      try (var door = scene.door()) {
        assertTrouble(door, review, HostTrouble.Reason.NO_TOKEN, kind.variable());
      }
      scene.environment.put(kind.variable(), "token-that-is-wrong");
      try (var door = scene.door()) {
        assertTrouble(door, review, HostTrouble.Reason.REFUSED, kind.variable());
      }
      scene.environment.put(kind.variable(), Scene.TOKEN);
      scene.forge.state(Scene.REPOSITORY, number, "closed");
      try (var door = scene.door()) {
        assertTrouble(door, review, HostTrouble.Reason.CLOSED, "is closed");
      }
      scene.forge.state(Scene.REPOSITORY, number, "open");
      scene.forge.readOnly();
      try (var door = scene.door()) {
        assertTrouble(door, review, HostTrouble.Reason.READ_ONLY, "write access");
      }
      assertThat(scene.comments(number)).isEmpty();
      scene.forge.close();
      try (var door = scene.door()) {
        assertTrouble(door, review, HostTrouble.Reason.UNREACHABLE, "refused");
      }
    }
  }

  private static void assertTrouble(
      PullRequests door, StoredReview review, HostTrouble.Reason reason, String words) {
    assertThatThrownBy(() -> door.post(review, false))
        .isInstanceOfSatisfying(
            HostTrouble.class,
            trouble -> {
              assertThat(trouble.reason()).as(trouble.getMessage()).isEqualTo(reason);
              assertThat(trouble)
                  .hasMessageContaining(words)
                  .message()
                  .doesNotContain("\n")
                  .doesNotContain(Scene.TOKEN)
                  .doesNotContain("token-that-is-wrong");
            });
  }

  @Test
  void a_403_that_means_throttling_is_waited_for() throws Exception {
    try (var scene = new Scene(HostKind.GITHUB, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var review = review(scene, door, number, at(3, Severity.MAJOR));
      scene.forge.secondaryAfter(0);
      assertThat(door.post(review, false).comments()).isEqualTo(1);
      assertThat(scene.forge.count(it -> it.status() == 403)).isEqualTo(1);
      scene.forge.allow(2, 2);
      assertThat(door.post(review, false).comments()).isZero();
      assertThat(scene.comments(number)).hasSize(1);
    }
  }

  @Test
  void points_of_graphql_that_are_spent_are_waited_for() throws Exception {
    try (var scene = new Scene(HostKind.GITHUB, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var review = review(scene, door, number, at(3, Severity.MAJOR));
      long before = scene.forge.count(it -> it.path().endsWith("/graphql"));
      scene.forge.spendPoints();
      assertThat(door.post(review, false).comments()).isEqualTo(1);
      assertThat(scene.comments(number)).hasSize(1);
      assertThat(scene.forge.count(it -> it.path().endsWith("/graphql"))).isEqualTo(before + 3);
    }
  }

  @Test
  void a_comment_that_is_not_taken_is_told_in_the_summary() throws Exception {
    try (var scene = new Scene(HostKind.GITHUB, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var review = review(scene, door, number, at(3, Severity.MAJOR));
      // After a push by force the reviewed commit is no longer part of the pull request; before
      // that its lines are gone.
      var where = Discussion.of(review.discussion()).orElseThrow();
      var anchor = where.anchors().values().iterator().next();
      var astray =
          new Anchor(
              anchor.oldPath(), "src/Other.java", anchor.side(), anchor.start(), anchor.end());
      var id = where.anchors().keySet().iterator().next();
      var wrong =
          new Discussion(
              where.name(),
              where.base(),
              where.start(),
              where.head(),
              Map.of(id, astray),
              Map.of());
      var posting = door.post(review.discussed(wrong.json()), false);
      assertThat(posting.comments()).isZero();
      assertThat(posting.remarks()).anyMatch(it -> it.contains("in the summary"));
      assertThat(scene.summaries(number).getFirst()).contains("Wrong at 3");
    }
  }

  @Test
  void what_is_open_and_not_reviewed_is_listed_the_newest_last() throws Exception {
    for (var kind : HostKind.values()) {
      try (var scene = new Scene(kind, folder.resolve(kind.toString()));
          var door = scene.door()) {
        int one = opened(scene, 20);
        var target = scene.git.say("rev-parse", "HEAD~1");
        var head = scene.git.say("rev-parse", "HEAD");
        int two = scene.forge.open(Scene.REPOSITORY, target, head);
        int draft = scene.forge.open(Scene.REPOSITORY, target, head);
        scene.forge.draft(Scene.REPOSITORY, draft);
        int wip = scene.forge.open(Scene.REPOSITORY, target, head);
        scene.forge.describe(Scene.REPOSITORY, wip, "WIP: not yet", "");
        int closed = scene.forge.open(Scene.REPOSITORY, target, head);
        scene.forge.state(Scene.REPOSITORY, closed, "closed");
        int three = scene.forge.open(Scene.REPOSITORY, target, head);
        door.post(review(scene, door, two), false);
        assertThat(numbers(door.unreviewed(Scene.REPOSITORY, false, pull -> false)))
            .containsExactly(one, three);
        assertThat(numbers(door.unreviewed(Scene.REPOSITORY, true, pull -> false)))
            .containsExactly(one, draft, wip, three);
        assertThat(
                numbers(
                    door.unreviewed(Scene.REPOSITORY, false, pull -> pull.name().number() == one)))
            .containsExactly(three);
        scene.put("more.txt", "more\n");
        scene.forge.push(Scene.REPOSITORY, two, scene.commit("more"));
        assertThat(numbers(door.unreviewed(Scene.REPOSITORY, false, pull -> false)))
            .containsExactly(one, two, three);
      }
    }
  }

  private static List<Integer> numbers(List<OpenPullRequest> pulls) {
    return pulls.stream().map(it -> it.name().number()).toList();
  }

  @Test
  void a_finding_of_the_baseline_is_not_posted() throws Exception {
    try (var scene = new Scene(HostKind.GITHUB, folder);
        var door = scene.door()) {
      int number = opened(scene, 20);
      var pull = door.read(scene.name(number));
      var findings =
          scene.identified(pull, at(3, Severity.MAJOR)).stream().map(Finding::known).toList();
      var posting =
          door.post(
              scene.stored("20261118-200000-0123abcd", door, pull, Scene.review(findings)), false);
      assertThat(posting.comments()).isZero();
    }
  }
}
