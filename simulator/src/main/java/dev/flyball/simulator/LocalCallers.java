package dev.flyball.simulator;

import static java.util.Objects.requireNonNullElse;

import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The rule who is served: programs of this machine, and no web page. The address alone does not say
 * so, because a browser of this machine carries what any page sends. So whoever asks must call us
 * by a name of loopback, which a page cannot once its own name leads here, and must not name the
 * page that it speaks for.
 */
final class LocalCallers {
  private static final Pattern LOOPBACK =
      Pattern.compile("(?i)(?:localhost|127\\.0\\.0\\.1|\\[?::1]?)(?::\\d{1,5})?");
  private static final Pattern ADDRESSED = Pattern.compile("(?i)https?://([^/?#]*).*");

  private LocalCallers() {}

  /** Why a request is not served, if it is not. */
  static Optional<String> refused(HttpServerRequest request) {
    var target = ADDRESSED.matcher(requireNonNullElse(request.uri(), ""));
    List<String> names = new ArrayList<>(request.headers().getAll("host"));
    if (request.authority() != null) {
      names.add(request.authority().host());
    }
    if (target.matches()) {
      names.add(target.group(1));
    }
    boolean local =
        !names.isEmpty() && names.stream().allMatch(each -> LOOPBACK.matcher(each).matches());
    if (!local) {
      return Optional.of(
          "the simulator answers to localhost, 127.0.0.1 and [::1] alone: ask it by one of these");
    }
    var site = requireNonNullElse(request.getHeader("sec-fetch-site"), "none");
    boolean page = request.headers().contains("origin") || !site.equalsIgnoreCase("none");
    return page
        ? Optional.of("the simulator answers to programs and not to web pages")
        : Optional.empty();
  }
}
