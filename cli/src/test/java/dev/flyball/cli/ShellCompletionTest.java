package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Completion, read by the shells that it is for, where they are installed. */
class ShellCompletionTest {
  @TempDir private Path folder;

  private Path script(String shell) throws IOException {
    var said = new CommandDesk(folder).flyball("completion", shell);
    assertThat(said.exit()).isZero();
    return Files.writeString(folder.resolve("completion." + shell), said.out());
  }

  private String run(String... command) throws InterruptedException {
    try {
      var process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
      process.getOutputStream().close();
      var said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(process.waitFor()).as(said).isZero();
      return said;
    } catch (IOException missing) {
      assumeThat(missing).as(command[0]).isNull();
      throw new AssertionError(missing);
    }
  }

  @ParameterizedTest
  @CsvSource({"bash, -n", "zsh, -n", "fish, --no-execute"})
  void a_shell_can_read_its_script(String shell, String only) throws Exception {
    assertThat(run(shell, only, script(shell).toString())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "ba, batch",
    "das, dashboard",
    "'batch --max-w', --max-wait",
    "'serve --acc', --access-log",
    "'review --sta', --staged"
  })
  void bash_completes_commands_and_options(String typed, String whole) throws Exception {
    var words = ("flyball " + typed).split(" ", -1);
    var line =
        "source '%s'; compopt() { :; }; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_flyball; echo \"${COMPREPLY[@]}\""
            .formatted(script("bash"), String.join(" ", words), words.length - 1);
    assertThat(run("bash", "--norc", "-c", line)).isEqualTo(whole);
  }

  @ParameterizedTest
  @CsvSource({
    "ba, batch",
    "'batch --max-w', --max-wait",
    "'batch --order l', longest-first",
    "'completion z', zsh",
    "'keys rev', revoke"
  })
  void fish_completes_commands_options_and_values(String typed, String whole) throws Exception {
    var said =
        run(
            "fish",
            "--no-config",
            "-c",
            "source '%s'; complete -C 'flyball %s'".formatted(script("fish"), typed));
    assertThat(said.lines().map(line -> line.split("\t", -1)[0])).containsExactly(whole);
  }

  /** Zsh has a system of its own; what is made for bash ends there with commands it lacks. */
  @Test
  void zsh_is_told_in_its_own_words() throws Exception {
    var script = Files.readString(script("zsh"));
    assertThat(script)
        .startsWith("#compdef flyball\n")
        .contains("_arguments -s", "'(--order)--order=[")
        .contains(":(fifo longest-first)'", "'1:keys:(add list revoke)'")
        .doesNotContain("compopt", "bashcompinit", "complete -F");
    for (var name : Commands.names()) {
      assertThat(script).contains("    '" + name + ":", "    " + name + ")\n");
    }
    // A colon or a bracket of a description would end it.
    assertThat(script.lines().filter(line -> line.startsWith("        '(")))
        .allMatch(line -> line.replaceAll("\\\\.", "").chars().filter(c -> c == '[').count() == 1);
    assertThat(List.of("batch", "review")).allMatch(script::contains);
  }
}
