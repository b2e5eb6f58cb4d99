package dev.flyball.gateway.tenant;

import dev.flyball.gateway.http.Access;
import dev.flyball.gateway.http.AccessCheck;
import dev.flyball.gateway.http.Caller;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The check of who asks, by keys and by the admin token.
 *
 * @param loopback whether the server listens at an address that only this machine reaches; there
 *     everybody may call as long as there is no key
 * @param countsSpending whether it is this server that counts what keys with budgets spend
 */
record TenantAccess(
    KeyRing keys, AdminToken token, boolean loopback, BooleanSupplier countsSpending)
    implements AccessCheck {
  private static final List<String> KEY_HEADERS = List.of("x-api-key", "api-key", "x-goog-api-key");
  private static final String BEARER = "bearer ";

  @Override
  public Verdict check(HttpServerRequest request, Access wanted) {
    var presented = presented(request);
    return switch (wanted) {
      case EVERYBODY -> new LetIn(Caller.ANYBODY);
      case ADMINISTRATORS ->
          presented.isPresent() && token.is(presented.get())
              ? new LetIn(Caller.ANYBODY)
              : new TurnedAway(
                  401,
                  "the admin token is missing or wrong; the server prints it when it starts, or it"
                      + " is what FLYBALL_ADMIN_TOKEN says: send it as Authorization: Bearer ...");
      case CALLERS -> caller(presented);
      case CALLERS_AND_ADMINISTRATORS ->
          presented.isPresent() && token.is(presented.get())
              ? new LetIn(Caller.ADMINISTRATOR)
              : caller(presented);
    };
  }

  private Verdict caller(Optional<String> presented) {
    if (presented.isPresent()) {
      var owner = keys.owner(presented.get());
      if (owner.isPresent() && owner.get().isBudgeted() && !countsSpending.getAsBoolean()) {
        return new TurnedAway(
            503,
            "what this key may spend is counted by another server on the same history: ask that"
                + " one, or again when it has ended");
      }
      if (owner.isPresent()) {
        return new LetIn(owner.get().caller());
      }
      if (presented.get().startsWith(VirtualKey.PREFIX)) {
        return new TurnedAway(
            401, "this key is unknown or was revoked; `flyball keys add NAME` creates one");
      }
    }
    if (loopback && !keys.everHadOne()) {
      return new LetIn(Caller.ANYBODY);
    }
    return new TurnedAway(
        401,
        "this server needs one of its own keys, as x-api-key or Authorization: Bearer flyball_...;"
            + " `flyball keys add NAME` creates one");
  }

  private static Optional<String> presented(HttpServerRequest request) {
    var authorization = request.getHeader("authorization");
    if (authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return Optional.of(authorization.substring(BEARER.length()).strip());
    }
    for (var name : KEY_HEADERS) {
      var value = request.getHeader(name);
      if (value != null) {
        return Optional.of(value.strip());
      }
    }
    return Optional.empty();
  }
}
