package dev.flyball.cli.config;

import dev.flyball.cli.option.SetBy;
import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigRefused;
import dev.flyball.run.config.ConfigSection;
import dev.flyball.run.config.NearestWord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The check of a file of settings: each key is known and has a value, and a project's file says
 * nothing that only the user may say.
 */
public final class ConfigCheck {
  private static final Pattern WORDS = Pattern.compile("[a-z]+(,[a-z]+)*");

  private final CommandLine main;
  private final ConfigFile file;
  private final boolean project;
  private final String user;

  private ConfigCheck(CommandLine main, ConfigFile file, boolean project, String user) {
    this.main = main;
    this.file = file;
    this.project = project;
    this.user = user;
  }

  /** Refuses what is wrong in the user's file, and then what is wrong in the project's. */
  public static void of(Configuration config, CommandLine main) throws ConfigRefused {
    var user = config.files().user();
    new ConfigCheck(main, user, false, user.name()).keys();
    user.check();
    var project = config.files().project();
    new ConfigCheck(main, project, true, user.name()).keys();
    project.check();
    RuleConfig.of(config.files());
  }

  private void keys() throws ConfigRefused {
    var commands = main.getSubcommands();
    for (var key : file.keys()) {
      var section = ConfigSection.of(key);
      if (section.isPresent()) {
        check(section.get());
      } else if (commands.containsKey(key)) {
        if (!file.hasKeys(key)) {
          throw refused("the options of a command go below its name", key);
        }
        for (var inner : file.keys(key)) {
          var options = options(List.of(commands.get(key)), inner);
          if (options.isEmpty()) {
            throw unknown(names(List.of(commands.get(key))), key, inner);
          }
          check(options, key, inner);
        }
      } else {
        var options = options(commands.values(), key);
        if (options.isEmpty()) {
          var known = new TreeSet<>(commands.keySet());
          Arrays.stream(ConfigSection.values()).forEach(each -> known.add(each.key()));
          known.addAll(names(commands.values()));
          throw unknown(known, key);
        }
        check(options, key);
      }
    }
  }

  private void check(ConfigSection section) throws ConfigRefused {
    if (project && !section.isForProjects()) {
      throw refused(
          "a project file cannot set this: "
              + section.key()
              + " are yours to set; put them into "
              + user,
          section.key());
    }
  }

  private void check(List<OptionSpec> options, String... path) throws ConfigRefused {
    var option = options.getFirst();
    var value = file.value(path);
    if (value.isEmpty()) {
      throw refused(String.join(".", path) + " needs a value", path);
    }
    if (file.values(path) > 1 && options.stream().allMatch(each -> each.splitRegex().isEmpty())) {
      throw refused(String.join(".", path) + " takes one value here, not a list", path);
    }
    if (!project) {
      return;
    }
    var shown = ShownValue.of(option, value.get());
    if (options.stream().noneMatch(Configuration::isForProjects)) {
      throw refused(
          "a project file cannot set %s (here %s): put it into %s, or use --%s"
              .formatted(String.join(".", path), shown, user, Configuration.name(option)),
          path);
    }
    boolean words =
        options.stream().anyMatch(each -> Configuration.mark(each).map(SetBy::words).orElse(false));
    if (words && !WORDS.matcher(value.get()).matches()) {
      throw refused(
          "a project file cannot name an output file: %s is a plain word, not %s; put it into %s, or use --%s"
              .formatted(String.join(".", path), shown, user, Configuration.name(option)),
          path);
    }
  }

  private ConfigRefused refused(String rule, String... path) {
    return new ConfigRefused(file.place(path) + ": " + rule);
  }

  private ConfigRefused unknown(Iterable<String> known, String... path) {
    var meant = NearestWord.question(path[path.length - 1], known);
    return refused(
        "there is no key "
            + ShownValue.plain(String.join(".", path))
            + (meant.isEmpty() ? "; `flyball config --all` shows all" : meant),
        path);
  }

  private static List<OptionSpec> options(Iterable<CommandLine> commands, String name) {
    var found = new ArrayList<OptionSpec>();
    for (var command : commands) {
      command.getCommandSpec().options().stream()
          .filter(Configuration::configurable)
          .filter(option -> Configuration.names(option).contains(name))
          .forEach(found::add);
    }
    return found;
  }

  private static List<String> names(Iterable<CommandLine> commands) {
    var found = new ArrayList<String>();
    for (var command : commands) {
      command.getCommandSpec().options().stream()
          .filter(Configuration::configurable)
          .flatMap(option -> Configuration.names(option).stream())
          .forEach(found::add);
    }
    return found;
  }
}
