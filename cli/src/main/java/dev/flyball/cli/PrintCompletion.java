package dev.flyball.cli;

import dev.flyball.cli.config.Configuration;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.help.ShellCompletion;
import dev.flyball.run.ExitCode;
import dev.flyball.run.config.NearestWord;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code flyball completion}: what a shell needs to complete the others. */
@Command(
    name = "completion",
    description = "Prints a script that completes commands and options in your shell.",
    footer = {"", "Exit codes: 0, or 2 for a shell that is not known."})
@Examples({
  "eval \"$(flyball completion bash)\"                        in ~/.bashrc",
  "flyball completion zsh > ~/.zfunc/_flyball",
  "flyball completion fish > ~/.config/fish/completions/flyball.fish"
})
final class PrintCompletion implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  private String shell;

  @Override
  public Integer call() {
    if (!ShellCompletion.names().contains(shell)) {
      throw new ParameterException(
          spec.commandLine(),
          "unknown shell "
              + shell
              + NearestWord.question(shell, ShellCompletion.names())
              + " There is bash, zsh and fish.");
    }
    var out = spec.commandLine().getOut();
    out.print(
        ShellCompletion.valueOf(shell.toUpperCase(Locale.ROOT))
            .script(Main.command(Configuration.none())));
    out.flush();
    return ExitCode.DONE.code();
  }
}
