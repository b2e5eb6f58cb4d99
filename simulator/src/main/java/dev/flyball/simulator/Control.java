package dev.flyball.simulator;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.LimitLevel;
import dev.flyball.simulator.provider.Ledger;
import dev.flyball.simulator.provider.LedgerEntry;
import dev.flyball.simulator.provider.LimitScope;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Change;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Profiles;
import dev.flyball.simulator.setting.Settings;
import dev.flyball.simulator.value.JsonText;
import dev.flyball.simulator.value.OptionText;
import dev.flyball.simulator.value.SimulatedClock;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The side door: {@code /__sim/ledger}, {@code stats}, {@code state} and {@code clock} to read,
 * {@code config} to read and change, {@code reset} to start again.
 */
final class Control {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final int LINES = 500;

  private final Server server;

  Control(Server server) {
    this.server = server;
  }

  static void tooLarge(HttpServerRequest request) {
    answer(request, 413, JSON.objectNode().put("error", "a configuration has at most 1 MiB"));
  }

  /**
   * Whether a page of somebody else's can have sent an order without asking: a browser lets any
   * page post a form, and asks first before it sends JSON.
   */
  private static boolean mayBeForm(HttpServerRequest request) {
    String type = requireNonNullElse(request.getHeader("content-type"), "");
    return !request.method().name().equals("GET")
        && !type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
  }

  void handle(HttpServerRequest request, byte[] body) {
    if (mayBeForm(request)) {
      answer(
          request,
          415,
          JSON.objectNode().put("error", "send the header content-type: application/json"));
      return;
    }
    String what = request.method() + " " + Server.path(request).substring("/__sim".length());
    server.provider().catchUp(server.clock().micros());
    try {
      switch (what) {
        case "GET /ledger" -> ledger(request);
        case "GET /stats" -> send(request, MAPPER.valueToTree(server.provider().stats()));
        case "GET /state" -> send(request, state());
        case "GET /clock" -> send(request, clock());
        case "GET /config" -> send(request, config());
        case "PUT /config", "POST /config" -> {
          configure(MAPPER.readTree(body));
          send(request, config());
        }
        case "POST /reset" -> {
          server.reset(server.provider().settings());
          send(request, JSON.objectNode().put("reset", true));
        }
        default ->
            answer(
                request,
                404,
                JSON.objectNode()
                    .put(
                        "error",
                        "there are GET ledger, stats, state, clock and config, PUT config and POST"
                            + " reset, not "
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
    answer(request, 400, JSON.objectNode().put("error", why));
  }

  private static void send(HttpServerRequest request, JsonNode body) {
    answer(request, 200, body);
  }

  /** In ASCII alone, because what strangers have sent is shown in terminals. */
  private static void answer(HttpServerRequest request, int status, JsonNode body) {
    if (!request.response().closed()) {
      request.response().setStatusCode(status).putHeader("content-type", "application/json");
      request.response().end(JsonText.ascii(body));
    }
  }

  /** One JSON object a line, oldest first. */
  private void ledger(HttpServerRequest request) {
    Ledger ledger = server.provider().ledger();
    HttpServerResponse response = request.response();
    response
        .putHeader("content-type", "application/jsonl")
        .putHeader("x-sim-forgotten", Long.toString(ledger.forgotten()))
        .setChunked(true);
    lines(response, ledger.entries(), 0);
  }

  /** Some at a time, as fast as they are read: there may be more than fit into memory as text. */
  private static void lines(HttpServerResponse response, List<LedgerEntry> entries, int from) {
    int to = Math.min(entries.size(), from + LINES);
    StringBuilder lines = new StringBuilder();
    for (LedgerEntry entry : entries.subList(from, to)) {
      lines.append(JsonText.ascii(line(entry))).append('\n');
    }
    if (to == entries.size()) {
      response.end(lines.toString());
    } else {
      response.write(lines.toString()).onSuccess(sent -> lines(response, entries, to));
    }
  }

  private ObjectNode clock() {
    SimulatedClock clock = server.clock();
    long now = clock.micros();
    return JSON.objectNode()
        .put("atMicros", now)
        .put("speed", clock.speed())
        .put("date", clock.at(now).toString());
  }

  private static ObjectNode line(LedgerEntry entry) {
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
    long now = server.clock().micros();
    ObjectNode state = JSON.objectNode().put("atMicros", now);
    ObjectNode scopes = state.putObject("scopes");
    for (Map.Entry<String, LimitScope> each : server.provider().scopes().entrySet()) {
      ArrayNode limits = scopes.putArray(each.getKey());
      for (LimitLevel seen : each.getValue().snapshot(now).all()) {
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
            .put("foreign", settings.foreign())
            .put("speed", settings.speed())
            .put("keys-share-org", settings.keysShareOrganization());
    config
        .putObject("latencyMicros")
        .put("first", OptionText.micros(latency.first()))
        .put("perToken", OptionText.micros(latency.perToken()))
        .put("spread", latency.spread());
    ArrayNode faults = config.putArray("faults");
    settings.faults().forEach(fault -> faults.add(fault.word()));
    return config;
  }

  /** What is named is changed, in the words of the command line; then everything starts again. */
  private void configure(JsonNode config) {
    OptionText.check(config.isObject(), "a configuration is a JSON object", config);
    Settings settings = server.provider().settings().copy();
    if (config.has("profile")) {
      settings.profile(Profiles.get(config.get("profile").asText()));
    }
    for (Map.Entry<String, JsonNode> each : config.properties()) {
      settings.clear(each.getKey());
      if (each.getValue().isArray()) {
        each.getValue().forEach(value -> set(settings, each.getKey(), value.asText()));
      } else {
        set(settings, each.getKey(), each.getValue().asText());
      }
    }
    server.reset(settings.checked());
  }

  private static void set(Settings settings, String name, String text) {
    switch (name) {
      case "profile" -> {}
      case "limit" -> settings.limit(text);
      case "burst" -> settings.burst(text);
      case "latency" -> settings.latency(Latency.parse(text));
      case "headers" -> settings.headers(Headers.parse(text));
      case "fault" -> settings.fault(text);
      case "seed" -> settings.seed(OptionText.whole(text));
      case "foreign" -> settings.foreign(OptionText.share(text));
      case "answers" -> settings.answers(Answers.made(text));
      case "change" -> settings.change(Change.parse(text));
      case "spend-cap" -> settings.spendCap(OptionText.decimal(text));
      case "acceleration" -> settings.acceleration(OptionText.whole(text), 1.5);
      case "ledger" -> settings.ledger(OptionText.small(text));
      case "speed" -> settings.speed(OptionText.small(text));
      case "keys-share-org" -> settings.keysShareOrganization(OptionText.yes(text));
      default ->
          throw new IllegalArgumentException(
              "a configuration has profile, limit, burst, latency, headers, fault, answers, seed,"
                  + " foreign, change, spend-cap, acceleration, ledger, speed and keys-share-org,"
                  + " not "
                  + name);
    }
  }
}
