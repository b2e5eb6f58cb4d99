package dev.flyball.cli;

import dev.flyball.run.ExitCode;
import dev.flyball.run.config.ConfigFile;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball config}: what is in force, and where each value comes from. */
@Command(
    name = "config",
    description = {
      "Shows what is in force when no flag says otherwise, and where each value comes from.",
      "First the environment counts (FLYBALL_MAX_WAIT=1h), then your own file"
          + " (~/.config/flyball/config.yaml), then flyball.yaml in this folder, then the defaults."
    },
    footer = {
      "",
      "In a file an option stands under its command, or at the top for all that have it:",
      "  max-wait: 1h",
      "  batch:",
      "    order: longest-first",
      "`lenses`, `profiles` and `classes` there add to what is known; in your own file `providers`",
      "and `prices` do too. A flyball.yaml may tune a run, but says nothing of addresses, keys,",
      "headers, history, outputs or consent: those are yours."
    })
final class ShowConfig implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    var files = main.config().files();
    out.println("# yours:         " + shown(files.user()));
    out.println("# the project's: " + shown(files.project()));
    spec.parent().subcommands().values().stream()
        .flatMap(command -> command.getCommandSpec().options().stream())
        .filter(Configuration::configurable)
        .forEach(option -> line(option, out));
    return ExitCode.DONE.code();
  }

  private static String shown(ConfigFile file) {
    return file.name() + (file.isEmpty() ? " (says nothing, or is not there)" : "");
  }

  private void line(OptionSpec option, PrintWriter out) {
    var command = option.command().name();
    var value = main.config().of(command, option);
    out.printf(
        "%-28s %-24s %s%n",
        command + "." + Configuration.name(option),
        value.map(each -> ShownValue.of(option, each.text())).orElse(usual(option.defaultValue())),
        value.map(Configuration.Value::from).orElse("default"));
  }

  private static String usual(String value) {
    return value == null ? "-" : value;
  }
}
