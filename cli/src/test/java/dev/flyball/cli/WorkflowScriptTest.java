package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the action runs, with the environment that GitHub gives to jobs. */
class WorkflowScriptTest {
  private static final Path SCRIPT =
      Path.of("..").resolve(".build/review-in-actions.sh").toAbsolutePath().normalize();
  private static final List<String> SECRETS =
      List.of(
          "ANTHROPIC_API_KEY",
          "OPENAI_API_KEY",
          "AZURE_OPENAI_API_KEY",
          "AWS_SECRET_ACCESS_KEY",
          "GITLAB_TOKEN",
          "DEPLOY_PASSWORD",
          "SLACK_SECRET");

  /** How a job ended, what it was shown, and what the command was called with and given. */
  private record Job(int exit, String out, List<String> words, String environment) {}

  @TempDir private Path folder;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void sit() throws Exception {
    var command = folder.resolve("flyball");
    Files.writeString(
        command,
        "#!/bin/sh\nfor each in \"$@\"; do printf '%s\\n' \"$each\"; done > words\nenv > given\n");
    assertThat(command.toFile().setExecutable(true)).isTrue();
    environment.put("PATH", System.getenv("PATH"));
    environment.put("FLYBALL_COMMAND", command.toString());
    environment.put("GITHUB_ACTIONS", "true");
    environment.put("GITHUB_REPOSITORY", "acme/shop");
    environment.put("GITHUB_TOKEN", "token");
    environment.put("FLYBALL_INPUT_POST", "true");
    environment.put("FLYBALL_INPUT_FAIL_ON", "major");
    environment.put("FLYBALL_INPUT_BUDGET_USD", "2");
    environment.put("FLYBALL_INPUT_SARIF", "flyball.sarif");
    SECRETS.forEach(name -> environment.put(name, "secret-" + name));
  }

  private Job run() throws IOException, InterruptedException {
    Files.deleteIfExists(folder.resolve("words"));
    var builder =
        new ProcessBuilder(SCRIPT.toString()).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    var process = builder.start();
    process.getOutputStream().close();
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    boolean called = Files.exists(folder.resolve("words"));
    return new Job(
        exit,
        out,
        called ? Files.readAllLines(folder.resolve("words")) : List.of(),
        called ? Files.readString(folder.resolve("given")) : "");
  }

  private void pullRequest(String from) {
    environment.put("GITHUB_EVENT_NAME", "pull_request");
    environment.put("FLYBALL_PULL", "12");
    environment.put("FLYBALL_PULL_FROM", from);
  }

  @Test
  void a_pull_request_is_reviewed_and_posted() throws Exception {
    pullRequest("acme/shop");
    var job = run();
    assertThat(job.exit()).as(job.out()).isZero();
    assertThat(job.words())
        .containsSubsequence("review", "--github", "acme/shop#12")
        .contains("--post", "annotations", "sarif=flyball.sarif", "--budget-usd")
        .doesNotContain("--approve");
    assertThat(job.environment()).contains("secret-ANTHROPIC_API_KEY");
    assertThat(job.out()).doesNotContain("secret-");
  }

  @Test
  void it_approves_only_when_told_to() throws Exception {
    pullRequest("acme/shop");
    environment.put("FLYBALL_INPUT_APPROVE", "true");
    assertThat(run().words()).contains("--approve");
    environment.put("FLYBALL_INPUT_POST", "false");
    assertThat(run().words()).doesNotContain("--approve", "--post");
  }

  @Test
  void no_secret_reaches_the_job_of_a_fork() throws Exception {
    pullRequest("stranger/shop");
    environment.put("FLYBALL_INPUT_APPROVE", "true");
    var job = run();
    assertThat(job.exit()).as(job.out()).isZero();
    assertThat(job.words()).doesNotContain("--post", "--approve").contains("annotations");
    assertThat(job.environment()).doesNotContain("secret-").contains("GITHUB_TOKEN=token");
    assertThat(job.out()).contains("from a fork").doesNotContain("secret-");
  }

  @Test
  void a_push_is_reviewed_from_where_it_began() throws Exception {
    CommandDesk.git(folder, "init", "-q");
    Files.writeString(folder.resolve("a.txt"), "a\n");
    CommandDesk.git(folder, "add", "a.txt");
    CommandDesk.git(folder, "commit", "-qm", "first");
    var first = CommandDesk.git(folder, "rev-parse", "HEAD");
    environment.put("GITHUB_EVENT_NAME", "push");
    environment.put("GITHUB_SHA", "f".repeat(40));
    environment.put("FLYBALL_PUSHED_FROM", first);
    assertThat(run().words())
        .containsSubsequence("--diff", first + ".." + "f".repeat(40))
        .doesNotContain("--post");
    environment.put("FLYBALL_PUSHED_FROM", "0".repeat(40));
    assertThat(run().words()).containsSubsequence("--diff", "f".repeat(40));
    environment.put("FLYBALL_PUSHED_FROM", "e".repeat(40));
    assertThat(run().words())
        .as("after a push by force")
        .containsSubsequence("--diff", "f".repeat(40));
  }

  @Test
  void what_a_stranger_writes_is_no_command() throws Exception {
    pullRequest("acme/shop");
    environment.put("FLYBALL_PULL", "12; touch harm");
    var job = run();
    assertThat(job.exit()).isEqualTo(2);
    assertThat(job.words()).isEmpty();
    pullRequest("$(touch harm)/`touch harm`");
    environment.put("FLYBALL_INPUT_MODEL", "a b; touch harm");
    assertThat(run().words()).contains("a b; touch harm");
    assertThat(folder.resolve("harm")).doesNotExist();
  }

  @Test
  void events_that_hand_secrets_to_strangers_are_refused() throws Exception {
    for (var event : List.of("pull_request_target", "workflow_run", "issue_comment")) {
      environment.put("GITHUB_EVENT_NAME", event);
      var job = run();
      assertThat(job.exit()).isEqualTo(2);
      assertThat(job.out()).startsWith("::error").contains(event);
      assertThat(job.words()).isEmpty();
    }
  }

  @Test
  void the_action_names_no_value_of_a_stranger_in_a_command_and_caches_no_answer()
      throws Exception {
    var action = Files.readString(SCRIPT.resolveSibling("../action.yml").normalize());
    assertThat(action.lines().filter(line -> line.strip().startsWith("run:")))
        .allMatch(line -> !line.contains("${{"));
    var cached =
        action.lines().filter(line -> line.contains("flyball-state/")).map(String::strip).toList();
    assertThat(cached)
        .containsExactly(
            "${{ runner.temp }}/flyball-state/learned.json",
            "${{ runner.temp }}/flyball-state/history.db");
  }
}
