package dev.flyball.llm;

import java.net.URI;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The address of a provider, and the key and headers that it is asked with.
 *
 * <p>A key, or a header that carries one, goes over {@code https://} or to this machine. Over
 * {@code http://} anybody on the way can read it, so that has to be allowed in so many words.
 *
 * @param provider how lanes and screens call it
 * @param root the server's address, with or without the version at its end
 * @param auth how the key is shown
 * @param headers sent with every request
 * @param inClear whether the user allows a key to be sent over {@code http://}
 */
public record Endpoint(
    String provider,
    URI root,
    Auth auth,
    Optional<ApiKey> key,
    Map<String, String> headers,
    boolean inClear) {

  /** The header that carries the key. */
  public enum Auth {
    /** {@code Authorization: Bearer}, or {@code x-api-key} for Anthropic's paths. */
    BY_DIALECT,
    /** {@code api-key}, as Azure wants it. */
    API_KEY
  }

  /** A key would go where others can read it on the way, and nobody has allowed that. */
  public static final class KeyInClear extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    KeyInClear(String host) {
      super(
          "a key is sent over https:// or to this machine only, because over http:// others can"
              + " read it; this address is http://"
              + host);
    }
  }

  private static final Pattern VERSION = Pattern.compile("/v\\d+[a-z0-9]*(/|$)");

  /** Azure's older addresses name a deployment, and have the version in the query. */
  private static final Pattern VERSIONED = Pattern.compile(VERSION.pattern() + "|/deployments/");

  private static final Pattern AZURE = Pattern.compile("(?i)\\.azure\\.com$");
  private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  private static final Pattern CREDENTIAL =
      Pattern.compile("(?i)auth|key|token|secret|cookie|password|credential|session");
  private static final String ANTHROPIC_VERSION = "2023-06-01";

  public Endpoint {
    headers = sendable(headers);
    if (root.getRawUserInfo() != null) {
      throw new IllegalArgumentException("an address must not contain a password: use a key");
    }
    var scheme = String.valueOf(root.getScheme()).toLowerCase(Locale.ROOT);
    if (root.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new IllegalArgumentException(
          "an address must begin with http:// or https:// and name a host, and this one does not");
    }
    boolean secret =
        key.filter(it -> it != ApiKey.NONE).isPresent()
            || headers.keySet().stream().anyMatch(Endpoint::isCredential)
            || isCredential(String.valueOf(root.getRawQuery()));
    if (secret && !inClear && scheme.equals("http") && !Loopback.is(root.getHost())) {
      throw new KeyInClear(root.getHost());
    }
  }

  /** Whether a header or a part of a query with this name usually carries a secret. */
  public static boolean isCredential(String name) {
    return CREDENTIAL.matcher(name).find();
  }

  /**
   * Headers that cannot begin another one.
   *
   * @throws IllegalArgumentException without the value, which may be a secret
   */
  static Map<String, String> sendable(Map<String, String> headers) {
    headers.forEach(
        (name, value) -> {
          if (!HEADER_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "the name of a header is of letters, digits and dashes, and one here is not");
          }
          if (!value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= 255 && c != 127))) {
            throw new IllegalArgumentException(
                "a header is one line of Latin letters, but " + name + " is not");
          }
        });
    return Map.copyOf(headers);
  }

  /** An address without what may be a secret in it. */
  private static String shown(URI address) {
    return address.toString().replaceFirst("[?#].*", "").replaceFirst("//[^/]*@", "//");
  }

  public static Endpoint at(String provider, URI root) {
    return new Endpoint(provider, root, Auth.BY_DIALECT, Optional.empty(), Map.of(), false);
  }

  public Endpoint key(ApiKey other) {
    return new Endpoint(provider, root, auth, Optional.of(other), headers, inClear);
  }

  public Endpoint auth(Auth other) {
    return new Endpoint(provider, root, other, key, headers, inClear);
  }

  public Endpoint headers(Map<String, String> others) {
    return new Endpoint(provider, root, auth, key, others, inClear);
  }

  /** The same, with the user's word that a key may go over {@code http://}. */
  public Endpoint inClear(boolean allowed) {
    return new Endpoint(provider, root, auth, key, headers, allowed);
  }

  /**
   * The server as host, port and path, by which one is told from another: without the password and
   * the query, which may be secrets, and without a {@code /v1} at the end, which may be left out.
   */
  public static String place(URI root) {
    var host = String.valueOf(root.getHost()).toLowerCase(Locale.ROOT);
    boolean tls = "https".equalsIgnoreCase(root.getScheme());
    int port = root.getPort() >= 0 ? root.getPort() : tls ? 443 : 80;
    var path = root.getRawPath() == null ? "" : root.getRawPath().replaceAll("/+$", "");
    var base = path.endsWith("/v1") ? path.substring(0, path.length() - 3) : path;
    return host + (tls && port == 443 ? "" : ":" + port) + base.replaceAll("/+$", "");
  }

  /**
   * Eight hexadecimal digits for the key, and as many for the headers of the user if there are any:
   * a server may go by either when it decides whose limits count.
   */
  public String fingerprint() {
    var print = key.map(ApiKey::fingerprint).orElse("");
    if (headers.isEmpty()) {
      return print;
    }
    Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    sorted.putAll(headers);
    var hash = Sha256.digest();
    sorted.forEach(
        (name, value) -> hash.update(Sha256.of(name.toLowerCase(Locale.ROOT) + ":" + value)));
    return print + "+" + HexFormat.of().formatHex(hash.digest(), 0, 4);
  }

  /** The whole address of a path such as {@code /v1/messages}; the root may have the version. */
  public URI resolve(String path) {
    var own = root.getRawPath() == null ? "" : root.getRawPath().replaceAll("/+$", "");
    var base = own.isEmpty() && AZURE.matcher(root.getHost()).find() ? "/openai" : own;
    var parts = (path.startsWith("/") ? path : "/" + path).split("\\?", 2);
    var rest = parts[0];
    if (VERSIONED.matcher(base).find() && VERSION.matcher(rest).lookingAt()) {
      rest = rest.substring(rest.indexOf('/', 1) < 0 ? rest.length() : rest.indexOf('/', 1));
    }
    var query =
        Stream.of(root.getRawQuery(), parts.length < 2 ? null : parts[1])
            .filter(part -> part != null && !part.isEmpty())
            .collect(Collectors.joining("&"));
    return URI.create(
        root.getScheme()
            + ("://" + root.getRawAuthority() + base + rest)
            + (query.isEmpty() ? "" : "?" + query));
  }

  /** What is sent with every request; the key is among it, so it is shown to nobody else. */
  public Map<String, String> headersFor(Dialect dialect) {
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

  /** Without its query and its headers, which may be secrets. */
  @Override
  public String toString() {
    return provider + " at " + shown(root) + key.map(k -> " with " + k).orElse("");
  }
}
