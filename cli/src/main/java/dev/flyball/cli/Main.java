package dev.flyball.cli;

import static java.util.Objects.requireNonNullElse;

import dev.flyball.cli.screen.InertWriter;
import dev.flyball.run.ExitCode;
import dev.flyball.run.config.ConfigRefused;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
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
    subcommands = {
      Demo.class,
      RunBatch.class,
      RunReview.class,
      ShowEstimate.class,
      ShowUsage.class,
      ShowLanes.class,
      ShowPrices.class,
      ShowConfig.class,
      Simulate.class
    })
public final class Main implements Callable<Integer> {
  private static final Pattern BEGINS_WITH_OPTION = Pattern.compile("(--?[a-z-]+): ");

  @Spec private CommandSpec spec;

  private final Configuration config;

  private Main(Configuration config) {
    this.config = config;
  }

  /** What is in force when no flag says otherwise. */
  Configuration config() {
    return config;
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    var inert = InertWriter.before(err);
    Thread.setDefaultUncaughtExceptionHandler((thread, defect) -> defect.printStackTrace(inert));
    System.exit(run(out, err, args));
  }

  /** Runs the command here and returns its exit code. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(System.getenv(), Path.of(""), out, err, args);
  }

  /** Runs the command as from a folder and returns its exit code. */
  static int run(
      Map<String, String> environment,
      Path folder,
      PrintWriter rawOut,
      PrintWriter rawErr,
      String... args) {
    var out = InertWriter.before(rawOut);
    var err = InertWriter.before(rawErr);
    try {
      var user = Configuration.ofUser(environment, folder);
      var asked = command(user);
      ConfigCheck.of(user, asked);
      var config =
          ConfigBeforeChange.of(user, asked, remark -> err.println("flyball: " + remark), args);
      var command = command(config).setOut(out).setErr(err);
      ConfigCheck.of(config, command);
      return command.execute(args);
    } catch (ConfigRefused wrong) {
      err.println("flyball: " + ShownValue.of(String.valueOf(wrong.getMessage()), environment));
      return ExitCode.REFUSED.code();
    }
  }

  /** All commands, as picocli sees them. */
  static CommandLine command(Configuration config) {
    return new CommandLine(new Main(config))
        .setDefaultValueProvider(config)
        .setParameterExceptionHandler((problem, args) -> refuse(problem, config))
        .setExecutionExceptionHandler((problem, line, parsed) -> fail(problem, line))
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setUsageHelpAutoWidth(true);
  }

  /** Whoever a run tells what went wrong beside it: a line of the command's. */
  static Consumer<String> warnings(CommandSpec command) {
    return what -> command.commandLine().getErr().println(command.qualifiedName() + ": " + what);
  }

  /** Says once what has moved, unless the run remembers nothing or tells a program. */
  static void sayWhatMoved(CommandSpec command, Configuration config, boolean wanted) {
    if (wanted) {
      MovedState.word(config.environment(), config.folder()).ifPresent(warnings(command));
    }
  }

  /** A file that cannot be had is said in a line; anything else is a defect, and shown as one. */
  private static int fail(Exception problem, CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    if (problem instanceof IOException) {
      command.getErr().println(name + ": " + words(problem));
      return ExitCode.REFUSED.code();
    }
    command.getErr().println(name + ": a defect in Flyball; please report what follows");
    problem.printStackTrace(command.getErr());
    return ExitCode.FAILED.code();
  }

  private static String words(Exception problem) {
    if (problem instanceof AccessDeniedException denied) {
      return denied.getFile() + " cannot be opened: it is not allowed";
    }
    return problem instanceof FileSystemException file && file.getReason() != null
        ? file.getFile() + ": " + file.getReason()
        : String.valueOf(problem.getMessage());
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return ExitCode.DONE.code();
  }

  /** One line that says what is wrong, where it was said and where to look. */
  private static int refuse(ParameterException problem, Configuration config) {
    CommandLine command = problem.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String from = from(problem, config);
    command
        .getErr()
        .println(
            name
                + ": "
                + ShownValue.of(reason(problem), config.environment())
                + from
                + " (`"
                + name
                + " --help` says more)");
    return ExitCode.REFUSED.code();
  }

  /** Where a wrong value comes from, if no flag says it. */
  private static String from(ParameterException problem, Configuration config) {
    var command = problem.getCommandLine();
    var said = BEGINS_WITH_OPTION.matcher(String.valueOf(problem.getMessage()));
    var option =
        problem.getArgSpec() instanceof OptionSpec named
            ? named
            : said.lookingAt() ? command.getCommandSpec().findOption(said.group(1)) : null;
    return option != null
            && Configuration.configurable(option)
            && !command.getParseResult().hasMatchedOption(option)
        ? config
            .of(command.getCommandName(), option)
            .map(value -> ", which is from " + value.from())
            .orElse("")
        : "";
  }

  private static String reason(ParameterException problem) {
    if (!(problem instanceof UnmatchedArgumentException unmatched)) {
      return requireNonNullElse(problem.getMessage(), "wrong usage");
    }
    String word = unmatched.getUnmatched().getFirst();
    if (unmatched.isUnknownOption()) {
      // What follows a name may be a key that somebody thought to have an option for.
      return "there is no option " + word.replaceFirst("^(-[^-]|--[^=]*).*", "$1");
    }
    return unmatched.getCommandLine().getParent() == null
        ? "there is no command " + word
        : "nothing is expected at " + word;
  }
}
