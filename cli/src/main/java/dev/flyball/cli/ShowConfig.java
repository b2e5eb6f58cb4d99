package dev.flyball.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.cli.config.Configuration;
import dev.flyball.cli.config.ShownValue;
import dev.flyball.cli.help.Examples;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.run.ExitCode;
import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigSection;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball config}: what is in force, and where each value comes from. */
@Command(
    name = "config",
    description = {
      "Shows the settings in force and where each comes from.",
      "Order: flag, environment (FLYBALL_MAX_WAIT=1h), your own ~/.config/flyball/config.yaml,"
          + " flyball.yaml in this folder, default."
    },
    footer = {
      "",
      "In a file, an option goes under its command, or at the top level for all commands that have"
          + " it:",
      "  max-wait: 1h",
      "  batch:",
      "    order: longest-first",
      "`lenses`, `profiles` and `classes` add to what is built in; in your own file `providers`",
      "and `prices` do too. A flyball.yaml can tune a run, but cannot set addresses, keys,",
      "headers, history, outputs or consent: only you can set those."
    })
@Examples({
  "flyball config",
  "flyball config --all",
  "flyball config --schema > flyball.schema.json"
})
final class ShowConfig implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Option(names = "--all", description = "Shows the defaults too.")
  private boolean all;

  @Option(
      names = "--schema",
      description = "Prints the JSON schema of flyball.yaml instead, for editors.")
  private boolean schema;

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    var files = main.config().files();
    var commands = Main.command(main.config());
    if (schema) {
      out.println(AsciiJson.pretty(Schema.of(commands)));
      return ExitCode.DONE.code();
    }
    out.println("# yours:         " + shown(files.user()));
    out.println("# the project's: " + shown(files.project()));
    var options =
        commands.getSubcommands().values().stream()
            .flatMap(command -> command.getCommandSpec().options().stream())
            .filter(Configuration::configurable)
            .filter(option -> all || value(option).isPresent())
            .toList();
    if (options.isEmpty()) {
      out.println("nothing is set; `flyball config --all` shows the defaults");
    } else {
      out.printf("%-28s %-24s %s%n", "# option", "value", "from");
      options.forEach(option -> line(option, out));
    }
    return ExitCode.DONE.code();
  }

  private static String shown(ConfigFile file) {
    return file.name() + (file.isEmpty() ? " (sets nothing)" : "");
  }

  private Optional<Configuration.Value> value(OptionSpec option) {
    return main.config().of(option.command().name(), option);
  }

  private void line(OptionSpec option, PrintWriter out) {
    var command = option.command().name();
    var value = value(option);
    out.printf(
        "%-28s %-24s %s%n",
        command + "." + Configuration.name(option),
        value.map(each -> ShownValue.of(option, each.text())).orElse(usual(option.defaultValue())),
        value.map(Configuration.Value::from).orElse("default"));
  }

  private static String usual(String value) {
    return value == null ? "-" : value;
  }

  /** The JSON schema of {@code flyball.yaml}: every key that a project may set, and no other. */
  static final class Schema {
    private Schema() {}

    static ObjectNode of(CommandLine main) {
      var schema = object();
      schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
      schema.put("title", "flyball.yaml");
      schema.put("type", "object");
      schema.put("additionalProperties", false);
      var top = schema.putObject("properties");
      for (var command : main.getSubcommands().values()) {
        var own = object();
        for (var option : command.getCommandSpec().options()) {
          if (Configuration.configurable(option) && Configuration.isForProjects(option)) {
            for (var name : Configuration.names(option)) {
              own.set(name, value(option));
              top.set(name, value(option));
            }
          }
        }
        if (!own.isEmpty()) {
          var section = top.putObject(command.getCommandName());
          section.put("type", "object");
          section.put("additionalProperties", false);
          section.set("properties", own);
        }
      }
      Arrays.stream(ConfigSection.values())
          .filter(ConfigSection::isForProjects)
          .forEach(section -> top.putObject(section.key()));
      return schema;
    }

    private static ObjectNode value(OptionSpec option) {
      var value = object();
      value.put(
          "description", String.join(" ", option.description()).replace("${DEFAULT-VALUE}", ""));
      if (option.arity().max() == 0) {
        value.put("type", "boolean");
      } else {
        value.putArray("type").add("string").add("number").add("array");
      }
      if (option.defaultValue() != null) {
        value.put("default", option.defaultValue());
      }
      return value;
    }

    private static ObjectNode object() {
      return JsonNodeFactory.instance.objectNode();
    }
  }
}
