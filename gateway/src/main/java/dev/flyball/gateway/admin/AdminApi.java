package dev.flyball.gateway.admin;

import dev.flyball.call.LaneId;
import dev.flyball.gateway.http.Access;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.JsonError;
import dev.flyball.gateway.http.Mount;
import dev.flyball.gateway.tenant.Tenants;
import dev.flyball.scheduler.Flyball;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The orders of administrators: revoke a key, pause a lane and let it go on, drain, read settings
 * again. Each is a POST of JSON with the admin token, which no page of another site can send.
 */
public final class AdminApi implements GatewayPart {
  private static final int LARGEST = 16 * 1024;

  /** What else can be done to the server, by whoever owns it. */
  public interface Server {
    /** Begins to end; does not wait. */
    void drain();

    /**
     * Reads the settings again.
     *
     * @return what is wrong with them, and the old ones go on to hold
     */
    Optional<String> reload();
  }

  /** An order that came in, with its body. */
  @FunctionalInterface
  private interface Order {
    JsonObject carryOut(JsonObject body) throws Exception;
  }

  /** An order that cannot be carried out. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    private final int status;

    Refused(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  private final Vertx vertx;
  private final Flyball flyball;
  private final Optional<Tenants> tenants;
  private final Server server;
  private final Set<String> paused = ConcurrentHashMap.newKeySet();

  /** The orders of a server, with tenants if it has any. */
  public AdminApi(Ground ground, Optional<Tenants> tenants, Server server) {
    this.vertx = ground.vertx();
    this.flyball = ground.flyball();
    this.tenants = tenants;
    this.server = server;
  }

  /** The names of the lanes that are paused. */
  public Set<String> paused() {
    return Set.copyOf(paused);
  }

  @Override
  public List<Mount> mounts() {
    return List.of(
        order("/admin/lanes/pause", body -> pause(body, true)),
        order("/admin/lanes/resume", body -> pause(body, false)),
        order("/admin/keys/revoke", this::revoke),
        order(
            "/admin/drain",
            body -> {
              server.drain();
              return done();
            }),
        order("/admin/reload", body -> reload()));
  }

  private Mount order(String path, Order order) {
    return new Mount(path, Access.ADMINISTRATORS, (request, caller) -> receive(request, order));
  }

  private void receive(HttpServerRequest request, Order order) {
    if (!request.method().equals(HttpMethod.POST)) {
      request.response().putHeader("allow", "POST");
      JsonError.answer(request, 405, "invalid_request_error", "use POST");
      return;
    }
    var type = request.getHeader("content-type");
    if (type == null || !type.toLowerCase(java.util.Locale.ROOT).startsWith("application/json")) {
      JsonError.answer(
          request, 415, "invalid_request_error", "send the header content-type: application/json");
      return;
    }
    var body = Buffer.buffer();
    request.handler(
        part -> {
          if (body.length() + part.length() > LARGEST) {
            JsonError.answer(request, 413, "request_too_large", "the body may have at most 16 KB");
            request.handler(rest -> {});
          } else {
            body.appendBuffer(part);
          }
        });
    request.endHandler(end -> carryOut(request, order, body));
  }

  private void carryOut(HttpServerRequest request, Order order, Buffer body) {
    JsonObject json;
    try {
      json = body.length() == 0 ? new JsonObject() : new JsonObject(body);
    } catch (DecodeException | ClassCastException wrong) {
      JsonError.answer(request, 400, "invalid_request_error", "the body must be a JSON object");
      return;
    }
    vertx
        .executeBlocking(() -> order.carryOut(json), true)
        .onSuccess(
            answer ->
                request
                    .response()
                    .putHeader("content-type", "application/json")
                    .putHeader("cache-control", "no-store")
                    .end(answer.encode()))
        .onFailure(
            no -> {
              if (no instanceof Refused refused) {
                JsonError.answer(
                    request,
                    refused.status,
                    "invalid_request_error",
                    String.valueOf(refused.getMessage()));
              } else {
                JsonError.answer(request, 503, "api_error", "the order was not carried out");
              }
            });
  }

  private static JsonObject done() {
    return new JsonObject().put("done", true);
  }

  private static String text(JsonObject body, String name) throws Refused {
    if (body.getValue(name) instanceof String text && !text.isBlank()) {
      return text;
    }
    throw new Refused(400, "the body must have a " + name + ", as in {\"" + name + "\": \"...\"}");
  }

  private JsonObject pause(JsonObject body, boolean on) throws Refused {
    var name = text(body, "lane");
    LaneId lane =
        flyball.snapshot().lanes().stream()
            .map(each -> each.lane())
            .filter(each -> each.toString().equals(name))
            .findAny()
            .orElseThrow(() -> new Refused(404, "there is no such lane"));
    if (on) {
      paused.add(name);
      flyball.pause(lane);
    } else {
      flyball.resume(lane);
      paused.remove(name);
    }
    return done();
  }

  private JsonObject revoke(JsonObject body) throws Exception {
    var tenant = text(body, "tenant");
    if (tenants.isEmpty() || !tenants.get().revoke(tenant)) {
      throw new Refused(404, "there is no tenant of that name with a key");
    }
    return done();
  }

  private JsonObject reload() throws Refused {
    var wrong = server.reload();
    if (wrong.isPresent()) {
      throw new Refused(400, wrong.get());
    }
    return done();
  }
}
