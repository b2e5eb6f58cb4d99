package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.cli.config.Configuration;
import dev.flyball.run.config.ConfigSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.OptionSpec;

/** Who may set what, over all options of all commands, and the page that says so. */
final class ConfigurationTest {
  private static Stream<OptionSpec> options() {
    return Main.command(Configuration.none()).getSubcommands().values().stream()
        .flatMap(command -> command.getCommandSpec().options().stream())
        .filter(Configuration::configurable);
  }

  private static String key(OptionSpec option) {
    return option.command().name() + "." + Configuration.name(option);
  }

  @Test
  void every_option_says_who_may_set_it() {
    assertThat(options()).hasSizeGreaterThan(80);
    assertThat(options().filter(option -> Configuration.mark(option).isEmpty()))
        .extracting(ConfigurationTest::key)
        .isEmpty();
  }

  @Test
  void an_option_without_a_mark_is_the_users() {
    assertThat(Configuration.isForProjects(OptionSpec.builder("--new-one").build())).isFalse();
  }

  /** A new option that a project may set is a decision: it is written down here as well. */
  @Test
  void a_project_may_set_these_and_no_others() {
    assertThat(
            options()
                .filter(Configuration::isForProjects)
                .map(Configuration::name)
                .collect(Collectors.toSet()))
        .isEqualTo(
            Set.of(
                "breaker-failures",
                "breaker-rest",
                "budget-tokens",
                "pacing",
                "ramp",
                "retry-base",
                "retry-jitter",
                "retry-max",
                "budget-usd",
                "concurrency",
                "deadline",
                "deliberate",
                "effort",
                "fail-on",
                "fast-model",
                "format",
                "json",
                "lead-model",
                "lenses",
                "limits",
                "max-output",
                "max-retries",
                "max-tokens",
                "max-wait",
                "mode",
                "model",
                "no-cache",
                "order",
                "ordered",
                "output-tokens",
                "priority",
                "profile",
                "progress",
                "reserve",
                "samples",
                "tests",
                "timeout",
                "verify"));
  }

  @Test
  void the_account_is_set_for_every_command_by_one_key(@TempDir Path folder) throws IOException {
    var desk = new CommandDesk(folder);
    desk.put("flyball.yaml", "limits: anthropic-build\n");
    assertThat(desk.flyball("config").out().lines().filter(line -> line.contains("build")))
        .extracting(line -> line.split(" ", 2)[0])
        .containsExactlyInAnyOrder(
            "batch.profile", "estimate.limits", "queue.profile", "review.profile", "serve.profile");
  }

  @Test
  void the_page_names_every_key_and_who_may_set_it() throws IOException {
    var page = Files.readString(Path.of("../docs/configuration.md"));
    var keys = new TreeMap<String, Map<String, Boolean>>();
    options()
        .forEach(
            option ->
                Configuration.names(option)
                    .forEach(
                        name ->
                            keys.computeIfAbsent(name, any -> new TreeMap<>())
                                .put(
                                    option.command().name(), Configuration.isForProjects(option))));
    var rows = new StringBuilder();
    keys.forEach(
        (name, commands) ->
            rows.append(
                "| `%s` | %s | %s |\n".formatted(name, of(commands, true), of(commands, false))));
    Arrays.stream(ConfigSection.values())
        .sorted((one, other) -> one.key().compareTo(other.key()))
        .forEach(
            section ->
                rows.append(
                    "| `%s:` | %s | %s |\n"
                        .formatted(
                            section.key(),
                            section.isForProjects() ? "section" : "",
                            section.isForProjects() ? "" : "section")));
    if (Boolean.getBoolean("page.write")) {
      int start = page.lastIndexOf("|---|---|---|\n") + "|---|---|---|\n".length();
      int end = page.indexOf("\n\n", start) + 1;
      Files.writeString(
          Path.of("../docs/configuration.md"),
          page.substring(0, start) + rows + page.substring(end));
    } else {
      assertThat(page).contains("|---|---|---|\n" + rows + "\n");
    }
  }

  private static String of(Map<String, Boolean> commands, boolean project) {
    return commands.entrySet().stream()
        .filter(each -> each.getValue() == project)
        .map(each -> each.getKey())
        .collect(Collectors.joining(", "));
  }
}
