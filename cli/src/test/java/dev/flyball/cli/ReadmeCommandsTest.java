package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.flyball.cli.config.Configuration;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the README and the pages say to type is understood, and what needs no key is run. */
class ReadmeCommandsTest {
  private static final Path HOUSE = Path.of("..");
  private static final Pattern COMMAND =
      Pattern.compile("(?m)(?:^|`|\\| |run: )(?:\\./)?flyball ([a-z][^`\n|#]*)");
  private static final int MOST_LINES = 150;

  static List<String> commands() throws IOException {
    var pages = new ArrayList<Path>(List.of(HOUSE.resolve("README.md")));
    try (var docs = Files.newDirectoryStream(HOUSE.resolve("docs"), "*.md")) {
      docs.forEach(pages::add);
    }
    pages.sort(null);
    var found = new ArrayList<String>();
    for (var page : pages) {
      COMMAND
          .matcher(Files.readString(page).replace("\\\n", " "))
          .results()
          .map(each -> each.group(1).strip())
          .filter(each -> Commands.has(each.split(" ", 2)[0]) && !each.equals("batch"))
          .forEach(found::add);
    }
    return found.stream().distinct().toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_command_of_a_page_is_understood(String command) {
    var line = Main.command(Configuration.none());
    // A page writes what is left to the reader in brackets or in bars.
    var words =
        Stream.of(command.replaceAll("\\[[^\\]]*\\]", "").split(" +", -1))
            .map(
                word ->
                    word.contains("|") && !word.startsWith("-") ? word.split("\\|", -1)[0] : word)
            .toArray(String[]::new);
    assertThatCode(() -> line.parseArgs(words)).doesNotThrowAnyException();
  }

  @Test
  void the_readme_has_a_picture_and_is_short_enough_to_be_read() throws IOException {
    var lines = Files.readAllLines(HOUSE.resolve("README.md"));
    assertThat(lines).hasSizeLessThanOrEqualTo(MOST_LINES);
    assertThat(lines.subList(0, 10)).anyMatch(line -> line.contains("docs/demo.svg"));
    assertThat(HOUSE.resolve("docs/demo.svg")).isRegularFile();
  }

  /** Those that neither need a key nor wait for Ctrl+C, as they stand in the README. */
  static List<String> commandsOfTheFirstMinute() throws IOException {
    var readme = Files.readString(HOUSE.resolve("README.md"));
    return Pattern.compile("(?m)^flyball (.+)$")
        .matcher(readme)
        .results()
        .map(each -> each.group(1).strip())
        .filter(each -> !each.contains("prompts.jsonl"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commandsOfTheFirstMinute")
  void a_command_of_the_first_minute_does_what_it_says(String command, @TempDir Path folder)
      throws Exception {
    try (var desk = new CommandDesk(folder)) {
      desk.write("A.java", "class A {}");
      desk.git("init", "-qb", "main");
      desk.commit("first");
      var here =
          command
              .replace("examples/", HOUSE.resolve("examples").toAbsolutePath().normalize() + "/")
              .replace("answers.jsonl", desk.file("answers.jsonl").toString())
              .replace("demo", "demo --speed 50")
              .replace("main...HEAD", "HEAD...HEAD");
      var words = new ArrayList<>(List.of(here.split(" +", -1)));
      if (command.startsWith("batch")) {
        // On an account that is larger than the one that makes it worth looking at.
        words.addAll(List.of("--profile", "unlimited"));
      }
      var screen = desk.flyball(words.toArray(String[]::new));

      assertThat(screen.exit()).as(screen.err()).isZero();
      assertThat(screen.out()).isNotBlank();
      if (command.startsWith("batch")) {
        assertThat(desk.lines("answers.jsonl"))
            .hasSize(60)
            .allMatch(line -> line.path("simulated").asBoolean());
      }
    }
  }

  @Test
  void every_command_is_in_the_help_and_has_its_manual_page(@TempDir Path folder) {
    var desk = new CommandDesk(folder);
    for (var name : Commands.names()) {
      assertThat(Main.help()).contains("\n  " + name + " ");
      var help = desk.flyball(name, "--help");
      assertThat(help.exit()).isZero();
      assertThat(help.out()).contains("Examples:", "Usage: flyball " + name, "-h, --help");
      assertThat(help.out().lines()).allMatch(line -> line.length() <= 120);
      assertThat(desk.flyball("help", "--man", name).out()).startsWith(".TH \"FLYBALL-");
      assertThat(desk.flyball("help", name).out()).isEqualTo(help.out());
    }
  }

  @Test
  void shells_complete_what_there_is(@TempDir Path folder) {
    var desk = new CommandDesk(folder);
    for (var shell : List.of("bash", "zsh", "fish")) {
      assertThat(desk.flyball("completion", shell).out()).contains("batch", "max-wait");
    }
    assertThat(desk.flyball("completion", "zhs").err()).contains("did you mean zsh?");
  }

  @Test
  void what_was_nearly_right_is_named(@TempDir Path folder) throws IOException {
    var desk = new CommandDesk(folder);
    assertThat(desk.flyball("batc").err()).contains("did you mean batch?");
    assertThat(desk.flyball("batch", "--max-wate", "1h", "x").err())
        .contains("did you mean --max-wait?");
    assertThat(desk.flyball("prices", "claude-sonet-5").err())
        .contains("did you mean claude-sonnet-5?");
    desk.write("in.jsonl", "{}");
    assertThat(desk.flyball("batch", "in.jsonl", "--provider", "anthropc").err())
        .contains("not anthropc; did you mean anthropic?");
    assertThat(
            desk.flyball("batch", "in.jsonl", "--provider", "simulated", "--profile", "azur").err())
        .contains("not azur; did you mean azure?");
    assertThat(desk.flyball("batch", "in.jsonl", "out.jsonl").err())
        .contains("unexpected argument: out.jsonl; did you mean -o out.jsonl?");
  }

  @Test
  void a_file_of_settings_to_begin_with_is_one_that_is_taken(@TempDir Path folder)
      throws IOException {
    var desk = new CommandDesk(folder);
    assertThat(desk.flyball("init", "--schema").exit()).isZero();
    assertThat(desk.flyball("init").exit()).isEqualTo(2);
    assertThat(desk.flyball("config").exit()).isZero();
    // Every line that is commented out would be taken too.
    var all =
        Files.readString(desk.file("flyball.yaml"))
            .replaceFirst("^# yaml-language-server.*", "")
            .replaceAll("(?m)^# ?(([a-z-]+:|  [a-z-]+:).*)$", "$1");
    Files.writeString(desk.file("flyball.yaml"), all);
    assertThat(desk.flyball("config").err()).isEmpty();
    assertThat(desk.flyball("config").out()).contains("batch.ordered", "flyball.yaml");
  }

  @Test
  void answers_go_to_standard_output_when_they_are_piped(@TempDir Path folder) throws IOException {
    try (var desk = new CommandDesk(folder).provider(CommandDesk.quick())) {
      desk.questions(5);
      var screen =
          desk.flyball(
              "batch",
              desk.file("in.jsonl").toString(),
              "-o",
              "-",
              "--base-url",
              desk.simulator().uri().toString());
      assertThat(screen.exit()).as(screen.err()).isZero();
      assertThat(screen.out().lines()).hasSize(5).allMatch(line -> line.startsWith("{"));
      assertThat(desk.file("-")).doesNotExist();
      try (var files = Files.list(folder)) {
        assertThat(files.map(each -> each.getFileName().toString())).containsExactly("in.jsonl");
      }
    }
  }

  @Test
  void beside_the_answers_there_is_their_progress_and_nothing_else(@TempDir Path folder)
      throws IOException {
    try (var desk = new CommandDesk(folder).provider(CommandDesk.quick())) {
      desk.questions(3);
      assertThat(desk.batch("--events", desk.file("events.jsonl").toString()).exit()).isZero();
      try (var files = Files.list(folder)) {
        assertThat(files.map(each -> each.getFileName().toString()))
            .containsExactlyInAnyOrder(
                "in.jsonl", "out.jsonl", "out.progress.json", "events.jsonl");
      }
      assertThat(desk.flyball("status").out()).contains("out: done, 3 of 3 answered");
      assertThat(Files.readAllLines(desk.file("events.jsonl")))
          .anyMatch(line -> line.contains("\"event\":\"Admitted\""));
    }
  }

  @Test
  void a_file_of_settings_may_switch_pacing_off_for_every_command(@TempDir Path folder)
      throws IOException {
    try (var desk = new CommandDesk(folder).provider(CommandDesk.quick())) {
      desk.questions(2);
      desk.put("A.java", "class A {}\n");
      desk.write("flyball.yaml", "pacing: off");
      var batch = desk.batch("--progress=none");
      assertThat(batch.exit()).as(batch.err()).isZero();
      assertThat(batch.err()).contains("pacing is off");
      assertThat(desk.flyball("review", "A.java").exit()).isZero();
    }
  }

  @Test
  void no_file_of_answers_is_named_where_there_is_none(@TempDir Path folder) throws IOException {
    try (var desk = new CommandDesk(folder).provider(CommandDesk.quick())) {
      desk.questions(3);
      var screen = desk.batch("--progress=plain", "--budget-tokens", "1");
      assertThat(screen.exit()).isEqualTo(3);
      assertThat(screen.err() + screen.out())
          .contains("0 answered", "the budget is used up")
          .doesNotContain("answers: ");
      assertThat(desk.file("out.jsonl")).doesNotExist();
    }
  }

  @Test
  void a_quiet_run_still_says_why_it_ended(@TempDir Path folder) throws IOException {
    var settings = Settings.of("unlimited").limit("requests=1/day").burst("requests=1");
    try (var desk = new CommandDesk(folder).provider(settings)) {
      desk.questions(3);
      var screen = desk.batch("--progress=none", "--max-wait", "1s");
      assertThat(screen.exit()).isEqualTo(3);
      assertThat(screen.err()).contains("not finished", "nothing can be sent", "to resume");
    }
  }
}
