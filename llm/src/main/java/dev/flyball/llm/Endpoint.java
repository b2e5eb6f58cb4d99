package dev.flyball.llm;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a provider is and how it lets us in.
 *
 * @param provider how lanes and screens call it
 * @param root the server's address, with or without the version at its end
 * @param auth how the key is shown
 * @param headers sent with every request
 */
public record Endpoint(
    String provider, URI root, Auth auth, Optional<Key> key, Map<String, String> headers) {

  /** Which header carries the key. */
  public enum Auth {
    /** {@code Authorization: Bearer}, or {@code x-api-key} for Anthropic's paths. */
    BY_DIALECT,
    /** {@code api-key}, as Azure wants it. */
    API_KEY
  }

  private static final Pattern VERSION = Pattern.compile("/v\\d+[a-z0-9]*(/|$)");
  private static final String ANTHROPIC_VERSION = "2023-06-01";

  public Endpoint {
    headers = Map.copyOf(headers);
    var scheme = String.valueOf(root.getScheme());
    if (root.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new IllegalArgumentException(
          "an address begins with http:// or https:// and names a host, but was " + root);
    }
    if (root.getUserInfo() != null) {
      throw new IllegalArgumentException("an address carries no password: use a key");
    }
  }

  public static Endpoint at(String provider, URI root) {
    return new Endpoint(provider, root, Auth.BY_DIALECT, Optional.empty(), Map.of());
  }

  public Endpoint key(Key other) {
    return new Endpoint(provider, root, auth, Optional.of(other), headers);
  }

  public Endpoint auth(Auth other) {
    return new Endpoint(provider, root, other, key, headers);
  }

  public Endpoint headers(Map<String, String> others) {
    return new Endpoint(provider, root, auth, key, others);
  }

  /** The whole address of a path such as {@code /v1/messages}; the root may have the version. */
  public URI resolve(String path) {
    var base = root.getRawPath() == null ? "" : root.getRawPath().replaceAll("/+$", "");
    var rest = path.startsWith("/") ? path : "/" + path;
    if (VERSION.matcher(base).find() && VERSION.matcher(rest).lookingAt()) {
      rest = rest.substring(rest.indexOf('/', 1) < 0 ? rest.length() : rest.indexOf('/', 1));
    }
    var query = root.getRawQuery() == null ? "" : "?" + root.getRawQuery();
    return URI.create(root.getScheme() + "://" + root.getRawAuthority() + base + rest + query);
  }

  Map<String, String> headersFor(Dialect dialect) {
    var all = new LinkedHashMap<String, String>();
    if (dialect == Dialect.ANTHROPIC) {
      all.put("anthropic-version", ANTHROPIC_VERSION);
    }
    key.ifPresent(
        k -> {
          switch (auth) {
            case API_KEY -> all.put("api-key", k.secret());
            case BY_DIALECT -> {
              if (dialect == Dialect.ANTHROPIC) {
                all.put("x-api-key", k.secret());
              } else {
                all.put("Authorization", "Bearer " + k.secret());
              }
            }
          }
        });
    headers.forEach(
        (name, value) -> {
          all.keySet().removeIf(name::equalsIgnoreCase);
          all.put(name, value);
        });
    return all;
  }

  /** Without the values of its headers, which may be secrets. */
  @Override
  public String toString() {
    return provider + " at " + root + key.map(k -> " with " + k).orElse("");
  }
}
