package dev.flyball.run;

import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.llm.ApiKey;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Endpoint;
import dev.flyball.llm.HttpConnections;
import dev.flyball.llm.Provider;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.Timeouts;
import dev.flyball.llm.TrustedAuthorities;
import dev.flyball.run.config.NearestWord;
import dev.flyball.run.config.VariableName;
import dev.flyball.run.file.RunningSimulators;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The providers of one run: where requests of each dialect go, and with which keys. A destination
 * is opened on first need, because only then its key must be there. Any thread may ask.
 *
 * <p>Imagined ones are for those who send nothing: they need no key, and nothing listens.
 */
public final class Providers implements AutoCloseable {
  private static final String NOWHERE = "https://nowhere.invalid";

  private final ProviderChoice choice;
  private final Map<String, String> environment;
  private final ProviderCatalogue catalogue;
  private final LocalProvider local;
  private final InstantSource clock;
  private final boolean imagined;
  private final Map<Dialect, Optional<Destination>> made = new EnumMap<>(Dialect.class);
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable HttpConnections http;

  Providers(
      ProviderChoice choice,
      Map<String, String> environment,
      ProviderCatalogue catalogue,
      LocalProvider local,
      InstantSource clock,
      boolean imagined) {
    this.choice = choice;
    this.environment = environment;
    this.catalogue = catalogue;
    this.local = local;
    this.clock = clock;
    this.imagined = imagined;
    check();
  }

  private void check() {
    var name = choice.provider().orElse("");
    if (choice.provider().isPresent() && !simulated() && catalogue.provider(name).isEmpty()) {
      throw new BadSettings(
          "--provider: must be one of "
              + String.join(", ", catalogue.providers())
              + " or simulated, not "
              + name
              + NearestWord.question(name, catalogue.providers()));
    }
    if (simulated() && choice.baseUrl().isPresent()) {
      throw new BadSettings("--base-url cannot be combined with --provider simulated");
    }
    if (choice.account().filter(account -> !catalogue.profiles().contains(account)).isPresent()) {
      var account = choice.account().get();
      throw new BadSettings(
          (imagined ? "--limits" : "--profile (or --limits)")
              + ": must be one of "
              + String.join(", ", catalogue.profiles())
              + ", not "
              + account
              + NearestWord.question(account, catalogue.profiles()));
    }
  }

  /** Whether the answers are made up on this machine. */
  public boolean simulated() {
    return choice.isSimulated();
  }

  /**
   * What calls are remembered as. At the address of a simulator of this user's they are no real
   * ones, though a run treats it as it would any provider.
   */
  public AnswerOrigin origin() {
    return simulated() || choice.baseUrl().filter(this::isSimulator).isPresent()
        ? AnswerOrigin.SIMULATED
        : AnswerOrigin.REAL;
  }

  private boolean isSimulator(String address) {
    try {
      return RunningSimulators.of(environment).answersAt(URI.create(address));
    } catch (IOException | IllegalArgumentException unknown) {
      return false;
    }
  }

  /**
   * The account whose limits the scheduler is told. Of a simulated account they are learned, as
   * they would be of a real one.
   */
  public Optional<String> profile() {
    return simulated() ? Optional.empty() : choice.account();
  }

  /** The account that was named, of a real provider or of the simulated one. */
  Optional<String> account() {
    return choice.account();
  }

  /** The account that is assumed of a provider of some style where nothing is known. */
  Optional<String> assumed(String style) {
    return simulated() ? Optional.of(simulatedAccount(style)) : catalogue.starting(style);
  }

  private static String simulatedAccount(String style) {
    return style.equals("anthropic") ? "anthropic-tier1" : "openai-tier1";
  }

  /** The provider that was chosen by name, if it is a real one. */
  public Optional<String> named() {
    return simulated() ? Optional.empty() : choice.provider();
  }

  /** The one dialect of a provider that was chosen by name. */
  public Optional<Dialect> spoken() {
    return named().flatMap(catalogue::provider).map(ProviderCatalogue.Listing::dialect);
  }

  /** Where requests of a dialect go, if anywhere; refuses a missing key. */
  public Optional<Destination> destination(Dialect dialect) {
    lock.lock();
    try {
      return made.computeIfAbsent(dialect, this::open);
    } finally {
      lock.unlock();
    }
  }

  /** Those who may vouch for a provider. */
  public TrustedAuthorities trusted() {
    return choice.trusted();
  }

  /**
   * Those of a provider by its name, in the same surroundings and trusting the same. Whoever asks
   * for them closes them.
   *
   * @param keyVariables the environment variables that hold its keys; none for its own
   */
  public Providers other(String name, List<String> keyVariables) {
    var other =
        new ProviderChoice(
            Optional.of(name),
            Optional.empty(),
            keyVariables,
            Map.of(),
            Optional.empty(),
            choice.timeout(),
            choice.trusted(),
            false);
    return new Providers(other, environment, catalogue, local, clock, imagined);
  }

  private Optional<Destination> open(Dialect dialect) {
    if (simulated()) {
      return Optional.of(simulate(dialect));
    }
    if (spoken().isPresent() && spoken().get() != dialect) {
      return Optional.empty();
    }
    var usual = dialect == Dialect.ANTHROPIC ? "anthropic" : "openai";
    var listing = catalogue.provider(choice.provider().orElse(usual)).orElseThrow();
    var url = url(listing);
    boolean own =
        choice.baseUrl().isPresent() || environment.containsKey(listing.baseUrlVariable());
    boolean elsewhere = own && !isOf(Optional.of(listing), url);
    var name = choice.provider().isEmpty() && elsewhere ? authority(url) : listing.name();
    var providers = new ArrayList<Provider>();
    try {
      var endpoint = endpoint(name, url, listing.auth());
      for (var key : keys(listing, own).values()) {
        providers.add(http().provider(endpoint.key(key)));
      }
      if (providers.isEmpty()) {
        // Servers that need no key often want to see one all the same, as the SDKs always send one.
        providers.add(http().provider(imagined ? endpoint : endpoint.key(ApiKey.NONE)));
      }
    } catch (Endpoint.KeyInClear readable) {
      throw new BadSettings(
          "--base-url: " + readable.getMessage() + "; use https://, or --allow-http if you must");
    }
    return Optional.of(new Destination(laneName(listing, url), listing.style(), providers));
  }

  private URI url(ProviderCatalogue.Listing listing) {
    var text = choice.baseUrl().orElse(environment.get(listing.baseUrlVariable()));
    try {
      return text != null || (imagined && listing.url().isEmpty())
          ? URI.create(text == null ? NOWHERE : text)
          : listing
              .url()
              .orElseThrow(
                  () ->
                      new BadSettings(
                          "%s has an address for each account: set %s or use --base-url"
                              .formatted(listing.name(), listing.baseUrlVariable())));
    } catch (BadSettings wrong) {
      throw wrong;
    } catch (IllegalArgumentException garbled) {
      throw new BadSettings("--base-url: an address looks like https://host/v1, and this does not");
    }
  }

  /** Whether an address is the listed one, however it is written. */
  private static boolean isOf(Optional<ProviderCatalogue.Listing> listing, URI url) {
    var place = Endpoint.place(url);
    return listing
        .flatMap(ProviderCatalogue.Listing::url)
        .map(Endpoint::place)
        .filter(place::equals)
        .isPresent();
  }

  /** The provider where everybody finds it, else with the address at which it was found. */
  private String laneName(ProviderCatalogue.Listing listing, URI url) {
    var everybodys = ProviderCatalogue.read().provider(listing.name());
    if (isOf(everybodys, url) || url.equals(URI.create(NOWHERE))) {
      return listing.name();
    }
    boolean known = named().isPresent() || isOf(Optional.of(listing), url);
    return (known ? listing.name() + "@" : "") + Endpoint.place(url);
  }

  private Endpoint endpoint(String name, URI url, Endpoint.Auth auth) {
    boolean inClear = choice.inClear() || imagined;
    Endpoint endpoint;
    try {
      endpoint = new Endpoint(name, url, auth, Optional.empty(), Map.of(), inClear);
    } catch (Endpoint.KeyInClear readable) {
      throw readable;
    } catch (IllegalArgumentException no) {
      throw new BadSettings("--base-url: " + no.getMessage());
    }
    try {
      return endpoint.headers(choice.headers());
    } catch (Endpoint.KeyInClear readable) {
      throw readable;
    } catch (IllegalArgumentException no) {
      throw new BadSettings("--header: " + no.getMessage());
    }
  }

  private static String authority(URI url) {
    return String.valueOf(url.getRawAuthority()).replaceFirst(".*@", "");
  }

  /** By fingerprint, so that one key under two names is one key. */
  private Map<String, ApiKey> keys(ProviderCatalogue.Listing listing, boolean ownAddress) {
    var chosen = choice.keyVariables();
    var keys = new LinkedHashMap<String, ApiKey>();
    for (var name : chosen.isEmpty() ? List.of(listing.keyVariable()) : chosen) {
      var secret = environment.getOrDefault(name, "").strip();
      if (!secret.isEmpty()) {
        try {
          var key = ApiKey.of(secret);
          keys.put(key.fingerprint(), key);
        } catch (IllegalArgumentException no) {
          throw new BadSettings(VariableName.shown(name) + ": " + no.getMessage());
        }
      } else if (!imagined && (!ownAddress || !chosen.isEmpty())) {
        throw new BadSettings(
            "no key: set %s to your key for %s, name another variable with --key-env, or try --provider simulated"
                .formatted(VariableName.shown(name), listing.name()));
      }
    }
    return keys;
  }

  private Destination simulate(Dialect dialect) {
    var style = dialect == Dialect.ANTHROPIC ? "anthropic" : "openai";
    if (imagined) {
      var endpoint = Endpoint.at(ProviderChoice.SIMULATED, URI.create(NOWHERE));
      return new Destination(ProviderChoice.SIMULATED, style, List.of(http().provider(endpoint)));
    }
    try {
      var address = local.start(choice.account().orElse(simulatedAccount(style)));
      var endpoint = Endpoint.at(ProviderChoice.SIMULATED, address).key(ApiKey.of("sk-simulated"));
      return new Destination(ProviderChoice.SIMULATED, style, List.of(http().provider(endpoint)));
    } catch (IOException taken) {
      throw new BadSettings("the simulated provider found no free port: " + taken.getMessage());
    }
  }

  private HttpConnections http() {
    var open = http;
    if (open == null) {
      var timeouts = Timeouts.USUAL.firstByte(choice.timeout());
      try {
        open = HttpConnections.of(timeouts, clock, environment, choice.trusted());
      } catch (IllegalArgumentException noProxy) {
        throw new BadSettings(String.valueOf(noProxy.getMessage()));
      }
      http = open;
    }
    return open;
  }

  /** Cuts every attempt that is in flight, and every one that comes later. */
  public void cut(String why) {
    lock.lock();
    try {
      if (http != null) {
        http.cut(why);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    if (http != null) {
      http.close();
    }
  }
}
