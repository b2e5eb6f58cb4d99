package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.cli.config.Configuration;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class MainTest {
  /** What a person at the terminal got. */
  private record Screen(int exit, String out, String err) {}

  private static Screen flyball(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Screen(exit, out.toString(), err.toString());
  }

  @Test
  void without_arguments_it_shows_its_help() {
    Screen screen = flyball();

    assertThat(screen.exit()).isZero();
    assertThat(screen.out()).contains("Usage: flyball", "--help", "--version");
    assertThat(screen.err()).isEmpty();
  }

  @Test
  void help_was_asked_for_so_it_is_no_error() {
    assertThat(flyball("--help")).isEqualTo(flyball());
  }

  @Test
  void the_version_is_the_one_of_this_build_and_names_the_java_in_use() {
    Screen screen = flyball("--version");

    assertThat(screen.exit()).isZero();
    assertThat(screen.out())
        .matches("flyball \\d+\\.\\d+\\.\\d+(-SNAPSHOT)? \\(Java .+\\)\\R")
        .contains(Runtime.version().toString());
  }

  @Test
  void an_unknown_option_is_refused_with_exit_code_two() {
    Screen screen = flyball("--faster");

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.out()).isEmpty();
    assertThat(screen.err().lines())
        .containsExactly("flyball: unknown option --faster. See `flyball --help`.");
  }

  @Test
  void an_unknown_command_is_refused_with_exit_code_two() {
    Screen screen = flyball("fly");

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.out()).isEmpty();
    assertThat(screen.err().lines())
        .containsExactly("flyball: unknown command fly. See `flyball --help`.");
  }

  @Test
  void every_command_has_help_and_a_description() {
    for (CommandLine command : everyCommand(Main.command(Configuration.none()))) {
      String name = command.getCommandSpec().qualifiedName();
      assertThat(command.getCommandSpec().optionsMap()).as(name).containsKey("--help");
      assertThat(command.getCommandSpec().usageMessage().description()).as(name).isNotEmpty();
    }
  }

  private static List<CommandLine> everyCommand(CommandLine top) {
    List<CommandLine> found = new ArrayList<>(List.of(top));
    top.getSubcommands().values().forEach(command -> found.addAll(everyCommand(command)));
    return found;
  }
}
