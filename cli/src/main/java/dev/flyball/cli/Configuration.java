package dev.flyball.cli;

import dev.flyball.cli.option.SetBy;
import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.run.config.ConfigRefused;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The values that are in force when no flag says otherwise: the environment ({@code
 * FLYBALL_MAX_WAIT}), then the user's own file, then {@code flyball.yaml} in the folder where the
 * command runs, then the defaults. In a file an option stands under its command or, for all
 * commands that have it, at the top. Of a project's file only what {@link SetBy a project may set}
 * counts.
 */
final class Configuration implements IDefaultValueProvider {
  /**
   * A value and the place that it comes from.
   *
   * @param byProject whether a project says so, and not the user
   */
  record Value(String text, String from, boolean byProject) {}

  /** Commands that only show something are told each time what to show. */
  private static final Set<String> SHOWING = Set.of("lanes", "prices", "config");

  private final Map<String, String> environment;
  private final Path folder;
  private final ConfigFiles files;
  private final Optional<byte[]> patch;

  private Configuration(
      Map<String, String> environment, Path folder, ConfigFiles files, Optional<byte[]> patch) {
    this.environment = environment;
    this.folder = folder;
    this.files = files;
    this.patch = patch;
  }

  static Configuration none() {
    return new Configuration(Map.of(), Path.of(""), ConfigFiles.NONE, Optional.empty());
  }

  /** What the user says, and no project. */
  static Configuration ofUser(Map<String, String> environment, Path folder) throws ConfigRefused {
    var files = new ConfigFiles(ConfigFile.user(environment), ConfigFile.empty(ConfigFile.PROJECT));
    return new Configuration(environment, folder, files, Optional.empty());
  }

  /**
   * The same in a project.
   *
   * @param read the patch that the command is about, if it is about one
   */
  Configuration with(ConfigFile project, Optional<byte[]> read) {
    return new Configuration(environment, folder, new ConfigFiles(files.user(), project), read);
  }

  /** What the files say. */
  ConfigFiles files() {
    return files;
  }

  Map<String, String> environment() {
    return environment;
  }

  /** Where the command runs. */
  Path folder() {
    return folder;
  }

  /** The patch that the command is about, as it was read. */
  Optional<byte[]> patch() {
    return patch;
  }

  static boolean configurable(OptionSpec option) {
    return !option.usageHelp()
        && !option.versionHelp()
        && !option.hidden()
        && !mark(option).map(SetBy::value).equals(Optional.of(SetBy.Who.FLAG))
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

  /** Who may set an option; empty where it bears no mark. */
  static Optional<SetBy> mark(OptionSpec option) {
    return option.userObject() instanceof Field field
        ? Optional.ofNullable(field.getAnnotation(SetBy.class))
        : Optional.empty();
  }

  /** Whether a project may set an option. */
  static boolean isForProjects(OptionSpec option) {
    return mark(option).map(SetBy::value).equals(Optional.of(SetBy.Who.PROJECT));
  }

  /** What is configured for an option of a command. */
  Optional<Value> of(String command, OptionSpec option) {
    var variable = environment.get(variable(option));
    if (variable != null && !variable.isBlank()) {
      return Optional.of(new Value(variable, variable(option), false));
    }
    var name = name(option);
    return in(files.user(), command, name, false)
        .or(
            () ->
                isForProjects(option)
                    ? in(files.project(), command, name, true)
                    : Optional.empty());
  }

  private static Optional<Value> in(
      ConfigFile file, String command, String name, boolean byProject) {
    return file.value(command, name)
        .map(
            text ->
                new Value(text, file.place(command, name) + ": " + command + "." + name, byProject))
        .or(
            () ->
                file.value(name)
                    .map(text -> new Value(text, file.place(name) + ": " + name, byProject)));
  }

  /** Whether the user said what an option of the running command is, in whatever way. */
  boolean isUsers(CommandSpec command, String option) {
    var spec = command.findOption(option);
    return command.commandLine().getParseResult().hasMatchedOption(option)
        || (spec != null
            && of(command.name(), spec).filter(value -> !value.byProject()).isPresent());
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    // Each $ twice: picocli would put variables of the environment in the place of ${env:NAME}.
    return argument instanceof OptionSpec option && configurable(option)
        ? of(argument.command().name(), option)
            .map(value -> value.text().replace("$", "$$"))
            .orElse(null)
        : null;
  }
}
