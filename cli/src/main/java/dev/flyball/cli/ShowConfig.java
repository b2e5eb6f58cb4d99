package dev.flyball.cli;

import dev.flyball.history.record.HistoryLocation;
import dev.flyball.run.ExitCode;
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
      "First the environment counts (FLYBALL_MAX_WAIT=1h), then flyball.yaml in this folder, then"
          + " the defaults."
    },
    footer = {
      "",
      "In flyball.yaml an option stands under its command, or at the top for all that have it:",
      "  max-wait: 1h",
      "  batch:",
      "    order: longest-first",
      "`providers`, `profiles`, `classes` and `prices` there add to what is known of providers."
    })
final class ShowConfig implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    var config = main.config();
    spec.parent().subcommands().values().stream()
        .map(command -> command.getCommandSpec())
        .forEach(
            command ->
                command.options().stream()
                    .filter(Configuration::configurable)
                    .forEach(
                        option -> {
                          var value =
                              config
                                  .of(command.name(), option)
                                  .orElseGet(
                                      () ->
                                          new Configuration.Value(
                                              usual(option.defaultValue()), "default"));
                          out.printf(
                              "%-28s %-24s %s%n",
                              command.name() + "." + Configuration.name(option),
                              shown(option, value.text()),
                              value.from());
                        }));
    return ExitCode.DONE.code();
  }

  /** A place of history without its password. */
  private static String shown(OptionSpec option, String text) {
    try {
      return Configuration.name(option).equals("history")
          ? HistoryLocation.of(text).toString()
          : text;
    } catch (IllegalArgumentException wrong) {
      return "?";
    }
  }

  private static String usual(String value) {
    return value == null ? "-" : value;
  }
}
