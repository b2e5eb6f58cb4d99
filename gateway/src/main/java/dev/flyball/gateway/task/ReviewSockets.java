package dev.flyball.gateway.task;

import dev.flyball.gateway.http.AccessCheck;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.RequestHandler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** {@code /v1/reviews/ws}: connections over which one review after the other can be asked for. */
final class ReviewSockets implements RequestHandler {
  private static final int MOST = 1_000;

  private final Vertx vertx;
  private final Tasks tasks;
  private final Set<TaskSocket> open = ConcurrentHashMap.newKeySet();

  ReviewSockets(Vertx vertx, Tasks tasks) {
    this.vertx = vertx;
    this.tasks = tasks;
  }

  @Override
  public void turnedAway(HttpServerRequest request, AccessCheck.TurnedAway why) {
    ReviewRequests.refuse(request, why, tasks);
  }

  @Override
  public void answer(HttpServerRequest request, Caller caller) {
    var id = Tasks.newId();
    if (!isUpgrade(request)) {
      away(request, tasks.error(TaskCode.UPGRADE_REQUIRED, TaskError.Phase.SETUP, id));
    } else if (isForeign(request)) {
      away(request, tasks.error(TaskCode.FORBIDDEN, TaskError.Phase.SETUP, id));
    } else if (open.size() >= MOST) {
      away(
          request,
          tasks.error(TaskCode.AT_CAPACITY, TaskError.Phase.SETUP, id).full(tasks.house()));
    } else {
      request
          .toWebSocket()
          .onSuccess(
              socket -> {
                var connection = new TaskSocket(vertx, socket, tasks, caller, open::remove);
                open.add(connection);
                connection.begin();
              });
    }
  }

  private void away(HttpServerRequest request, TaskError error) {
    ReviewRequests.Refusals.send(request, tasks.sentAway(error).error(), false);
  }

  private static boolean isUpgrade(HttpServerRequest request) {
    var upgrade = request.getHeader(HttpHeaders.UPGRADE);
    return request.method().equals(HttpMethod.GET)
        && upgrade != null
        && upgrade.toLowerCase(Locale.ROOT).contains("websocket");
  }

  /** A page of another site, in a browser that would send along what lets its user in here. */
  private static boolean isForeign(HttpServerRequest request) {
    var origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin == null) {
      return false;
    }
    try {
      var from = URI.create(origin).getRawAuthority();
      return from == null || !from.equalsIgnoreCase(request.getHeader(HttpHeaders.HOST));
    } catch (IllegalArgumentException garbled) {
      return true;
    }
  }

  /** Closes those over which nothing runs; the others when it has ended. */
  void drain() {
    List.copyOf(open).forEach(TaskSocket::drain);
  }
}
