package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in a real terminal, whose window is changed under it, where there is tmux. */
class TmuxScreenTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String socket = "flyball-" + UUID.randomUUID();

  private String tmux(String... words) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("tmux", "-L", socket, "-f", "/dev/null"));
    command.addAll(List.of(words));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  @BeforeEach
  void there_is_tmux() throws InterruptedException {
    try {
      tmux("-V");
    } catch (IOException missing) {
      assumeThat(missing).as("tmux").isNull();
    }
  }

  @AfterEach
  void end() throws Exception {
    tmux("kill-server");
  }

  private List<String> until(Predicate<List<String>> seen)
      throws IOException, InterruptedException {
    var end = Instant.now().plus(PATIENCE);
    while (true) {
      var shown = tmux("capture-pane", "-p").lines().toList();
      if (seen.test(shown)) {
        return shown;
      }
      if (Instant.now().isAfter(end)) {
        throw new AssertionError("not seen in time:\n" + String.join("\n", shown));
      }
      // Between two looks the machine is for the command and not for tmux.
      tmux("run-shell", "-d", "0.1");
    }
  }

  private static void ask(CommandDesk desk, int count) throws IOException {
    desk.write(
        "in.jsonl",
        IntStream.range(0, count)
            .mapToObj(i -> CommandDesk.anthropic("q" + i, "claude-sonnet-5", "say " + i))
            .toArray(String[]::new));
  }

  /** The command in a window that stays after it has ended. */
  private void start(CommandDesk desk, String environment, String... args) throws Exception {
    var command = new ArrayList<String>();
    for (var word : desk.process(args).command()) {
      command.add("'" + word + "'");
    }
    command.add(command.indexOf("'-cp'"), "'-Djdk.console=java.base'");
    // Where this test runs in CI the window is still that of a person.
    var line =
        ("cd '%s'; stty -echo; clear; env -u CI -u NO_COLOR -u CLICOLOR_FORCE"
                + " %s XDG_STATE_HOME='%s' %s")
            .formatted(
                desk.folder,
                environment,
                desk.environment.get("XDG_STATE_HOME"),
                String.join(" ", command));
    // Ctrl+C ends the shell too; what was on the screen then is to stay.
    var said =
        tmux(
            "new-session -d -x 120 -y 40 sh -c LINE ; set-option -g remain-on-exit on"
                .transform(words -> Stream.of(words.split(" ", -1)))
                .map(word -> word.equals("LINE") ? line : word)
                .toArray(String[]::new));
    assertThat(said).as("what tmux said").isEmpty();
  }

  private static boolean isRunning(List<String> shown) {
    return shown.stream().anyMatch(line -> line.contains(" of 6,000") && line.contains("left"));
  }

  private static boolean isOneFrame(List<String> shown) {
    return shown.stream().filter(line -> line.contains(" of 6,000 ")).count() == 1
        && shown.stream().filter(line -> line.contains("in.jsonl")).count() == 1
        && shown.stream().filter(line -> line.contains("tokens ") && line.contains(" in,")).count()
            == 1;
  }

  @Test
  void a_window_may_change_its_size_while_a_batch_runs(@TempDir Path folder) throws Exception {
    var desk = new CommandDesk(folder);
    // By the limits of the simulated provider these take most of an hour: it cannot end by itself.
    ask(desk, 6_000);
    start(
        desk,
        "TERM=screen-256color LC_ALL=C.UTF-8",
        "batch",
        "in.jsonl",
        "--provider=simulated",
        "--no-history",
        "-o",
        "a.jsonl");
    until(TmuxScreenTest::isRunning);
    for (var size : new int[][] {{60, 40}, {40, 10}, {80, 24}, {200, 50}}) {
      tmux("resize-window", "-x", size[0] + "", "-y", size[1] + "");
      var shown = until(TmuxScreenTest::isOneFrame);
      assertThat(shown).allMatch(line -> line.length() <= size[0]);
    }
    tmux("send-keys", "C-c");
    until(shown -> shown.stream().anyMatch(line -> line.contains("run the same command")));
  }

  @Test
  void a_dumb_terminal_in_the_c_locale_gets_lines_of_plain_letters(@TempDir Path folder)
      throws Exception {
    var desk = new CommandDesk(folder);
    ask(desk, 60);
    start(
        desk,
        "TERM=dumb LC_ALL=C",
        "batch",
        "in.jsonl",
        "--provider=simulated",
        "--profile=unlimited",
        "--no-history",
        "-o",
        "a.jsonl");
    var shown = until(lines -> lines.stream().anyMatch(line -> line.startsWith("answers: ")));
    assertThat(String.join("\n", shown))
        .contains("in.jsonl -> a.jsonl", "60 answered in ")
        .isASCII();
  }
}
