package dev.flyball.publish;

import dev.flyball.llm.ApiKey;
import dev.flyball.llm.Endpoint;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The place of a host: its addresses, and the token that it is asked with. Tokens come from the
 * environment alone and are never shown.
 *
 * @param site where people read it
 * @param rest where programs ask it
 * @param graph where programs ask it in GraphQL
 * @param token empty where the environment has none
 */
public record HostPlace(HostKind kind, URI site, URI rest, URI graph, Optional<String> token) {
  private static final String GITHUB = "https://github.com";
  private static final String GITLAB = "https://gitlab.com";

  public HostPlace {
    for (var address : new URI[] {site, rest, graph}) {
      // What no address may be, and what none may be that a secret is sent to, is asked there.
      var endpoint = Endpoint.at(kind.toString(), address);
      token.map(ApiKey::of).ifPresent(endpoint::key);
    }
  }

  /**
   * Where a host is.
   *
   * @param given where the user says that it is, such as {@code https://github.example.com}
   * @param environment has the token, and in a job of the host's own its addresses
   */
  public static HostPlace of(
      HostKind kind, Optional<String> given, Map<String, String> environment) {
    var token = token(kind, environment);
    return switch (kind) {
      case GITHUB -> gitHub(given, environment, token);
      case GITLAB -> gitLab(given, environment, token);
    };
  }

  private static Optional<String> token(HostKind kind, Map<String, String> environment) {
    var said = environment.getOrDefault(kind.variable(), "").strip();
    if (said.isEmpty()) {
      return Optional.empty();
    }
    try {
      ApiKey.of(said);
    } catch (IllegalArgumentException no) {
      throw new IllegalArgumentException(
          kind.variable() + ": a token is of printable characters, without spaces");
    }
    return Optional.of(said);
  }

  private static HostPlace gitHub(
      Optional<String> given, Map<String, String> environment, Optional<String> token) {
    if (given.isEmpty() && !said("GITHUB_API_URL", environment).isEmpty()) {
      var rest = address(said("GITHUB_API_URL", environment));
      var graph = said("GITHUB_GRAPHQL_URL", environment);
      var site = said("GITHUB_SERVER_URL", environment);
      return new HostPlace(
          HostKind.GITHUB,
          site.isEmpty() ? rest : address(site),
          rest,
          graph.isEmpty() ? graph(rest) : address(graph),
          token);
    }
    var site = address(given.orElse(GITHUB));
    if (String.valueOf(site.getHost()).toLowerCase(Locale.ROOT).equals("github.com")) {
      var rest = URI.create("https://api.github.com");
      return new HostPlace(HostKind.GITHUB, site, rest, graph(rest), token);
    }
    var path = String.valueOf(site.getRawPath());
    var rest = path.endsWith("/api/v3") ? site : below(site, "/api/v3");
    var root = path.endsWith("/api/v3") ? without(site, "/api/v3") : site;
    return new HostPlace(HostKind.GITHUB, root, rest, graph(rest), token);
  }

  /** On a server of one's own it is beside the other, elsewhere below it. */
  private static URI graph(URI rest) {
    return String.valueOf(rest.getRawPath()).endsWith("/api/v3")
        ? below(without(rest, "/v3"), "/graphql")
        : below(rest, "/graphql");
  }

  private static HostPlace gitLab(
      Optional<String> given, Map<String, String> environment, Optional<String> token) {
    var own = said("CI_API_V4_URL", environment);
    var site =
        address(
            given
                .map(it -> it.replaceFirst("/api/v4/*$", ""))
                .orElse(own.isEmpty() ? GITLAB : own.replaceFirst("/api/v4/*$", "")));
    var rest = below(site, "/api/v4");
    return new HostPlace(HostKind.GITLAB, site, rest, below(site, "/api/graphql"), token);
  }

  private static String said(String name, Map<String, String> environment) {
    return environment.getOrDefault(name, "").strip();
  }

  private static URI address(String text) {
    try {
      return URI.create(text.strip().replaceFirst("/+$", ""));
    } catch (IllegalArgumentException no) {
      throw new IllegalArgumentException(
          "an address must begin with http:// or https:// and name a host, and this one does not");
    }
  }

  private static URI below(URI address, String path) {
    return URI.create(address.toString().replaceFirst("/+$", "") + path);
  }

  private static URI without(URI address, String end) {
    var text = address.toString();
    return URI.create(text.substring(0, text.length() - end.length()));
  }

  /** The host as lanes and messages name it. */
  public String host() {
    return Endpoint.place(rest);
  }

  /** Without its token. */
  @Override
  public String toString() {
    return kind.title() + " at " + Endpoint.place(site);
  }
}
