package dev.flyball.publish;

import dev.flyball.review.source.Commit;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What every host writes the same way: moments, messages of commits, and parts of addresses. */
final class HostText {
  private HostText() {}

  /** A moment; the beginning of time where it is none. */
  static Instant moment(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException none) {
      return Instant.EPOCH;
    }
  }

  /** A commit, whose message has a first line and the rest. */
  static Commit commit(String id, String message) {
    int end = message.indexOf('\n');
    return new Commit(
        id,
        end < 0 ? message : message.substring(0, end),
        end < 0 ? "" : message.substring(end).strip(),
        List.of());
  }

  /** A part of an address. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** A path as a part of an address, whose slashes stay. */
  static String encodedPath(String path) {
    return Arrays.stream(path.split("/", -1))
        .map(HostText::encoded)
        .collect(Collectors.joining("/"));
  }
}
