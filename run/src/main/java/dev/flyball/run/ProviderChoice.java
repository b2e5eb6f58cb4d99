package dev.flyball.run;

import dev.flyball.llm.Timeouts;
import dev.flyball.llm.TrustedAuthorities;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The provider that somebody chose, and the way to it; what is not said is found out.
 *
 * @param provider its name, or {@code simulated}
 * @param baseUrl the root of a server that speaks one of the dialects
 * @param keyVariables the environment variables that hold the keys, if not the provider's own
 * @param headers for every request
 * @param account the account whose limits are known, by name
 * @param timeout how long an attempt may be without a first byte
 * @param trusted who may vouch for a server
 * @param inClear whether the user allows a key to go over {@code http://} to another machine
 */
public record ProviderChoice(
    Optional<String> provider,
    Optional<String> baseUrl,
    List<String> keyVariables,
    Map<String, String> headers,
    Optional<String> account,
    Duration timeout,
    TrustedAuthorities trusted,
    boolean inClear) {
  /** The name of the provider that is this machine. */
  public static final String SIMULATED = "simulated";

  public ProviderChoice {
    keyVariables = List.copyOf(keyVariables);
    headers = Map.copyOf(headers);
  }

  /** Nothing chosen: the format of what is asked decides. */
  public static ProviderChoice open() {
    return new ProviderChoice(
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Map.of(),
        Optional.empty(),
        Timeouts.USUAL.firstByte(),
        TrustedAuthorities.USUAL,
        false);
  }

  /** A provider by its name. */
  public static ProviderChoice of(String provider) {
    return open().provider(provider);
  }

  /** Simulated answers, which cost nothing. */
  public static ProviderChoice simulated() {
    return of(SIMULATED);
  }

  public ProviderChoice provider(String name) {
    return new ProviderChoice(
        Optional.of(name), baseUrl, keyVariables, headers, account, timeout, trusted, inClear);
  }

  /** The same at an address. */
  public ProviderChoice at(String url) {
    return new ProviderChoice(
        provider, Optional.of(url), keyVariables, headers, account, timeout, trusted, inClear);
  }

  /** The same with the limits of an account that is known by name. */
  public ProviderChoice account(String name) {
    return new ProviderChoice(
        provider, baseUrl, keyVariables, headers, Optional.of(name), timeout, trusted, inClear);
  }

  /** Whether the answers are made up on this machine. */
  public boolean isSimulated() {
    return provider.equals(Optional.of(SIMULATED));
  }

  /** Whether somebody said who answers. */
  public boolean isMade() {
    return provider.isPresent() || baseUrl.isPresent();
  }
}
