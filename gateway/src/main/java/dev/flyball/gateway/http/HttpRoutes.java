package dev.flyball.gateway.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The paths of the server: finds who answers a request, and lets in only those who may ask. */
public final class HttpRoutes implements Handler<HttpServerRequest> {
  private static final AccessCheck.TurnedAway FOREIGN =
      new AccessCheck.TurnedAway(
          403, "this request comes from another site's page, or names another host");

  private final List<Mount> mounts;
  private final AccessCheck access;
  private final HostCheck host;
  private final ConnectionWatch connections;
  private final BooleanSupplier ending;

  /**
   * The paths of a server.
   *
   * @param ending whether the server ends, so that clients had better use other connections
   */
  public HttpRoutes(
      List<Mount> mounts,
      AccessCheck access,
      HostCheck host,
      ConnectionWatch connections,
      BooleanSupplier ending) {
    this.mounts =
        mounts.stream()
            .sorted(Comparator.comparingInt((Mount each) -> each.path().length()).reversed())
            .toList();
    this.access = access;
    this.host = host;
    this.connections = connections;
    this.ending = ending;
  }

  @Override
  public void handle(HttpServerRequest request) {
    connections.begins(request);
    if (ending.getAsBoolean() && request.version() != HttpVersion.HTTP_2) {
      request.response().putHeader("connection", "close");
    }
    var path = request.path();
    boolean foreign = !host.allows(request);
    for (var mount : mounts) {
      if (path != null && mount.fits(path)) {
        if (foreign) {
          mount.handler().turnedAway(request, FOREIGN);
        } else {
          admit(mount, request);
        }
        return;
      }
    }
    if (foreign) {
      JsonError.answer(request, FOREIGN.status(), "permission_error", FOREIGN.message());
      return;
    }
    JsonError.answer(request, 404, "not_found_error", "there is nothing at this path");
  }

  private void admit(Mount mount, HttpServerRequest request) {
    if (mount.access() == Access.EVERYBODY) {
      mount.handler().answer(request, Caller.ANYBODY);
      return;
    }
    switch (access.check(request, mount.access())) {
      case AccessCheck.LetIn(var caller) -> mount.handler().answer(request, caller);
      case AccessCheck.TurnedAway why -> mount.handler().turnedAway(request, why);
    }
  }
}
