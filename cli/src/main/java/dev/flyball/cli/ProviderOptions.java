package dev.flyball.cli;

import dev.flyball.llm.ApiKey;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Endpoint;
import dev.flyball.llm.HttpConnections;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.Timeouts;
import dev.flyball.run.Destination;
import dev.flyball.scheduler.Time;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which provider answers, and the way to it. */
final class ProviderOptions implements AutoCloseable {
  private static final String SIMULATED = "simulated";
  private static final String NOWHERE = "https://nowhere.invalid";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

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
      description = "How long an attempt may be without a first byte. (${DEFAULT-VALUE})")
  private Duration timeout;

  private final Map<Dialect, Optional<Destination>> made = new EnumMap<>(Dialect.class);
  private final List<Simulator> simulators = new ArrayList<>();
  private Map<String, String> environment = Map.of();
  private ProviderCatalogue catalogue = ProviderCatalogue.read();
  private @Nullable HttpConnections http;
  private boolean imagined;

  /** For those who send nothing: no key is needed, and nothing listens. */
  static ProviderOptions imagined(
      CommandSpec spec,
      @Nullable String provider,
      @Nullable String baseUrl,
      @Nullable String limits) {
    var options = new ProviderOptions();
    options.spec = spec;
    options.provider = provider;
    options.baseUrl = baseUrl;
    options.profile = limits;
    options.timeout = Timeouts.USUAL.firstByte();
    options.imagined = true;
    return options;
  }

  /** Nothing will be sent: no key is needed, and nothing listens. */
  ProviderOptions imagine() {
    imagined = true;
    return this;
  }

  /** With what was configured; to be called before anything else. */
  void with(Map<String, String> variables, ProviderCatalogue known) {
    environment = variables;
    catalogue = known;
    if (provider != null && !simulated() && catalogue.provider(provider).isEmpty()) {
      throw wrong(
          "--provider: a provider is one of "
              + String.join(", ", catalogue.providers())
              + " or simulated, not "
              + provider);
    }
    if (simulated() && baseUrl != null) {
      throw wrong("--base-url: the simulated provider has no address; leave one of the two out");
    }
    if (profile != null && !catalogue.profiles().contains(profile)) {
      throw wrong(
          (imagined ? "--limits: an account" : "--profile: a profile")
              + " is one of "
              + String.join(", ", catalogue.profiles())
              + ", not "
              + profile);
    }
  }

  boolean simulated() {
    return SIMULATED.equals(provider);
  }

  Optional<String> profile() {
    // Of a simulated account the limits are learned, as they would be of a real one.
    return simulated() ? Optional.empty() : Optional.ofNullable(profile);
  }

  /** The account that was named, of a real provider or of the simulated one. */
  Optional<String> account() {
    return Optional.ofNullable(profile);
  }

  /** The account that is assumed of a provider of some style where nothing is known. */
  Optional<String> assumed(String style) {
    return simulated() ? Optional.of(simulatedAccount(style)) : catalogue.starting(style);
  }

  private static String simulatedAccount(String style) {
    return style.equals("anthropic") ? "anthropic-tier1" : "openai-tier1";
  }

  /** Whether somebody said who answers. */
  boolean isChosen() {
    return provider != null || baseUrl != null;
  }

  /** The provider that was chosen by name, if it is a real one. */
  Optional<String> named() {
    return simulated() ? Optional.empty() : Optional.ofNullable(provider);
  }

  /** The one dialect of a provider that was chosen by name. */
  Optional<Dialect> spoken() {
    return provider == null || simulated()
        ? Optional.empty()
        : catalogue.provider(provider).map(ProviderCatalogue.Listing::dialect);
  }

  /** Where requests of a dialect go; opened on first need. */
  Optional<Destination> destination(Dialect dialect) {
    return made.computeIfAbsent(dialect, this::make);
  }

  private Optional<Destination> make(Dialect dialect) {
    if (simulated()) {
      return Optional.of(simulate(dialect));
    }
    if (spoken().isPresent() && spoken().get() != dialect) {
      return Optional.empty();
    }
    var usual = dialect == Dialect.ANTHROPIC ? "anthropic" : "openai";
    var listing = catalogue.provider(provider == null ? usual : provider).orElseThrow();
    var url = url(listing);
    boolean own = baseUrl != null || environment.containsKey(listing.baseUrlVariable());
    var name = provider == null && own ? authority(url) : listing.name();
    var endpoint = endpoint(name, url).auth(listing.auth());
    try {
      endpoint = endpoint.headers(headers);
    } catch (IllegalArgumentException no) {
      throw wrong("--header: " + no.getMessage());
    }
    var providers = new ArrayList<dev.flyball.llm.Provider>();
    for (var key : keys(listing, own).values()) {
      providers.add(http().provider(endpoint.key(key)));
    }
    if (providers.isEmpty()) {
      // Servers that need no key often want to see one all the same, as the SDKs always send one.
      providers.add(http().provider(imagined ? endpoint : endpoint.key(ApiKey.of("none"))));
    }
    return Optional.of(new Destination(listing.style(), providers));
  }

  private URI url(ProviderCatalogue.Listing listing) {
    var text = baseUrl != null ? baseUrl : environment.get(listing.baseUrlVariable());
    try {
      return text != null || (imagined && listing.url().isEmpty())
          ? URI.create(text == null ? NOWHERE : text)
          : listing
              .url()
              .orElseThrow(
                  () ->
                      wrong(
                          "%s has an address for each account: set %s or use --base-url"
                              .formatted(listing.name(), listing.baseUrlVariable())));
    } catch (IllegalArgumentException garbled) {
      throw wrong("--base-url: an address looks like https://host/v1, not like " + text);
    }
  }

  private Endpoint endpoint(String name, URI url) {
    try {
      return Endpoint.at(name, url);
    } catch (IllegalArgumentException no) {
      throw wrong("--base-url: " + no.getMessage());
    }
  }

  private static String authority(URI url) {
    return String.valueOf(url.getRawAuthority()).replaceFirst(".*@", "");
  }

  /** By fingerprint, so that one key under two names is one key. */
  private Map<String, ApiKey> keys(ProviderCatalogue.Listing listing, boolean ownAddress) {
    var names = keyVariables.isEmpty() ? List.of(listing.keyVariable()) : keyVariables;
    var keys = new LinkedHashMap<String, ApiKey>();
    for (var name : names) {
      var secret = environment.getOrDefault(name, "").strip();
      if (!secret.isEmpty()) {
        try {
          var key = ApiKey.of(secret);
          keys.put(key.fingerprint(), key);
        } catch (IllegalArgumentException no) {
          throw wrong(name + ": " + no.getMessage());
        }
      } else if (!imagined && (!ownAddress || !keyVariables.isEmpty())) {
        throw wrong(
            "%s is not set: put the key for %s into it, or try `--provider simulated`, which needs none"
                .formatted(name, listing.name()));
      }
    }
    return keys;
  }

  private Destination simulate(Dialect dialect) {
    var style = dialect == Dialect.ANTHROPIC ? "anthropic" : "openai";
    if (imagined) {
      var endpoint = Endpoint.at(SIMULATED, URI.create(NOWHERE));
      return new Destination(style, List.of(http().provider(endpoint)));
    }
    var usual = simulatedAccount(style);
    try {
      var settings = Settings.of(profile == null ? usual : profile).answers(Answers.lorem());
      var simulator = Simulator.start(settings, 0);
      simulators.add(simulator);
      var endpoint = Endpoint.at(SIMULATED, simulator.uri()).key(ApiKey.of("sk-simulated"));
      return new Destination(style, List.of(http().provider(endpoint)));
    } catch (IOException taken) {
      throw wrong("the simulated provider found no free port: " + taken.getMessage());
    }
  }

  private HttpConnections http() {
    var open = http;
    if (open == null) {
      open =
          HttpConnections.of(Timeouts.USUAL.firstByte(timeout), Time.system()::wall, environment);
      http = open;
    }
    return open;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  @Override
  public void close() {
    if (http != null) {
      http.close();
    }
    simulators.forEach(Simulator::close);
  }
}
