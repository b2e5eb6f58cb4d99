package dev.flyball.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.BreakerState;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole reviews: over HTTP, through the shared scheduler, by a simulated provider. */
final class ServedReviewTest {
  private static final String PATCH =
      """
      --- /dev/null
      +++ b/Loop.java
      @@ -0,0 +1,8 @@
      +class Loop {
      +  int first(String[] all) {
      +    for (String each : all) {
      +      use(each.equals(null));
      +    }
      +    return 0;
      +  }
      +}
      """;

  @TempDir private Path folder;

  private static Simulator simulator(Settings settings) throws Exception {
    return Simulator.start(settings.answers(Answers.reviewing()), 0);
  }

  private ServedReviews server(URI provider) throws Exception {
    return server(provider, TaskSettings.USUAL);
  }

  private ServedReviews server(URI provider, TaskSettings settings) throws Exception {
    return ServedReviews.real(settings, provider, folder.resolve("state"));
  }

  private static String asking(String patch, String more) {
    var text = ServedReviews.patch(patch);
    return text.substring(0, text.length() - 1) + more + "}";
  }

  @Test
  void a_patch_is_reviewed_and_the_same_again_is_not_asked_twice() throws Exception {
    try (var simulator = simulator(Settings.of("unlimited"));
        var server = server(simulator.uri())) {
      var asked = asking(PATCH, ",\"formats\":[\"json\",\"sarif\",\"markdown\",\"annotations\"]");
      try (var answer = server.post(asked)) {
        var start = answer.until("start").data();
        assertThat(start.path("files").asInt()).isEqualTo(1);
        assertThat(start.path("units").asInt()).isPositive();
        assertThat(answer.until("finding").data().path("finding").path("file").asText())
            .isEqualTo("Loop.java");
        assertThat(answer.until("unit").data().path("total").asInt())
            .isEqualTo(start.path("units").asInt());
        var result = answer.until("complete").data();
        assertThat(result.path("cachedUnits").asInt()).isZero();
        assertThat(result.path("tokens").asLong()).isPositive();
        var reports = result.path("reports");
        assertThat(reports.path("json").path("findings")).isNotEmpty();
        assertThat(reports.path("sarif").path("version").asText()).isEqualTo("2.1.0");
        assertThat(reports.path("markdown").asText()).contains("Loop.java");
        assertThat(reports.path("annotations").asText()).contains("Loop.java");
        answer.until("done");
      }
      try (var again = server.post(asked)) {
        var result = again.until("complete").data();
        assertThat(result.path("cachedUnits").asInt()).isPositive();
        assertThat(result.path("tokens").asLong()).isZero();
      }
      assertThat(server.flyball.snapshot().budgets()).as("of reviews that are over").isEmpty();
    }
  }

  @Test
  void a_range_of_a_named_repository_is_reviewed_and_no_other() throws Exception {
    var repository = Files.createDirectories(folder.resolve("api"));
    git(repository, "init", "-q");
    Files.writeString(repository.resolve("A.java"), "class A {}\n");
    git(repository, "add", "-A");
    git(repository, "commit", "-qm", "first");
    Files.writeString(
        repository.resolve("A.java"), "class A {\n  int one() {\n    return 1;\n  }\n}\n");
    Files.createDirectories(repository.resolve("part"));
    Files.writeString(repository.resolve("part/B.java"), "class B {}\n");
    git(repository, "add", "-A");
    git(repository, "commit", "-qm", "second");
    var named = NamedFolders.of(Map.of("api", repository, "part", repository.resolve("part")));
    try (var simulator = simulator(Settings.of("unlimited"));
        var server = server(simulator.uri(), TaskSettings.USUAL.repositories(named))) {
      try (var answer = server.post("{\"repository\":\"api\",\"range\":\"HEAD~1..HEAD\"}")) {
        assertThat(answer.until("start").data().path("title").asText()).isEqualTo("HEAD~1..HEAD");
        answer.until("complete");
      }
      try (var answer = server.post("{\"repository\":\"api\",\"range\":\"no-such\"}")) {
        assertThat(code(answer)).isEqualTo("UNKNOWN_REVISION");
      }
      try (var answer =
          server.post(
              "{\"repository\":\"api\",\"range\":\"HEAD~1..HEAD\",\"lenses\":[\"no-such\"]}")) {
        assertThat(code(answer)).isEqualTo("UNKNOWN_LENS");
      }
      try (var answer = server.post("{\"repository\":\"part\",\"range\":\"HEAD\"}")) {
        assertThat(code(answer)).as("a part is not the whole").isEqualTo("UNKNOWN_REPOSITORY");
      }
      server.untilFree();
    }
  }

  private static String code(ServedReviews.Answer answer) throws Exception {
    return answer.until("error").data().path("error").path("code").asText();
  }

  private static void git(Path at, String... words) throws Exception {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of("-c", "user.name=a", "-c", "user.email=a@b.example"));
    command.addAll(List.of(words));
    var git = new ProcessBuilder(command).directory(at.toFile()).inheritIO().start();
    assertThat(git.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(git.exitValue()).isZero();
  }

  @Test
  void clients_that_leave_in_the_middle_leave_nothing_behind_and_no_breaker_open()
      throws Exception {
    try (var simulator = simulator(Settings.of("unlimited").latency(Latency.parse("20s")));
        var server = server(simulator.uri())) {
      for (int i = 0; i < 8; i++) {
        var answer = server.post(ServedReviews.patch(PATCH.replace("Loop", "Loop" + i)));
        assertThat(answer.until("unit").data().path("state").asText()).isEqualTo("running");
        answer.close();
        server.untilFree();
      }
      var lanes = server.flyball.snapshot().lanes();
      assertThat(lanes).isNotEmpty();
      for (var lane : lanes) {
        assertThat(lane.breaker()).isEqualTo(BreakerState.CLOSED);
        assertThat(lane.inFlight()).isZero();
        assertThat(lane.waiting()).isZero();
      }
      assertThat(server.flyball.snapshot().budgets()).isEmpty();
    }
  }

  @Test
  void a_review_that_was_cut_goes_on_where_it_ended() throws Exception {
    var first = PATCH.replace("Loop", "One");
    try (var simulator = simulator(Settings.of("unlimited"))) {
      try (var server = server(simulator.uri())) {
        var answer = server.post(ServedReviews.patch(first));
        var unit = answer.until("unit");
        while (!unit.data().path("state").asText().equals("done")) {
          unit = answer.until("unit");
        }
        answer.close();
        server.untilFree();
      }
      try (var server = server(simulator.uri());
          var again = server.post(ServedReviews.patch(first))) {
        assertThat(again.until("complete").data().path("cachedUnits").asInt()).isPositive();
      }
    }
  }

  @Test
  void a_provider_that_is_not_there_is_unavailable() throws Exception {
    try (var server = server(URI.create("http://127.0.0.1:1"));
        var answer = server.post(asking(PATCH, ",\"deadlineSeconds\":3"))) {
      var error = answer.until("error").data();
      assertThat(error.path("error").path("reason").asText())
          .isIn("PROVIDER_UNAVAILABLE", "TIMEOUT");
      assertThat(error.toString()).doesNotContain("127.0.0.1").doesNotContain("Exception");
      server.untilFree();
    }
  }

  @Test
  void a_review_waits_while_the_shared_lane_rests() throws Exception {
    try (var simulator = simulator(Settings.of("unlimited").fault("529:to=3s"));
        var server = server(simulator.uri());
        var answer = server.post(ServedReviews.patch(PATCH))) {
      var result = answer.until("complete").data();
      assertThat(result.path("unanswered").asInt()).isZero();
    }
  }

  @Test
  void a_budget_without_room_for_any_answer_is_spent() throws Exception {
    try (var simulator = simulator(Settings.of("unlimited"));
        var server = server(simulator.uri());
        var answer = server.post(asking(PATCH, ",\"budget\":{\"tokens\":1}"))) {
      var names = new ArrayList<String>();
      for (var told = answer.next(); told.isPresent(); told = answer.next()) {
        names.add(told.get().name());
        if (told.get().name().equals("error")) {
          assertThat(told.get().data().path("error").path("reason").asText())
              .isEqualTo("BUDGET_SPENT");
        }
      }
      assertThat(names).contains("error").endsWith("done");
    }
  }

  @Test
  void a_patch_that_is_none_is_told_the_line_and_the_rule() throws Exception {
    try (var simulator = simulator(Settings.of("unlimited"));
        var server = server(simulator.uri());
        var answer = server.post(ServedReviews.patch("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n"))) {
      var error = answer.until("error").data().path("error");
      assertThat(error.path("code").asText()).isEqualTo("INVALID_PATCH");
      assertThat(error.path("message").asText()).contains("Line ");
      assertThat(error.path("phase").asText()).isEqualTo("setup");
    }
  }
}
