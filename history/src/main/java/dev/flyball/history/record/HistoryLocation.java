package dev.flyball.history.record;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The file or server that a history is kept in. What it prints as holds no password. */
public sealed interface HistoryLocation {
  /** A file of SQLite. */
  record File(Path path) implements HistoryLocation {
    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** A database of PostgreSQL; an empty user or password is for the driver to find. */
  record Server(String url, String user, String password) implements HistoryLocation {
    private static final Pattern SECRETS =
        Pattern.compile("(?i)((?:ssl)?password=)[^&]*|(//[^/@:]*:).*(?=@)");

    /** Without a password. */
    @Override
    public String toString() {
      var masked = SECRETS.matcher(url).replaceAll("$1$2***");
      return user.isEmpty() ? masked : masked + " as " + user;
    }
  }

  /**
   * Reads {@code jdbc:postgresql://host/db}, {@code postgresql://user:password@host/db} or the path
   * of a file.
   */
  static HistoryLocation of(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("a place of history is a file or a URL, but was blank");
    }
    if (text.startsWith("jdbc:postgresql:")) {
      return new Server(text, "", "");
    }
    if (text.startsWith("postgresql:") || text.startsWith("postgres:")) {
      return server(text);
    }
    if (text.startsWith("jdbc:") || text.contains("://")) {
      throw new IllegalArgumentException(
          "history is kept in a file or in PostgreSQL (postgresql://user@host/db), not in a "
              + text.replaceFirst("^(jdbc:[^:]*|[^:]*).*", "$1"));
    }
    return new File(Path.of(text));
  }

  private static Server server(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException wrong) {
      // Its message would show the text, and with it the password.
      throw new IllegalArgumentException(
          "a URL of PostgreSQL is postgresql://user:password@host:port/db, with other signs written"
              + " as %XX; this one goes wrong at sign "
              + (wrong.getIndex() + 1));
    }
    if (uri.getHost() == null) {
      throw new IllegalArgumentException(
          "a URL of PostgreSQL is postgresql://user:password@host:port/db, but there is no host");
    }
    var credentials = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo();
    int colon = credentials.indexOf(':');
    var url =
        "jdbc:postgresql://"
            + uri.getHost()
            + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
            + (uri.getRawPath().isEmpty() ? "/" : uri.getRawPath())
            + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    return new Server(
        url,
        plain(colon < 0 ? credentials : credentials.substring(0, colon)),
        colon < 0 ? "" : plain(credentials.substring(colon + 1)));
  }

  private static String plain(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
