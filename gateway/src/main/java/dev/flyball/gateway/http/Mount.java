package dev.flyball.gateway.http;

/**
 * A path of the server, who may use it and who answers there. Of several that fit, the longest
 * counts.
 *
 * @param path a path, such as {@code /healthz}; one that ends in a slash is for all that begin so,
 *     but {@code /} itself, which is one page
 */
public record Mount(String path, Access access, RequestHandler handler) {
  public Mount {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("a path begins with a slash, but was " + path);
    }
  }

  /** Whether it is for a path. */
  boolean fits(String asked) {
    return (path.endsWith("/") && path.length() > 1) ? asked.startsWith(path) : asked.equals(path);
  }
}
