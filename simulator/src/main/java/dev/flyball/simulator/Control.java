package dev.flyball.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/**
 * The side door: {@code /__sim/ledger}, {@code stats} and {@code state} to read, {@code config} to
 * read and change, {@code reset} to start again.
 */
final class Control {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Server server;
  private final Clock clock;

  Control(Server server, Clock clock) {
    this.server = server;
    this.clock = clock;
  }

  void handle(HttpServerRequest request, Buffer body) {
    String what = request.method() + " " + Server.path(request).substring("/__sim".length());
    try {
      switch (what) {
        case "GET /ledger" -> ledger(request);
        case "GET /stats" -> send(request, MAPPER.valueToTree(server.provider().counts().stats()));
        case "GET /state" -> send(request, state());
        case "GET /config" -> send(request, config());
        case "PUT /config", "POST /config" -> {
          configure(MAPPER.readTree(body.getBytes()));
          send(request, config());
        }
        case "POST /reset" -> {
          server.reset();
          send(request, JSON.objectNode().put("reset", true));
        }
        default ->
            Server.send(
                request.response(),
                404,
                JSON.objectNode()
                    .put(
                        "error",
                        "there are GET ledger, stats, state and config, PUT config and POST reset,"
                            + " not "
                            + what));
      }
    } catch (IllegalArgumentException e) {
      refuse(request, String.valueOf(e.getMessage()));
    } catch (JsonProcessingException e) {
      refuse(request, "a configuration is a JSON object: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot fail to be read", e);
    }
  }

  private static void refuse(HttpServerRequest request, String why) {
    Server.send(request.response(), 400, JSON.objectNode().put("error", why));
  }

  private static void send(HttpServerRequest request, JsonNode body) {
    Server.send(request.response(), 200, body);
  }

  /** One JSON object a line, oldest first. */
  private void ledger(HttpServerRequest request) {
    StringBuilder lines = new StringBuilder();
    for (Entry entry : server.provider().ledger().entries()) {
      lines.append(Wire.text(line(entry))).append('\n');
    }
    request
        .response()
        .putHeader("content-type", "application/jsonl")
        .putHeader("x-sim-forgotten", Long.toString(server.provider().ledger().forgotten()))
        .end(lines.toString());
  }

  private static ObjectNode line(Entry entry) {
    ObjectNode line =
        JSON.objectNode()
            .put("sequence", entry.sequence())
            .put("atMicros", entry.at())
            .put("what", entry.what().name().toLowerCase(Locale.ROOT))
            .put("scope", entry.scope());
    if (!entry.request().isEmpty()) {
      line.put("request", entry.request()).put("attempt", entry.attempt());
    }
    if (!entry.id().isEmpty()) {
      line.put("id", entry.id());
    }
    Limit limit = entry.limit();
    if (limit != null) {
      line.put("dimension", limit.dimension().word()).put("per", limit.per());
      line.put("kind", limit.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
      line.put("limit", limit.amount()).put("burst", limit.burst()).put("level", entry.level());
    }
    if (limit != null || entry.amount() > 0) {
      line.put("amount", entry.amount());
    }
    if (!entry.note().isEmpty()) {
      line.put("note", entry.note());
    }
    return line;
  }

  private ObjectNode state() {
    ObjectNode state = JSON.objectNode().put("atMicros", clock.micros());
    ObjectNode scopes = state.putObject("scopes");
    for (Map.Entry<String, Scope> each : server.provider().scopes().entrySet()) {
      ArrayNode limits = scopes.putArray(each.getKey());
      for (Scope.Seen seen : each.getValue().sight(clock.micros()).all()) {
        limits
            .addObject()
            .put("dimension", seen.limit().dimension().word())
            .put("limit", seen.limit().amount())
            .put("per", seen.limit().per())
            .put("burst", seen.limit().burst())
            .put("level", seen.level())
            .put("untilFullMicros", seen.untilFull());
      }
    }
    return state;
  }

  private ObjectNode config() {
    Settings settings = server.provider().settings();
    Latency latency = settings.latency();
    ObjectNode config =
        JSON.objectNode()
            .put("profile", settings.profile().name())
            .put("profilesOf", Profiles.date())
            .put("seed", settings.seed())
            .put("headers", settings.headers().toString())
            .put("foreign", settings.foreign());
    config
        .putObject("latencyMicros")
        .put("first", Words.micros(latency.first()))
        .put("perToken", Words.micros(latency.perToken()))
        .put("spread", latency.spread());
    ArrayNode faults = config.putArray("faults");
    settings.faults().forEach(fault -> faults.add(fault.word()));
    return config;
  }

  /** What is named is changed, in the words of the command line; then everything starts again. */
  private void configure(JsonNode config) {
    Words.check(config.isObject(), "a configuration is a JSON object", config);
    Settings settings = server.provider().settings();
    if (config.has("profile")) {
      settings.profile(Profiles.get(config.get("profile").asText()));
    }
    if (config.has("fault")) {
      settings.clearFaults();
    }
    for (Map.Entry<String, JsonNode> each : config.properties()) {
      if (each.getValue().isArray()) {
        each.getValue().forEach(value -> set(settings, each.getKey(), value.asText()));
      } else {
        set(settings, each.getKey(), each.getValue().asText());
      }
    }
    server.reset();
  }

  private static void set(Settings settings, String name, String text) {
    switch (name) {
      case "profile" -> {}
      case "limit" -> settings.limit(text);
      case "burst" -> settings.burst(text);
      case "latency" -> settings.latency(Latency.parse(text));
      case "headers" -> settings.headers(Headers.parse(text));
      case "fault" -> settings.fault(text);
      case "seed" -> settings.seed(Words.whole(text));
      case "foreign" -> settings.foreign(Words.share(text));
      case "answers" -> settings.answers(Answers.parse(text));
      case "change" -> settings.change(Change.parse(text));
      default ->
          throw new IllegalArgumentException(
              "a configuration has profile, limit, burst, latency, headers, fault, seed, foreign,"
                  + " answers and change, not "
                  + name);
    }
  }
}
