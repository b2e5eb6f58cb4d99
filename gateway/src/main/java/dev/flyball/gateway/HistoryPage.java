package dev.flyball.gateway;

import dev.flyball.gateway.dashboard.Dashboard;
import dev.flyball.gateway.http.AccessCheck;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.tenant.AdminToken;
import dev.flyball.gateway.tenant.Tenants;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.run.RunSetup;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * The dashboard of a history, read-only and without a gateway behind it, on loopback and with a
 * token of its own.
 */
public final class HistoryPage implements AutoCloseable {
  private final Gateway server;
  private final AdminToken token;

  private HistoryPage(Gateway server, AdminToken token) {
    this.server = server;
    this.token = token;
  }

  /**
   * Opens it.
   *
   * @param port 0 is any that is free
   * @param place where the history is, as people are told
   * @throws IOException if the port cannot be had
   */
  public static HistoryPage open(
      int port,
      RunSetup setup,
      History history,
      AnswerOrigin origin,
      String place,
      AdminToken token)
      throws IOException {
    var settings = GatewaySettings.USUAL.port(port).loops(1);
    var shown = Dashboard.Shown.of(history, origin, place);
    GatewayPart.Maker door =
        ground ->
            new GatewayPart() {
              @Override
              public Optional<AccessCheck> access() {
                return Optional.of(Tenants.administratorsOnly(token));
              }
            };
    GatewayPart.Maker page = ground -> Dashboard.past(ground, shown);
    return new HistoryPage(Gateway.withoutProxy(settings, setup, List.of(door, page)), token);
  }

  /** Its address, with the token behind the #, which no server ever sees. */
  public URI uri() {
    return server.uri().resolve("/#token=" + token.text());
  }

  @Override
  public void close() {
    server.close();
  }
}
