package dev.flyball.llm.reply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The status and the headers of one reply; the names of headers have no case.
 *
 * @param headers by name in lower case, each with its values in the order in which they came
 * @param at the wall clock when they came, for dates in headers
 */
public record ReplyHead(int status, Map<String, List<String>> headers, Instant at) {
  public ReplyHead {
    var lower = new LinkedHashMap<String, List<String>>();
    headers.forEach(
        (name, values) ->
            lower
                .computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new ArrayList<>())
                .addAll(values));
    headers = Collections.unmodifiableMap(lower);
  }

  /** The first value, which of several is the one that counts. */
  public Optional<String> first(String name) {
    for (var value : headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of())) {
      var said = value.strip();
      if (!said.isEmpty()) {
        return Optional.of(said);
      }
    }
    return Optional.empty();
  }
}
