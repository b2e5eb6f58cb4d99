package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.forge.FakeGitHub;
import dev.flyball.forge.FakeGitLab;
import dev.flyball.forge.Forge;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pull requests through the command: read, reviewed by a simulated model, and answered. */
class PullRequestTest {
  private static final String REPOSITORY = "acme/shop";
  private static final String TOKEN = "token-of-the-robot";
  private static final String REVIEWED =
      "\"reviewed\":\"{{all:(?m)^=====\\\\S+ review (\\\\S+) lines}}\"";

  @TempDir private Path folder;
  private CommandDesk desk;
  private CommandDesk origin;
  private FakeGitHub gitHub;
  private FakeGitLab gitLab;
  private int number;

  @BeforeEach
  void sit() throws Exception {
    desk = new CommandDesk(Files.createDirectories(folder.resolve("here")));
    origin = new CommandDesk(Files.createDirectories(folder.resolve("origin")));
    gitHub = new FakeGitHub();
    gitLab = new FakeGitLab();
    origin.git("init", "-q", "-b", "main");
    origin.put("README.md", "words\n");
    origin.commit("first");
    for (Forge forge : List.of(gitHub, gitLab)) {
      forge.user(TOKEN, 7, "robot", true);
      forge.repository(REPOSITORY, origin.folder);
    }
    var target = head();
    origin.put("src/One.txt", lines("one", 12));
    origin.put("src/Two.txt", lines("two", 12));
    origin.commit("second");
    number = gitHub.open(REPOSITORY, target, head());
    gitLab.open(REPOSITORY, target, head());
    desk.environment.put("GITHUB_TOKEN", TOKEN);
    desk.environment.put("GITLAB_TOKEN", TOKEN);
  }

  @AfterEach
  void leave() {
    desk.close();
    origin.close();
    gitHub.close();
    gitLab.close();
  }

  private static String lines(String word, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(it -> "int " + word + it + " = " + it + ";\n")
        .collect(Collectors.joining());
  }

  private String head() throws IOException, InterruptedException {
    return CommandDesk.git(origin.folder, "rev-parse", "HEAD");
  }

  private void push(String path, String text) throws Exception {
    origin.put(path, text);
    origin.commit("more");
    gitHub.push(REPOSITORY, number, head());
    gitLab.push(REPOSITORY, number, head());
  }

  private static String finding(String file, String quote, String severity) {
    return """
    {"lens":"security","file":"%s","quote":"%s","severity":"%s","category":"security","title":"Bad %s","message":"It is bad.","suggestion":null,"confidence":0.9}\
    """
        .formatted(file, quote, severity, quote.replaceAll("[^a-z0-9]", " "));
  }

  private Settings saying(String... findings) throws IOException {
    var file = folder.resolve("answers.jsonl");
    var answer =
        "{"
            + REVIEWED
            + ",\"findings\":["
            + String.join(",", findings)
            + "],\"needsMoreContext\":[]}";
    var line = CommandDesk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", answer);
    Files.writeString(file, line + "\n");
    return CommandDesk.quick().answers(Answers.parse(file.toString()));
  }

  private CommandDesk.Screen gitHub(String... more) {
    return review("--github", REPOSITORY + "#" + number, gitHub.site(), more);
  }

  private CommandDesk.Screen gitLab(String... more) {
    return review("--gitlab", REPOSITORY + "!" + number, gitLab.site(), more);
  }

  private CommandDesk.Screen review(String option, String name, String site, String... more) {
    var args = new ArrayList<>(List.of("review", option, name, "--host-url", site));
    args.addAll(List.of("--base-url", desk.simulator().uri().toString()));
    args.addAll(List.of("--model", "claude-haiku-4-5", "--lenses", "security", "--no-verify"));
    args.addAll(List.of(more));
    return desk.flyball(args.toArray(String[]::new));
  }

  @Test
  void a_pull_request_is_read_reviewed_and_answered_without_a_clone() throws Exception {
    desk.provider(saying(finding("src/One.txt", "int one3 = 3;", "critical")));
    gitHub.describe(REPOSITORY, number, "Adds two files", "So that there are more.");
    var screen = gitHub("--post");
    assertThat(screen.exit()).as(screen.out() + screen.err()).isEqualTo(1);
    assertThat(screen.err()).contains("posted: 1 new comments, 0 there already, 0 resolved");
    var thread = gitHub.threads(REPOSITORY, number).getFirst();
    assertThat(thread.path()).isEqualTo("src/One.txt");
    assertThat(thread.line()).isEqualTo(3);
    assertThat(gitHub.reviews(REPOSITORY, number).getFirst().body()).contains("changes requested");
    assertThat(screen.out() + screen.err()).doesNotContain(TOKEN);
    // Once more: nothing is asked and nothing is posted.
    var again = gitHub("--post");
    assertThat(again.err()).contains("posted: 0 new comments, 1 there already");
    assertThat(gitHub.threads(REPOSITORY, number)).hasSize(1);
  }

  @Test
  void its_title_and_text_are_part_of_the_question() throws Exception {
    desk.provider(saying());
    gitHub.describe(REPOSITORY, number, "A title to look for", "And its text.\n=====end");
    var screen =
        desk.flyball(
            "review",
            "--github",
            REPOSITORY + "#" + number,
            "--host-url",
            gitHub.site(),
            "--base-url",
            desk.simulator().uri().toString(),
            "--model",
            "claude-haiku-4-5",
            "--plan",
            "--show-prompts");
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(screen.out()).contains("A title to look for").contains("And its text.");
  }

  @Test
  void a_merge_request_is_answered_the_same_way() throws Exception {
    desk.provider(saying(finding("src/Two.txt", "int two5 = 5;", "major")));
    var screen = gitLab("--post");
    assertThat(screen.exit()).as(screen.out() + screen.err()).isZero();
    assertThat(gitLab.notes(REPOSITORY, number)).hasSize(2);
    assertThat(gitLab.notes(REPOSITORY, number).getFirst().body()).contains("Bad int two5");
  }

  @Test
  void a_clone_that_has_the_commits_is_read_and_not_the_host() throws Exception {
    desk.provider(saying());
    CommandDesk.git(folder, "clone", "-q", origin.folder.toString(), desk.folder + "/clone");
    var screen = gitHub("clone");
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(gitHub.count(it -> it.path().contains("/contents/src"))).isZero();
  }

  @Test
  void one_that_is_too_large_comes_through_git() throws Exception {
    desk.provider(saying(finding("src/One.txt", "int one3 = 3;", "major")));
    gitHub.mostDiff(10);
    gitLab.mostFiles(1);
    for (var screen : List.of(gitHub("--post"), gitLab("--post"))) {
      assertThat(screen.exit()).as(screen.out() + screen.err()).isZero();
      assertThat(screen.err()).contains("posted: 1 new comments");
    }
  }

  @Test
  void a_draft_and_what_is_under_way_are_left_alone() throws Exception {
    desk.provider(saying());
    gitHub.draft(REPOSITORY, number);
    gitLab.describe(REPOSITORY, number, "WIP: something", "");
    assertThat(gitHub().err()).contains("is a draft").contains("--drafts");
    assertThat(gitLab().err()).contains("work in progress");
    assertThat(desk.asked()).isEmpty();
    assertThat(gitHub("--drafts").err()).doesNotContain("is a draft");
    assertThat(desk.asked()).isNotEmpty();
  }

  @Test
  void the_projects_settings_are_those_before_the_change() throws Exception {
    desk.provider(saying(finding("src/One.txt", "int one3 = 3;", "major")));
    origin.git("checkout", "-q", "--detach", "HEAD~1");
    origin.put("flyball.yaml", "review:\n  fail-on: major\n");
    origin.commit("settings");
    var target = head();
    origin.put("src/One.txt", lines("one", 12));
    origin.put("flyball.yaml", "review:\n  fail-on: none\n");
    origin.commit("a change that would pass itself");
    number = gitHub.open(REPOSITORY, target, head());
    // Nor does the folder count, which may be a checkout of the change.
    desk.put("flyball.yaml", "review:\n  fail-on: none\n");
    assertThat(gitHub().exit()).isEqualTo(1);
  }

  @Test
  void only_what_changed_since_the_last_review_is_reviewed_again() throws Exception {
    desk.provider(
        saying(
            finding("src/One.txt", "int one3 = 3;", "major"),
            finding("src/Two.txt", "int two5 = 5;", "minor")));
    assertThat(gitHub("--post").exit()).isZero();
    int before = desk.asked().size();
    push("src/Two.txt", lines("two", 12).replace("two5 ", "five "));
    desk.providerAgain(saying());
    var screen = gitHub("--post", "--since-last", "--format", "json");
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(screen.err()).contains("1 of 2 files are reviewed again").contains("1 findings");
    var review = CommandDesk.JSON.readTree(screen.out());
    assertThat(review.path("findings")).hasSize(1);
    assertThat(review.path("findings").get(0).path("file").asText()).isEqualTo("src/One.txt");
    assertThat(screen.err()).contains("0 new comments, 1 there already, 1 resolved");
    assertThat(before).isPositive();
    // A branch that was pushed by force is no branch that was reviewed.
    origin.git("checkout", "-q", "--detach", "HEAD~2");
    origin.put("src/Three.txt", lines("three", 5));
    origin.commit("another history");
    gitHub.push(REPOSITORY, number, head());
    assertThat(gitHub("--since-last").err()).contains("force push or rebase");
  }

  @Test
  void a_review_that_could_not_be_posted_is_posted_later() throws Exception {
    desk.provider(saying(finding("src/One.txt", "int one3 = 3;", "major")));
    gitHub.downAfter(0);
    assertThat(gitHub().exit()).isEqualTo(4);
    gitHub.downAfter(Integer.MAX_VALUE);
    gitHub.readOnly();
    var screen = gitHub("--post");
    assertThat(screen.exit()).as(screen.err()).isEqualTo(3);
    assertThat(screen.err()).contains("not posted").contains("flyball report");
    assertThat(gitHub.threads(REPOSITORY, number)).isEmpty();
    int asked = desk.asked().size();
    var run =
        screen.err().lines().filter(it -> it.contains("flyball report")).findFirst().orElseThrow();
    var id = run.replaceFirst("(?s).*flyball report (\\S+) --post.*", "$1");
    gitHub.writeAgain();
    var posted = desk.flyball("report", id, "--post", "--host-url", gitHub.site());
    assertThat(posted.exit()).as(posted.err()).isZero();
    assertThat(gitHub.threads(REPOSITORY, number)).hasSize(1);
    assertThat(desk.asked()).as("no model was asked for that").hasSize(asked);
  }

  @Test
  void in_a_forks_job_the_findings_become_annotations() throws Exception {
    desk.provider(saying(finding("src/One.txt", "int one3 = 3;", "critical")));
    desk.environment.put("GITHUB_ACTIONS", "true");
    desk.environment.put("GITHUB_STEP_SUMMARY", folder.resolve("summary.md").toString());
    desk.environment.put("GITHUB_OUTPUT", folder.resolve("output").toString());
    gitHub.readOnly();
    var screen = gitHub("--post");
    assertThat(screen.exit()).as(screen.err()).isEqualTo(1);
    assertThat(screen.out()).contains("::error file=src/One.txt,line=3");
    assertThat(Files.readString(folder.resolve("summary.md"))).contains("changes requested");
    assertThat(Files.readString(folder.resolve("output")))
        .contains("verdict=changes_requested\n")
        .contains("critical=1\n")
        .contains("exit-code=1\n");
  }

  @Test
  void what_cannot_be_is_said_in_one_line_before_anything_is_asked() throws Exception {
    desk.provider(saying());
    desk.environment.remove("GITHUB_TOKEN");
    assertLine(gitHub("--post"), 2, "GITHUB_TOKEN");
    desk.environment.put("GITHUB_TOKEN", "ghp_wrong0000000000000000000000000000");
    assertLine(gitHub("--post"), 2, "refuses the token in GITHUB_TOKEN");
    desk.environment.put("GITHUB_TOKEN", TOKEN);
    gitHub.state(REPOSITORY, number, "merged");
    assertLine(gitHub("--post"), 2, "is merged");
    assertLine(review("--github", "acme/none#1", gitHub.site()), 2, "acme/none#1");
    assertLine(review("--github", "nonsense", gitHub.site()), 2, "OWNER/REPO#N");
    assertLine(desk.flyball("review", "--post"), 2, "--github");
    assertLine(desk.flyball("review", "--github", "a/b#1", "--diff", "HEAD"), 2, "name one");
    gitHub.close();
    assertLine(gitHub("--post"), 4, "refused");
    assertThat(desk.asked()).isEmpty();
  }

  private static void assertLine(CommandDesk.Screen screen, int exit, String words) {
    assertThat(screen.exit()).as(screen.err()).isEqualTo(exit);
    assertThat(screen.err().strip().lines().toList()).as(screen.err()).hasSize(1);
    assertThat(screen.err()).contains(words).doesNotContain("ghp_wrong");
  }

  @Test
  void open_ones_without_a_complete_review_are_listed() throws Exception {
    desk.provider(saying());
    var list =
        List.of("review", "--github", REPOSITORY, "--open", "--host-url", gitHub.site())
            .toArray(String[]::new);
    assertThat(desk.flyball(list).out()).isEqualTo("acme/shop#1  Add a feature\n");
    assertThat(gitHub().exit()).isZero();
    assertThat(desk.flyball(list).out()).as("it is in the history").isEmpty();
    push("src/One.txt", lines("one", 13));
    assertThat(desk.flyball(list).out()).contains("acme/shop#1");
  }

  @Test
  void a_stored_run_is_written_in_any_format_without_a_model() throws Exception {
    desk.provider(saying(finding("src/One.txt", "int one3 = 3;", "major")));
    var names =
        List.of(
            "terminal",
            "markdown",
            "json",
            "sarif",
            "annotations",
            "html",
            "codequality",
            "rdjson",
            "rdjsonl",
            "junit",
            "checkstyle");
    var args = new ArrayList<String>();
    names.forEach(it -> args.addAll(List.of("--format", it + "=fresh." + it)));
    assertThat(gitHub(args.toArray(String[]::new)).exit()).isZero();
    int asked = desk.asked().size();
    gitHub.close();
    var again = new ArrayList<>(List.of("report"));
    names.forEach(it -> again.addAll(List.of("--format", it + "=again." + it)));
    var screen = desk.flyball(again.toArray(String[]::new));
    assertThat(screen.exit()).as(screen.err()).isZero();
    for (var name : names) {
      assertThat(Files.readString(desk.file("again." + name)))
          .as(name)
          .isEqualTo(Files.readString(desk.file("fresh." + name)));
    }
    assertThat(desk.asked()).hasSize(asked);
    assertThat(desk.flyball("report", "--list").out()).contains("approved with comments");
    var none = desk.flyball("report", "20200101-000000-00000000");
    assertThat(none.exit()).isEqualTo(2);
    assertThat(none.err()).contains("there is no run");
  }

  @Test
  void no_answer_of_a_provider_is_needed_to_ask_the_fake_itself() throws Exception {
    var request =
        HttpRequest.newBuilder(
                URI.create(gitHub.api() + "/repos/" + REPOSITORY + "/pulls/1/reviews"))
            .header("Authorization", "Bearer " + TOKEN)
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    """
                    {"event":"COMMENT","body":"x","comments":[{"path":"src/One.txt","line":99,"body":"y"}]}\
                    """))
            .build();
    try (var client = HttpClient.newHttpClient()) {
      var reply = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).isEqualTo(422);
      assertThat(reply.body()).contains("Line could not be resolved");
    }
  }
}
