package dev.flyball.fleet;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/** The place where processes meet that share limits. */
public sealed interface FleetPlace {
  /** Limits are not shared. */
  record Nowhere() implements FleetPlace {}

  /**
   * A folder of this user.
   *
   * @param weight of this process's share
   */
  record ThisMachine(double weight) implements FleetPlace {}

  /**
   * A Redis that all can reach.
   *
   * @param address its URL, without what follows a question mark
   * @param fleet the name of the fleet, for several in one Redis
   * @param weight of this process's share
   */
  record AtRedis(URI address, String fleet, double weight) implements FleetPlace {
    /** Without the password. */
    @Override
    public String toString() {
      return place();
    }

    /** {@return the place as it may be shown: without user and password} */
    public String place() {
      int port = address.getPort();
      return address.getScheme()
          + "://"
          + address.getHost()
          + (port < 0 ? "" : ":" + port)
          + (address.getPath() == null ? "" : address.getPath())
          + (fleet.equals(USUAL_NAME) ? "" : "?name=" + fleet);
    }
  }

  /** The name of a fleet that was given none. */
  String USUAL_NAME = "flyball";

  /**
   * {@return the place that a text names: {@code none}, {@code machine}, or the URL of a Redis, the
   * last two with {@code ?weight=2} and the last with {@code ?name=team} where that is wanted}
   *
   * @param text what somebody wrote; it may have a password and is not repeated
   * @throws IllegalArgumentException if it names none; the message says what is expected
   */
  static FleetPlace of(String text) {
    int mark = text.indexOf('?');
    var place = mark < 0 ? text : text.substring(0, mark);
    double weight = 1;
    var name = USUAL_NAME;
    for (var part : mark < 0 ? new String[0] : text.substring(mark + 1).split("&", -1)) {
      if (part.startsWith("weight=")) {
        weight = weight(part.substring("weight=".length()));
      } else if (part.startsWith("name=")
          && Pattern.matches("[A-Za-z0-9._-]{1,60}", part.substring("name=".length()))) {
        name = part.substring("name=".length());
      } else {
        throw new IllegalArgumentException(
            "after the question mark of a fleet come weight=NUMBER and name=LETTERS-AND-DIGITS");
      }
    }
    return switch (place) {
      case "none" -> new Nowhere();
      case "machine" -> new ThisMachine(weight);
      default -> new AtRedis(redis(place), name, weight);
    };
  }

  private static double weight(String text) {
    try {
      double weight = Double.parseDouble(text);
      if (weight > 0 && weight <= 1_000_000) {
        return weight;
      }
    } catch (NumberFormatException noNumber) {
      // Said below.
    }
    throw new IllegalArgumentException("a weight is a number above 0 and at most 1000000");
  }

  private static URI redis(String place) {
    try {
      var address = new URI(place);
      var scheme = address.getScheme();
      boolean known = "redis".equals(scheme) || "rediss".equals(scheme);
      var path = address.getPath();
      if (known
          && address.getHost() != null
          && (path == null || Pattern.matches("(/\\d{0,4})?", path))
          && address.getFragment() == null) {
        return address;
      }
    } catch (URISyntaxException noAddress) {
      // Its message would repeat the password.
    }
    throw new IllegalArgumentException(
        "a fleet is none, machine, or a URL such as redis://host:6379/0 (rediss:// for TLS), with"
            + " user:password@ before the host if need be; special characters of a password are"
            + " written as %40");
  }
}
