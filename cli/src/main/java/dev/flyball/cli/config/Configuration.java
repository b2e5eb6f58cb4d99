package dev.flyball.cli.config;

import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.review.PullReading;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.run.config.ConfigRefused;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
public final class Configuration implements IDefaultValueProvider {
  /**
   * A value and the place that it comes from.
   *
   * @param byProject whether a project says so, and not the user
   */
  public record Value(String text, String from, boolean byProject) {}

  /** Commands that only show something are told each time what to show. */
  private static final Set<String> SHOWING =
      Set.of("lanes", "prices", "config", "status", "init", "completion", "warm-up", "rules");

  private final Map<String, String> environment;
  private final Path folder;
  private final ConfigFiles files;
  private final Optional<byte[]> patch;
  private final Optional<PullReading> pull;

  private Configuration(
      Map<String, String> environment,
      Path folder,
      ConfigFiles files,
      Optional<byte[]> patch,
      Optional<PullReading> pull) {
    this.environment = environment;
    this.folder = folder;
    this.files = files;
    this.patch = patch;
    this.pull = pull;
  }

  public static Configuration none() {
    return new Configuration(
        Map.of(), Path.of(""), ConfigFiles.NONE, Optional.empty(), Optional.empty());
  }

  /** What the user says, and no project. */
  public static Configuration ofUser(Map<String, String> environment, Path folder)
      throws ConfigRefused {
    var files = new ConfigFiles(ConfigFile.user(environment), ConfigFile.empty(ConfigFile.PROJECT));
    return new Configuration(environment, folder, files, Optional.empty(), Optional.empty());
  }

  /**
   * The same in a project.
   *
   * @param read the patch that the command is about, if it is about one
   */
  public Configuration with(ConfigFile project, Optional<byte[]> read) {
    return new Configuration(
        environment, folder, new ConfigFiles(files.user(), project), read, Optional.empty());
  }

  /** The same for a pull request, with the file of the state before it. */
  public Configuration with(ConfigFile project, PullReading reading) {
    return new Configuration(
        environment,
        folder,
        new ConfigFiles(files.user(), project),
        Optional.empty(),
        Optional.of(reading));
  }

  /** What the files say. */
  public ConfigFiles files() {
    return files;
  }

  /** What they say of rules; that it can be was seen when they were read. */
  public RuleChoices rules() {
    try {
      return RuleConfig.of(files);
    } catch (ConfigRefused impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public Map<String, String> environment() {
    return environment;
  }

  /** Where the command runs. */
  public Path folder() {
    return folder;
  }

  /** The patch that the command is about, as it was read. */
  public Optional<byte[]> patch() {
    return patch;
  }

  /** The pull request that the command is about, as far as it was read. */
  public Optional<PullReading> pull() {
    return pull;
  }

  public static boolean configurable(OptionSpec option) {
    return !option.usageHelp()
        && !option.versionHelp()
        && !option.hidden()
        && !mark(option).map(SetBy::value).equals(Optional.of(SetBy.Who.FLAG))
        && !SHOWING.contains(option.command().name());
  }

  /** An option's long name without its dashes. */
  public static String name(OptionSpec option) {
    var longest = Arrays.stream(option.names()).max(Comparator.comparingInt(String::length));
    return longest.orElseThrow().replaceFirst("^-+", "");
  }

  /** All its long names without their dashes, the longest first: each is a key. */
  public static List<String> names(OptionSpec option) {
    return Arrays.stream(option.names())
        .filter(each -> each.startsWith("--"))
        .sorted(Comparator.comparingInt(String::length).reversed())
        .map(each -> each.substring(2))
        .toList();
  }

  private static String variable(String name) {
    return "FLYBALL_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Who may set an option; empty where it bears no mark. */
  public static Optional<SetBy> mark(OptionSpec option) {
    return option.userObject() instanceof Field field
        ? Optional.ofNullable(field.getAnnotation(SetBy.class))
        : Optional.empty();
  }

  /** Whether a project may set an option. */
  public static boolean isForProjects(OptionSpec option) {
    return mark(option).map(SetBy::value).equals(Optional.of(SetBy.Who.PROJECT));
  }

  /** What is configured for an option of a command. */
  public Optional<Value> of(String command, OptionSpec option) {
    var names = names(option);
    return first(names, this::inEnvironment)
        .or(() -> first(names, name -> in(files.user(), command, name, false)))
        .or(
            () ->
                isForProjects(option)
                    ? first(names, name -> in(files.project(), command, name, true))
                    : Optional.empty());
  }

  private static Optional<Value> first(
      List<String> names, Function<String, Optional<Value>> lookup) {
    return names.stream().flatMap(name -> lookup.apply(name).stream()).findFirst();
  }

  private Optional<Value> inEnvironment(String name) {
    return Optional.ofNullable(environment.get(variable(name)))
        .filter(value -> !value.isBlank())
        .map(value -> new Value(value, variable(name), false));
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
  public boolean isUsers(CommandSpec command, String option) {
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
