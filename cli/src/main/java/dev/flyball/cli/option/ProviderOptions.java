package dev.flyball.cli.option;

import dev.flyball.run.ProviderChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which provider answers, and the way to it. */
public final class ProviderOptions {
  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description =
          "Who answers: anthropic, openai, azure, groq, gemini, deepseek, mistral, together,"
              + " openrouter, cerebras, fireworks, one from flyball.yaml, or `simulated`, which is"
              + " this machine and costs nothing. If not said, the format of the lines decides.")
  private @Nullable String provider;

  @Option(
      names = "--base-url",
      paramLabel = "URL",
      description =
          "The root of a server that speaks OpenAI's or Anthropic's API, with or without /v1;"
              + " needs no key.")
  private @Nullable String baseUrl;

  @Option(
      names = "--key-env",
      paramLabel = "NAMES",
      split = ",",
      description =
          "The environment variables that hold the keys, as in A,B; several keys are used side by"
              + " side.")
  private List<String> keyVariables = new ArrayList<>();

  @Option(
      names = "--header",
      paramLabel = "K=V",
      description = "A header for every request; may be repeated.")
  private Map<String, String> headers = new LinkedHashMap<>();

  @Option(
      names = {"--profile", "--limits"},
      paramLabel = "NAME",
      description =
          "The limits of the account, where they are known before the first reply, as in"
              + " anthropic-build. Of the simulated provider: whose account it is.")
  private @Nullable String profile;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = DurationFlags.class,
      description =
          "How long an attempt may be without a first byte, and later without anything but signs"
              + " of life. (${DEFAULT-VALUE})")
  private Duration timeout;

  /** Whether somebody said who answers. */
  public boolean isChosen() {
    return choice().isMade();
  }

  /** What was chosen. */
  public ProviderChoice choice() {
    return new ProviderChoice(
        Optional.ofNullable(provider),
        Optional.ofNullable(baseUrl),
        keyVariables,
        headers,
        Optional.ofNullable(profile),
        timeout);
  }
}
