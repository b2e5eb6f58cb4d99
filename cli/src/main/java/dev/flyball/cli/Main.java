package dev.flyball.cli;

import static java.util.Objects.requireNonNullElse;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code flyball} command: the door to all the others, and help when nothing was asked. */
@Command(
    name = "flyball",
    description = "Runs calls to language models as fast as the limits allow, and never faster.",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    subcommands = Simulate.class)
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec;

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, args));
  }

  /** Runs the command and returns its exit code. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return command().setOut(out).setErr(err).execute(args);
  }

  /** All commands, as picocli sees them. */
  static CommandLine command() {
    return new CommandLine(new Main())
        .setParameterExceptionHandler((problem, args) -> refuse(problem))
        .setUsageHelpAutoWidth(true);
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return Exit.DONE.code();
  }

  /** One line that says what is wrong and where to look. */
  private static int refuse(ParameterException problem) {
    CommandLine command = problem.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + reason(problem) + " (`" + name + " --help` says more)");
    return Exit.REFUSED.code();
  }

  private static String reason(ParameterException problem) {
    if (!(problem instanceof UnmatchedArgumentException unmatched)) {
      return requireNonNullElse(problem.getMessage(), "wrong usage");
    }
    String word = unmatched.getUnmatched().getFirst();
    if (unmatched.isUnknownOption()) {
      return "there is no option " + word;
    }
    return unmatched.getCommandLine().getParent() == null
        ? "there is no command " + word
        : "nothing is expected at " + word;
  }
}
