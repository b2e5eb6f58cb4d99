package dev.flyball.cli;

import static java.util.Objects.requireNonNullElse;

import dev.flyball.cli.config.ConfigBeforeChange;
import dev.flyball.cli.config.ConfigCheck;
import dev.flyball.cli.config.Configuration;
import dev.flyball.cli.config.ShownValue;
import dev.flyball.cli.help.HelpPage;
import dev.flyball.cli.help.ManPage;
import dev.flyball.cli.option.MovedState;
import dev.flyball.cli.screen.InertWriter;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.cli.screen.Version;
import dev.flyball.run.ExitCode;
import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigRefused;
import dev.flyball.run.config.NearestWord;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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
    description = "Runs calls to language models as fast as their rate limits allow.",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT)
public final class Main implements Callable<Integer> {
  private static final Pattern BEGINS_WITH_OPTION = Pattern.compile("(--?[a-z-]+): ");
  private static final Pattern CONVERSION =
      Pattern.compile("^Invalid value for option '(--?[a-z-]+)'(?: \\([^)]*\\))?: ");
  private static final Set<String> HELP = Set.of("-h", "--help", "help");
  private static final Set<String> VERSION = Set.of("-V", "--version", "version");

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
    // Otherwise a JVM of 22 or newer says that there is a terminal even where there is none.
    if (System.getProperty("jdk.console") == null) {
      System.setProperty("jdk.console", "java.base");
    }
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    var inert = InertWriter.before(err, System.getenv());
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
    var out = InertWriter.before(rawOut, environment);
    var err = InertWriter.before(rawErr, environment);
    if (args.length == 0 || (HELP.contains(args[0]) && args.length == 1)) {
      out.print(help());
      out.flush();
      return ExitCode.DONE.code();
    }
    if (VERSION.contains(args[0])) {
      out.println(Version.words());
      return ExitCode.DONE.code();
    }
    if (args[0].equals("help")) {
      return helpWith(environment, folder, out, err, List.of(args).subList(1, args.length));
    }
    // What is in a file of arguments is known only when it is read.
    boolean inFile = args[0].startsWith("@");
    if (!inFile && !Commands.has(args[0])) {
      err.println("flyball: " + unknown(args[0]));
      return ExitCode.REFUSED.code();
    }
    try {
      var config = configuration(environment, folder, err, args);
      return command(config, named(args)).setOut(out).setErr(err).execute(args);
    } catch (ConfigRefused wrong) {
      err.println("flyball: " + ShownValue.of(String.valueOf(wrong.getMessage()), environment));
      return ExitCode.REFUSED.code();
    }
  }

  /** The settings for a command line; all commands are built only where a file names keys. */
  private static Configuration configuration(
      Map<String, String> environment, Path folder, PrintWriter err, String... args)
      throws ConfigRefused {
    var user = Configuration.ofUser(environment, folder);
    if (!user.files().user().isEmpty()) {
      ConfigCheck.of(user, command(user));
    }
    var config =
        args[0].startsWith("@") || Commands.isReviewing(args[0])
            ? ConfigBeforeChange.of(
                user, command(user, named(args)), remark -> err.println("flyball: " + remark), args)
            : user.with(ConfigFile.project(folder), Optional.empty());
    if (!config.files().project().isEmpty()) {
      ConfigCheck.of(config, command(config));
    }
    return config;
  }

  private static List<String> named(String... args) {
    return args[0].startsWith("@") ? Commands.names() : List.of(args[0]);
  }

  private static int helpWith(
      Map<String, String> environment,
      Path folder,
      PrintWriter out,
      PrintWriter err,
      List<String> words) {
    boolean manual = words.getFirst().equals("--man");
    var named = manual ? words.subList(1, words.size()) : words;
    if (named.isEmpty() || !Commands.has(named.getFirst())) {
      err.println("flyball: " + unknown(named.isEmpty() ? "help --man" : named.getFirst()));
      return ExitCode.REFUSED.code();
    }
    if (!manual) {
      return run(environment, folder, out, err, named.getFirst(), "--help");
    }
    var only = command(Configuration.none(), List.of(named.getFirst()));
    var spec = only.getSubcommands().values().iterator().next().getCommandSpec();
    new ManPage(spec, Version.number()).lines().forEach(out::println);
    return ExitCode.DONE.code();
  }

  private static String unknown(String word) {
    if (word.startsWith("-")) {
      return "unknown option " + optionName(word) + ". See `flyball --help`.";
    }
    var meant = NearestWord.question(word, Commands.names());
    return "unknown command " + word + (meant.isEmpty() ? "." : meant) + " See `flyball --help`.";
  }

  /** What follows a name may be a key that somebody thought to have an option for. */
  private static String optionName(String word) {
    return word.replaceFirst("^(-[^-]|--[^=]*).*", "$1");
  }

  /** The text of {@code --help}, which needs no command to be built. */
  static String help() {
    try (@Nullable InputStream in = Main.class.getResourceAsStream("help.txt")) {
      if (in == null) {
        throw new IOException("this build has no help");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** All commands, as picocli sees them. */
  static CommandLine command(Configuration config) {
    return command(config, Commands.names());
  }

  /** Some of them. */
  private static CommandLine command(Configuration config, List<String> named) {
    var main = new CommandLine(new Main(config));
    Commands.add(main, named);
    main.setDefaultValueProvider(config)
        .setParameterExceptionHandler((problem, args) -> refuse(problem, config))
        .setExecutionExceptionHandler((problem, line, parsed) -> fail(problem, line))
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    main.getSubcommands()
        .values()
        .forEach(
            line -> {
              line.setHelpSectionKeys(List.of("page"));
              line.getHelpSectionMap()
                  .put("page", help -> page(help.commandSpec(), config.environment()));
            });
    return main;
  }

  private static String page(CommandSpec command, Map<String, String> environment) {
    var screen = Terminal.of(new PrintWriter(Writer.nullWriter()), environment);
    return String.join("\n", new HelpPage(command, screen.width()).lines()) + "\n";
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
    spec.commandLine().getOut().print(help());
    return ExitCode.DONE.code();
  }

  /** One line that says what is wrong, where it was said and where to look. */
  private static int refuse(ParameterException problem, Configuration config) {
    CommandLine command = problem.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String from = from(problem, config);
    var said = ShownValue.of(reason(problem), config.environment()) + from;
    command
        .getErr()
        .println(
            "%s: %s%s See `%s --help`."
                .formatted(name, said, said.endsWith("?") || said.endsWith(".") ? "" : ".", name));
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
      return CONVERSION
          .matcher(requireNonNullElse(problem.getMessage(), "wrong usage"))
          .replaceFirst("$1: ");
    }
    String word = unmatched.getUnmatched().getFirst();
    if (unmatched.isUnknownOption()) {
      var name = optionName(word);
      var known = unmatched.getCommandLine().getCommandSpec().optionsMap().keySet();
      return "unknown option " + name + NearestWord.question(name, known);
    }
    boolean written =
        unmatched.getCommandLine().getCommandSpec().optionsMap().containsKey("-o")
            && !word.startsWith("-");
    return "unexpected argument: " + word + (written ? "; did you mean -o " + word + "?" : "");
  }
}
