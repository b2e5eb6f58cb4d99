package dev.flyball.cli;

import dev.flyball.run.ProjectFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The values that are in force when no flag says otherwise: the environment ({@code
 * FLYBALL_MAX_WAIT}), then {@code flyball.yaml} in the folder where the command runs, then the
 * defaults. In the file an option stands under its command or, for all commands that have it, at
 * the top.
 */
final class Configuration implements IDefaultValueProvider {
  /** A value and the place that it comes from. */
  record Value(String text, String from) {}

  /** Commands that only show something are told each time what to show. */
  private static final Set<String> SHOWING = Set.of("lanes", "prices", "config");

  private final Map<String, String> environment;
  private final Path folder;
  private final ProjectFile file;

  private Configuration(Map<String, String> environment, Path folder, ProjectFile file) {
    this.environment = environment;
    this.folder = folder;
    this.file = file;
  }

  static Configuration none() {
    return new Configuration(Map.of(), Path.of(""), ProjectFile.NONE);
  }

  /** Reads the file, if there is one. */
  static Configuration read(Map<String, String> environment, Path folder) throws IOException {
    return new Configuration(environment, folder, ProjectFile.in(folder));
  }

  /** With what the file says, if there is one. */
  static Configuration of(Map<String, String> environment, Path folder, Optional<byte[]> content)
      throws IOException {
    var file = content.isEmpty() ? ProjectFile.NONE : ProjectFile.of(content.get());
    return new Configuration(environment, folder, file);
  }

  /** What the project says. */
  ProjectFile file() {
    return file;
  }

  Map<String, String> environment() {
    return environment;
  }

  /** Where the command runs. */
  Path folder() {
    return folder;
  }

  /** The first key that nobody knows, with those that it might have meant. */
  Optional<String> unknownKey(CommandLine main) {
    var commands = main.getSubcommands();
    for (var key : file.keys()) {
      if (ProjectFile.SECTIONS.contains(key)) {
        continue;
      }
      if (commands.containsKey(key)) {
        for (var inner : file.keys(key)) {
          if (option(commands.get(key), inner).isEmpty()) {
            return Optional.of(unknown(key + "." + inner, names(commands.get(key))));
          }
        }
      } else if (commands.values().stream().allMatch(each -> option(each, key).isEmpty())) {
        var known = new TreeSet<>(commands.keySet());
        known.addAll(ProjectFile.SECTIONS);
        commands.values().forEach(each -> known.addAll(names(each)));
        return Optional.of(unknown(key, known));
      }
    }
    return Optional.empty();
  }

  private static String unknown(String key, Iterable<String> known) {
    var last = key.substring(key.lastIndexOf('.') + 1);
    String nearest = "";
    int best = 4;
    for (var each : known) {
      int distance = distance(last, each);
      if (distance < best) {
        nearest = each;
        best = distance;
      }
    }
    return ProjectFile.NAME
        + ": there is no key "
        + key
        + (nearest.isEmpty() ? "; `flyball config` shows all" : "; did you mean " + nearest + "?");
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

  private static Optional<OptionSpec> option(CommandLine command, String name) {
    return command.getCommandSpec().options().stream()
        .filter(option -> configurable(option) && name(option).equals(name))
        .findFirst();
  }

  private static List<String> names(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .filter(Configuration::configurable)
        .map(Configuration::name)
        .toList();
  }

  static boolean configurable(OptionSpec option) {
    return !option.usageHelp()
        && !option.versionHelp()
        && !option.hidden()
        && !option.longestName().equals("--import")
        && !SHOWING.contains(option.command().name());
  }

  /** An option's long name without its dashes. */
  static String name(OptionSpec option) {
    var longest = Arrays.stream(option.names()).max(Comparator.comparingInt(String::length));
    return longest.orElseThrow().replaceFirst("^-+", "");
  }

  static String variable(OptionSpec option) {
    return "FLYBALL_" + name(option).toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** What is configured for an option of a command. */
  Optional<Value> of(String command, OptionSpec option) {
    var variable = environment.get(variable(option));
    if (variable != null && !variable.isBlank()) {
      return Optional.of(new Value(variable, variable(option)));
    }
    var name = name(option);
    return file.value(command, name)
        .map(text -> new Value(text, ProjectFile.NAME + ": " + command + "." + name))
        .or(() -> file.value(name).map(text -> new Value(text, ProjectFile.NAME + ": " + name)));
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option && configurable(option)
        ? of(argument.command().name(), option).map(Value::text).orElse(null)
        : null;
  }
}
