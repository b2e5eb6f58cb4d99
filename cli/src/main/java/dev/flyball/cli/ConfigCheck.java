package dev.flyball.cli;

import dev.flyball.cli.option.SetBy;
import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigRefused;
import dev.flyball.run.config.ConfigSection;
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
final class ConfigCheck {
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
  static void of(Configuration config, CommandLine main) throws ConfigRefused {
    var user = config.files().user();
    new ConfigCheck(main, user, false, user.name()).keys();
    user.check();
    var project = config.files().project();
    new ConfigCheck(main, project, true, user.name()).keys();
    project.check();
  }

  private void keys() throws ConfigRefused {
    var commands = main.getSubcommands();
    for (var key : file.keys()) {
      var section = ConfigSection.of(key);
      if (section.isPresent()) {
        check(section.get());
      } else if (commands.containsKey(key)) {
        if (!file.hasKeys(key)) {
          throw refused("options stand below the name of their command", key);
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
          "a project tunes, and never says where anything goes or what it costs: "
              + section.key()
              + " are the user's; put them into "
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
          "a project tunes, and never says where anything goes, what is asked about or that it is"
              + " agreed to: %s is the user's, and was %s; put it into %s, or use --%s"
                  .formatted(String.join(".", path), shown, user, Configuration.name(option)),
          path);
    }
    boolean words =
        options.stream().anyMatch(each -> Configuration.mark(each).map(SetBy::words).orElse(false));
    if (words && !WORDS.matcher(value.get()).matches()) {
      throw refused(
          "a project names no file to write to: %s is a plain word, and was %s; put it into %s, or use --%s"
              .formatted(String.join(".", path), shown, user, Configuration.name(option)),
          path);
    }
  }

  private ConfigRefused refused(String rule, String... path) {
    return new ConfigRefused(file.place(path) + ": " + rule);
  }

  private ConfigRefused unknown(Iterable<String> known, String... path) {
    var last = path[path.length - 1];
    String nearest = "";
    int best = 4;
    for (var each : known) {
      int distance = distance(last, each);
      if (distance < best) {
        nearest = each;
        best = distance;
      }
    }
    return refused(
        "there is no key "
            + ShownValue.plain(String.join(".", path))
            + (nearest.isEmpty()
                ? "; `flyball config` shows all"
                : "; did you mean " + nearest + "?"),
        path);
  }

  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= one.length(); i++) {
      int corner = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int change = corner + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        corner = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }

  private static List<OptionSpec> options(Iterable<CommandLine> commands, String name) {
    var found = new ArrayList<OptionSpec>();
    for (var command : commands) {
      command.getCommandSpec().options().stream()
          .filter(Configuration::configurable)
          .filter(option -> Configuration.name(option).equals(name))
          .forEach(found::add);
    }
    return found;
  }

  private static List<String> names(Iterable<CommandLine> commands) {
    var found = new ArrayList<String>();
    for (var command : commands) {
      command.getCommandSpec().options().stream()
          .filter(Configuration::configurable)
          .map(Configuration::name)
          .forEach(found::add);
    }
    return found;
  }
}
