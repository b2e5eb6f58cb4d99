package dev.flyball.gateway.proxy;

import dev.flyball.llm.reply.ReplyHead;
import io.vertx.core.MultiMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The headers of a message, and which of them go on. */
final class WireHeaders {
  /** Those of one connection. What else belongs to it, {@code connection} names. */
  private static final Set<String> OF_CONNECTION =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "http2-settings");

  /** Those of a client that are for us, or that are ours to say. */
  private static final Set<String> OF_CLIENT =
      Set.of(
          "host",
          "content-length",
          "expect",
          "accept-encoding",
          "authorization",
          "x-api-key",
          "api-key",
          "cookie",
          "forwarded",
          "x-real-ip",
          "origin",
          "referer");

  private WireHeaders() {}

  /** Copies what goes on from a client to a provider. */
  static void toProvider(MultiMap from, MultiMap to) {
    var also = named(from);
    for (var header : from) {
      var name = header.getKey().toLowerCase(Locale.ROOT);
      boolean ours = name.startsWith("x-flyball-") || name.startsWith("x-forwarded-");
      if (!ours
          && !OF_CONNECTION.contains(name)
          && !OF_CLIENT.contains(name)
          && !also.contains(name)) {
        to.add(header.getKey(), header.getValue());
      }
    }
  }

  /** Copies what goes on from a provider to a client. */
  static void toClient(MultiMap from, MultiMap to) {
    var also = named(from);
    for (var header : from) {
      var name = header.getKey().toLowerCase(Locale.ROOT);
      boolean kept = !name.equals("set-cookie") && !name.equals("content-length");
      if (kept && !OF_CONNECTION.contains(name) && !also.contains(name)) {
        to.add(header.getKey(), header.getValue());
      }
    }
  }

  private static List<String> named(MultiMap headers) {
    var value = headers.get("connection");
    if (value == null || value.equalsIgnoreCase("keep-alive") || value.equalsIgnoreCase("close")) {
      return List.of();
    }
    return List.of(value.toLowerCase(Locale.ROOT).split(" *, *"));
  }

  /** The head of a reply with those of its headers that say something of limits or of its body. */
  static ReplyHead head(int status, MultiMap headers, Instant at) {
    Map<String, List<String>> telling = new HashMap<>();
    for (var header : headers) {
      var name = header.getKey().toLowerCase(Locale.ROOT);
      boolean tells =
          name.contains("limit")
              || name.contains("retry")
              || name.startsWith("anthropic-")
              || name.startsWith("openai-o")
              || name.startsWith("x-amzn-")
              || name.equals("date")
              || name.equals("content-type");
      if (tells) {
        telling.computeIfAbsent(name, any -> new ArrayList<>(1)).add(header.getValue());
      }
    }
    return new ReplyHead(status, telling, at);
  }
}
