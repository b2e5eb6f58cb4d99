package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command of the README and the pages is run, in a folder that has what they speak of. */
class PageCommandsTest {
  private static final Path HOUSE = Path.of("..");

  /** What speaks to a host of repositories, or to a Redis, is run where there is one. */
  private static final Pattern AT_A_HOST =
      Pattern.compile("--github|--gitlab|report .* --post|--fleet redi");

  private static final Pattern SERVER =
      Pattern.compile("^(serve|dashboard|simulate)( (?!--help).*)?$");
  private static final Pattern SERVER_SAYS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");

  static Stream<String> commands() throws IOException {
    return ReadmeCommandsTest.commands().stream()
        .filter(each -> !AT_A_HOST.matcher(each).find() && !SERVER.matcher(each).matches())
        // RunBatchTest has one that has learned something.
        .filter(each -> !each.startsWith("lanes --forget"))
        // The name of a command alone, in a sentence about it.
        .filter(each -> !each.equals("estimate") && !each.startsWith("queue "));
  }

  static Stream<String> servers() throws IOException {
    return ReadmeCommandsTest.commands().stream()
        .filter(each -> SERVER.matcher(each).matches() && !AT_A_HOST.matcher(each).find());
  }

  /** A repository with a change, prompts, a run and a review in its past, and two keys. */
  private static CommandDesk desk(Path folder) throws Exception {
    var desk = new CommandDesk(Files.createDirectory(folder.resolve("here")));
    desk.environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
    desk.provider(Settings.of("unlimited").latency(Latency.NONE).answers(Answers.parse("review")));
    Files.createDirectories(desk.file("examples"));
    for (var name : List.of("questions.jsonl", "review-answers.jsonl")) {
      Files.copy(HOUSE.resolve("examples").resolve(name), desk.file("examples/" + name));
    }
    desk.git("init", "-qb", "main");
    desk.put("A.java", "class A {\n  int one() {\n    return 1;\n  }\n}\n");
    desk.commit("first");
    desk.git("update-ref", "refs/remotes/origin/main", "HEAD");
    desk.put("A.java", "class A {\n  int one() {\n    return 2;\n  }\n}\n");
    desk.commit("second");
    desk.put("B.java", "class B {}\n");
    desk.git("add", "B.java");
    desk.write("prompts.jsonl", "{\"prompt\":\"say hello\"}");
    desk.write("IN.jsonl", CommandDesk.anthropic("q1", "claude-sonnet-5", "say hello"));
    return desk;
  }

  /** As if the user had a key of a provider that is here. */
  private static void keys(CommandDesk desk) {
    for (var name : List.of("ANTHROPIC", "OPENAI")) {
      desk.environment.put(name + "_API_KEY", "a-key-of-nobody");
      desk.environment.put(name + "_BASE_URL", desk.simulator().uri().toString());
    }
  }

  /** What a page leaves to the reader, filled in. */
  private static List<String> words(CommandDesk desk, String command) {
    var here =
        command
            .replaceAll("\\[[^\\]]*\\]", "")
            .replaceAll("completion \\S+", "completion bash")
            .replace("http://127.0.0.1:8089", desk.simulator().uri().toString())
            .replace("rules ID", "rules python/eval-of-text")
            .replace("estimate PATH", "estimate .")
            .replace("review FOLDER", "review .")
            .replace("/srv/git/api", ".")
            .replace("src/Login.java web", "A.java examples")
            .replace("'", "")
            .strip();
    var words = new ArrayList<>(List.of(here.split("\\s+", -1)));
    switch (words.getFirst()) {
      case "demo" -> words.addAll(List.of("--speed", "50"));
      case "serve", "dashboard", "simulate" -> words.addAll(List.of("--port", "0"));
      default -> {}
    }
    if (command.startsWith("batch examples")) {
      words.addAll(List.of("--profile", "unlimited"));
    }
    if (command.startsWith("batch prompts.jsonl") && !command.contains("--model")) {
      words.addAll(List.of("--model", "claude-sonnet-5"));
    }
    // The process of this test is in another folder.
    if (List.of("batch", "simulate").contains(words.getFirst())) {
      words.replaceAll(
          word -> word.matches("[\\w/-]+\\.jsonl?|FILE") ? desk.file(word).toString() : word);
    }
    return words;
  }

  private static void earlier(CommandDesk desk) {
    keys(desk);
    var input = desk.file("IN.jsonl").toString();
    var output = desk.file("earlier.jsonl").toString();
    var screen = desk.flyball("batch", input, "-o", output, "--progress", "none");
    assertThat(screen.exit()).as(screen.err()).isZero();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_command_does_what_the_page_says(String command, @TempDir Path folder) throws Exception {
    try (var desk = desk(folder)) {
      var words = words(desk, command);
      if (command.startsWith("batch")) {
        keys(desk);
      }
      if (command.startsWith("lanes") || command.startsWith("status")) {
        earlier(desk);
      }
      if (command.startsWith("report")) {
        assertThat(desk.flyball("review", "--diff", "HEAD").exit()).isZero();
      }
      if (command.equals("config")) {
        assertThat(desk.flyball("init").exit()).isZero();
      }
      if (command.equals("keys revoke alice")) {
        assertThat(desk.flyball("keys", "add", "alice").exit()).isZero();
      }
      if (command.contains("--patch -")) {
        desk.put("a.patch", CommandDesk.git(desk.folder, "diff", "HEAD~1..HEAD") + "\n");
        words.replaceAll(word -> word.equals("-") ? "a.patch" : word);
      }
      var screen = desk.flyball(words.toArray(String[]::new));

      // A gate may stop a review; what is refused or incomplete is no example.
      assertThat(screen.exit()).as(screen.err()).isLessThan(command.startsWith("review") ? 2 : 1);
      assertThat(screen.out() + screen.err()).isNotBlank();
      for (int i = 0; i < words.size() - 1; i++) {
        if (words.get(i).equals("-o") || words.get(i).equals("--report")) {
          assertThat(desk.folder.resolve(words.get(i + 1))).isNotEmptyFile();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void a_server_says_where_it_is_and_ends_when_it_is_told(String command, @TempDir Path folder)
      throws Exception {
    try (var desk = desk(folder);
        var pipe = new PipedWriter();
        var screen = new BufferedReader(new PipedReader(pipe, 1 << 20))) {
      if (command.startsWith("dashboard")) {
        earlier(desk);
      }
      if (command.startsWith("serve")) {
        keys(desk);
      }
      var out = new PrintWriter(pipe, true);
      var exit = new CompletableFuture<Integer>();
      var words = words(desk, command).toArray(String[]::new);
      var running =
          Thread.ofPlatform()
              .start(
                  () -> {
                    exit.complete(Main.run(desk.environment, desk.folder, out, out, words));
                    out.close();
                  });
      var said = new StringBuilder();
      while (!SERVER_SAYS.matcher(said).find()) {
        var line = screen.readLine();
        assertThat(line).as(said.toString()).isNotNull();
        said.append(line).append('\n');
      }
      running.interrupt();
      assertThat(exit.join()).as(said.toString()).isZero();
    }
  }

  @Test
  void what_is_left_to_other_tests_is_only_what_speaks_to_a_host() throws IOException {
    var left =
        ReadmeCommandsTest.commands().stream()
            .filter(each -> AT_A_HOST.matcher(each).find())
            .toList();
    assertThat(left)
        .isNotEmpty()
        .allMatch(each -> each.matches("(?:review|report|queue|serve|batch|fleet) .*"));
  }
}
