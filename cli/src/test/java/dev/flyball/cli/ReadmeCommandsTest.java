package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the README says to type is understood, and the first of it does what it says. */
class ReadmeCommandsTest {
  private static final Path HOUSE = Path.of("..");
  private static final Pattern COMMAND = Pattern.compile("(?m)(?:^|`)\\./flyball ([^`\n]+)");

  static List<String> commands() throws IOException {
    return COMMAND
        .matcher(Files.readString(HOUSE.resolve("README.md")))
        .results()
        .map(found -> found.group(1).strip())
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_command_of_the_readme_is_understood(String command) {
    var line = Main.command(Configuration.none());
    assertThatCode(() -> line.parseArgs(command.split(" +", -1))).doesNotThrowAnyException();
  }

  @Test
  void the_first_command_answers_every_question(@TempDir Path folder) throws IOException {
    var first = commands().getFirst();
    assertThat(first)
        .isEqualTo("batch examples/questions.jsonl --provider simulated -o answers.jsonl");
    var desk = new CommandDesk(folder);
    var here =
        first
            .replace("examples/", HOUSE.resolve("examples") + "/")
            .replace("answers.jsonl", desk.file("answers.jsonl").toString());
    // On an account that is larger than the one that makes it worth looking at.
    var arguments =
        Stream.concat(
            Stream.of(here.split(" +", -1)),
            Stream.of("--profile", "unlimited", "--progress=none"));

    assertThat(desk.flyball(arguments.toArray(String[]::new)).exit()).isZero();
    assertThat(desk.lines("answers.jsonl"))
        .hasSize(60)
        .allMatch(line -> line.path("simulated").asBoolean());
  }
}
