package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.llm.Endpoint;
import dev.flyball.llm.TrustedAuthorities;
import dev.flyball.run.ProviderChoice;
import dev.flyball.run.config.VariableName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which provider answers, and the way to it. */
public final class ProviderOptions {
  /** Before the name of a variable that holds the value of a header. */
  public static final String FROM_VARIABLE = "env:";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SetBy(Who.USER)
  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description =
          "The provider: anthropic, openai, azure, groq, gemini, deepseek, mistral, together,"
              + " openrouter, cerebras, fireworks, one from your config.yaml, or `simulated`, which"
              + " runs on this machine and costs nothing.")
  private @Nullable String provider;

  @SetBy(Who.USER)
  @Option(
      names = "--base-url",
      paramLabel = "URL",
      description =
          "Another server that speaks OpenAI's or Anthropic's API, with or without /v1; needs no"
              + " key.")
  private @Nullable String baseUrl;

  @SetBy(Who.USER)
  @Option(
      names = "--key-env",
      paramLabel = "NAMES",
      split = ",",
      description =
          "Environment variables that hold the API keys, such as A,B; several keys are used side by"
              + " side.")
  private List<String> keyVariables = new ArrayList<>();

  @SetBy(Who.USER)
  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description =
          "A header for every request; may be repeated. NAME=env:VARIABLE reads the value from the"
              + " environment, where other users cannot see it.")
  private List<String> headers = new ArrayList<>();

  @SetBy(Who.USER)
  @Option(
      names = "--allow-http",
      description = "Allow a key to be sent over http:// to another machine; others can read it.")
  private boolean inClear;

  @SetBy(Who.USER)
  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) of authorities that are trusted besides Java's own, such as that of a"
              + " company's proxy.")
  private @Nullable Path authorities;

  @SetBy(Who.PROJECT)
  @Option(
      names = {"--profile", "--limits"},
      paramLabel = "NAME",
      description =
          "The account whose limits are known before the first reply, such as anthropic-build; with"
              + " `simulated`, the account to simulate.")
  private @Nullable String profile;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = DurationFlags.class,
      description =
          "Time allowed until the first byte, and later without new data. Default:"
              + " ${DEFAULT-VALUE}")
  private Duration timeout;

  /** Whether somebody said who answers. */
  public boolean isChosen() {
    return provider != null || baseUrl != null;
  }

  /**
   * What was chosen.
   *
   * @param environment where values of headers may be
   * @param warnings is told of a secret that everybody can see
   */
  public ProviderChoice choice(Map<String, String> environment, Consumer<String> warnings) {
    if (!keyVariables.stream().allMatch(VariableName::is)) {
      throw wrong(
          "--key-env: the name of a variable is of letters, digits and underscores; a key itself"
              + " does not belong here");
    }
    return new ProviderChoice(
        Optional.ofNullable(provider),
        Optional.ofNullable(baseUrl),
        keyVariables,
        headers(environment, warnings),
        Optional.ofNullable(profile),
        timeout,
        trusted(),
        inClear);
  }

  private TrustedAuthorities trusted() {
    if (authorities == null) {
      return TrustedAuthorities.USUAL;
    }
    try {
      return TrustedAuthorities.andOf(authorities);
    } catch (IOException wrong) {
      throw wrong("--ca: " + wrong.getMessage());
    }
  }

  private Map<String, String> headers(Map<String, String> environment, Consumer<String> warnings) {
    var all = new LinkedHashMap<String, String>();
    for (var each : headers) {
      int sign = each.indexOf('=');
      if (sign < 1) {
        throw wrong(
            "--header: a header is written NAME=VALUE or NAME=env:VARIABLE, and one here is not");
      }
      var name = each.substring(0, sign);
      var value = each.substring(sign + 1);
      if (value.startsWith(FROM_VARIABLE)) {
        var variable = value.substring(FROM_VARIABLE.length());
        value = environment.getOrDefault(variable, "");
        if (value.isBlank()) {
          throw wrong("--header: the variable " + VariableName.shown(variable) + " is not set");
        }
      } else if (Endpoint.isCredential(name)
          && spec.commandLine().getParseResult().hasMatchedOption("--header")) {
        warnings.accept(
            "--header: on a command line everybody on this machine sees the value; put it into a"
                + " variable and write NAME=env:VARIABLE");
      }
      all.put(name, value);
    }
    return all;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
