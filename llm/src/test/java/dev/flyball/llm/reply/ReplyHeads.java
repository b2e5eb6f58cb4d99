package dev.flyball.llm.reply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Heads of replies, written as they come over the wire. */
public final class ReplyHeads {
  public static final Instant AT = Instant.parse("2026-11-15T08:19:44Z");

  private ReplyHeads() {}

  /** Lines of {@code Name: value}; a name may come twice. */
  public static ReplyHead of(int status, String lines) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    lines
        .lines()
        .filter(line -> line.contains(":"))
        .forEach(
            line -> {
              var parts = line.strip().split(":", 2);
              headers.computeIfAbsent(parts[0], name -> new ArrayList<>()).add(parts[1].strip());
            });
    return new ReplyHead(status, headers, AT);
  }

  public static ReplyHead of(int status) {
    return of(status, "");
  }
}
