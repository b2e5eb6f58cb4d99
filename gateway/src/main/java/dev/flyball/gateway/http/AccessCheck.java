package dev.flyball.gateway.http;

import io.vertx.core.http.HttpServerRequest;

/**
 * The check of who asks, before anything of the request but its head is read. It runs on the event
 * loop of the request and never blocks.
 */
@FunctionalInterface
public interface AccessCheck {
  /** Who it is, or why they are turned away. */
  Verdict check(HttpServerRequest request, Access wanted);

  /** What came of it. */
  sealed interface Verdict {}

  /** They may go on. */
  record LetIn(Caller caller) implements Verdict {}

  /**
   * They may not.
   *
   * @param status 401 or 403; 503 where another server would let them in
   * @param message for people: why, and what to do
   */
  record TurnedAway(int status, String message) implements Verdict {}

  /** For a server on loopback without tenants: everybody may call, and nobody administrate. */
  AccessCheck NO_KEYS =
      (request, wanted) ->
          wanted == Access.ADMINISTRATORS
              ? new TurnedAway(403, "this server has no administrators")
              : new LetIn(Caller.ANYBODY);
}
