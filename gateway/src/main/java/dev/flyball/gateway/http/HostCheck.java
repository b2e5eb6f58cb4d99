package dev.flyball.gateway.http;

import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The check that a request was meant for this server. A page from elsewhere may make a browser send
 * requests here, by this machine's address or by a name that it has pointed at it; a client never
 * does so.
 *
 * @param onlyHere whether the server listens on this machine alone, so that its names are known
 */
public record HostCheck(boolean onlyHere) {
  private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  /** Whether a request may go on. */
  boolean allows(HttpServerRequest request) {
    var authority = request.authority();
    if (authority == null) {
      return !onlyHere;
    }
    var host = authority.host().toLowerCase(Locale.ROOT);
    if (onlyHere && !HERE.contains(host)) {
      return false;
    }
    var origin = request.getHeader("origin");
    return origin == null || isSame(origin, host, authority.port());
  }

  private static boolean isSame(String origin, String host, int port) {
    try {
      var from = URI.create(origin);
      int usual = "https".equals(from.getScheme()) ? 443 : 80;
      int theirs = from.getPort() < 0 ? usual : from.getPort();
      return host.equals(lower(from.getHost())) && theirs == (port < 0 ? usual : port);
    } catch (IllegalArgumentException garbled) {
      return false;
    }
  }

  private static String lower(@Nullable String host) {
    return String.valueOf(host).toLowerCase(Locale.ROOT);
  }
}
