package dev.flyball.gateway;

import dev.flyball.gateway.admin.AccessLog;
import dev.flyball.gateway.admin.AdminApi;
import dev.flyball.gateway.admin.PrometheusMetrics;
import dev.flyball.gateway.admin.UsageRecorder;
import dev.flyball.gateway.dashboard.Dashboard;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.task.TaskCounts;
import dev.flyball.gateway.tenant.AdminToken;
import dev.flyball.gateway.tenant.Tenants;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.run.BadSettings;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The parts that stand around the proxy of a server: tenants, orders, metrics, logs and the page.
 *
 * @param history where keys, spending and attempts are kept, if they are
 * @param accessLog where a line for each call is written, if it is
 * @param orders what the owner of the server does when it is told to
 * @param reviews the numbers of the review server, if there is one
 */
public record ServerParts(
    GatewaySettings settings,
    Optional<History> history,
    AnswerOrigin origin,
    AdminToken token,
    Optional<Writer> accessLog,
    AdminApi.Server orders,
    Supplier<Optional<TaskCounts>> reviews,
    Consumer<String> warnings) {

  /** Their makers, in the order in which they are made. */
  public List<GatewayPart.Maker> makers() {
    return List.of(ground -> new Together(make(ground)));
  }

  private List<GatewayPart> make(GatewayPart.Ground ground) {
    var parts = new ArrayList<GatewayPart>();
    try {
      var door = new Tenants.Door(token, settings.isLoopback());
      var tenants = new Tenants(ground, history, door, warnings);
      parts.add(tenants);
      if (!settings.isLoopback() && !tenants.anyKey()) {
        parts.forEach(GatewayPart::close);
        throw new BadSettings(
            "--host: others can reach %s, so clients need keys, and there are none yet: flyball keys add NAME"
                .formatted(settings.host()));
      }
      var draining = new AtomicBoolean();
      var admin = new AdminApi(ground, Optional.of(tenants), orders);
      parts.add(admin);
      parts.add(new PrometheusMetrics(ground, reviews));
      if (history.isPresent()) {
        parts.add(new UsageRecorder(ground, history.get(), origin));
      }
      accessLog.ifPresent(out -> parts.add(new AccessLog(out, warnings)));
      var shown =
          new Dashboard.Shown(
              settings.host() + (settings.port() == 0 ? "" : ":" + settings.port()),
              true,
              origin,
              history,
              tenants::standings,
              admin::paused,
              draining::get);
      parts.add(Dashboard.live(ground, shown));
      parts.add(new DrainFlag(draining));
      return parts;
    } catch (HistoryUnavailable gone) {
      parts.forEach(GatewayPart::close);
      throw new BadSettings(
          "keys and budgets need the history, which is not available: " + gone.reason());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new BadSettings("interrupted before it had begun");
    }
  }

  /** Remembers that the server is about to end. */
  private record DrainFlag(AtomicBoolean draining) implements GatewayPart {
    @Override
    public void drain() {
      draining.set(true);
    }
  }
}
