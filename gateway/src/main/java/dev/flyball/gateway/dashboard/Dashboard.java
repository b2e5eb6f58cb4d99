package dev.flyball.gateway.dashboard;

import dev.flyball.call.Cost;
import dev.flyball.gateway.http.Access;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.JsonError;
import dev.flyball.gateway.http.Mount;
import dev.flyball.gateway.tenant.TenantStanding;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.SchedulerSnapshot;
import dev.flyball.scheduler.Time;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The page and what it asks. Once a second the state is put together, once for all who look, and
 * only while somebody does; who reads too slowly misses some. Whatever looks into the history does
 * so on a worker.
 */
public final class Dashboard implements GatewayPart {
  private static final int VERSION = 1;
  private static final int MOST_WATCHERS = 100;
  private static final int LAST_CALLS = 40;
  private static final long SECOND = 1_000;
  private static final int LOOK_AT_COSTS = 5;

  /**
   * What there is to be shown.
   *
   * @param where the address of the server, or the place of the history
   * @param steers whether those who see it may also pause lanes, revoke keys and drain
   * @param tenants as they stand
   * @param paused the names of lanes that somebody has paused
   * @param draining whether the server is about to end
   */
  public record Shown(
      String where,
      boolean steers,
      AnswerOrigin origin,
      Optional<History> history,
      Supplier<List<TenantStanding>> tenants,
      Supplier<Set<String>> paused,
      BooleanSupplier draining) {

    /** Of a history alone. */
    public static Shown of(History history, AnswerOrigin origin, String where) {
      return new Shown(where, false, origin, Optional.of(history), List::of, Set::of, () -> false);
    }
  }

  /** One who looks, and where their answers are written. */
  private record Watcher(HttpServerResponse response, Context context) {}

  private final Vertx vertx;
  private final Flyball flyball;
  private final Time time;
  private final Shown shown;
  private final boolean live;
  private final LiveCalls calls = new LiveCalls();
  private final LastMinutes past = new LastMinutes();
  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
  private final Optional<PastView> history;
  private final Instant begun;
  private final long timer;
  private volatile JsonObject today = new JsonObject();
  private long ticks;

  private Dashboard(Ground ground, Shown shown, boolean live) {
    this.vertx = ground.vertx();
    this.flyball = ground.flyball();
    this.time = ground.setup().time();
    this.shown = shown;
    this.live = live;
    this.begun = time.wall();
    this.history = shown.history().map(each -> new PastView(each, shown.origin()));
    this.timer = vertx.setPeriodic(SECOND, tick -> tick());
  }

  /** Of a server. */
  public static Dashboard live(Ground ground, Shown shown) {
    return new Dashboard(ground, shown, true);
  }

  /** Of a history, without a server that runs. */
  public static Dashboard past(Ground ground, Shown shown) {
    return new Dashboard(ground, shown, false);
  }

  @Override
  public Optional<CallListener> listener() {
    return live ? Optional.of(calls) : Optional.empty();
  }

  @Override
  public List<Mount> mounts() {
    var mounts = new ArrayList<>(PageFiles.mounts());
    mounts.add(asked("/admin/live", this::watch));
    mounts.add(asked("/admin/state", (request, caller) -> JsonAnswer.give(request, state(true))));
    mounts.add(asked("/admin/usage", this::usage));
    mounts.add(asked("/admin/calls", (request, caller) -> lastCalls(request)));
    mounts.add(
        asked(
            "/admin/reviews",
            (request, caller) -> past(request, PastView::reviews, none("reviews"))));
    mounts.add(
        asked("/admin/runs", (request, caller) -> past(request, PastView::runs, none("runs"))));
    return mounts;
  }

  private static Mount asked(String path, dev.flyball.gateway.http.RequestHandler handler) {
    return new Mount(
        path,
        Access.ADMINISTRATORS,
        (request, caller) -> {
          if (request.method().equals(HttpMethod.GET)) {
            handler.answer(request, caller);
          } else {
            request.response().putHeader("allow", "GET");
            JsonError.answer(request, 405, "invalid_request_error", "use GET");
          }
        });
  }

  private static JsonObject none(String what) {
    return new JsonObject().put(what, new JsonArray());
  }

  // ---- live ----

  private void watch(HttpServerRequest request, Caller caller) {
    if (watchers.size() >= MOST_WATCHERS) {
      JsonError.answer(request, 503, "overloaded_error", "too many pages look at this server");
      return;
    }
    var response =
        request
            .response()
            .setChunked(true)
            .putHeader("content-type", "text/event-stream")
            .putHeader("cache-control", "no-store")
            .putHeader("x-content-type-options", "nosniff")
            .putHeader("x-accel-buffering", "no");
    var watcher = new Watcher(response, vertx.getOrCreateContext());
    response.closeHandler(gone -> watchers.remove(watcher));
    response.exceptionHandler(gone -> watchers.remove(watcher));
    response.write(event(state(true)));
    watchers.add(watcher);
  }

  private static String event(JsonObject state) {
    // JSON has no line breaks of its own, so it is one line of the stream.
    return "data: " + state.encode() + "\n\n";
  }

  private void tick() {
    if (live) {
      var snapshot = flyball.snapshot();
      long waiting = snapshot.lanes().stream().mapToLong(each -> each.waiting()).sum();
      past.tick(time.wall(), calls.answered(), waiting, snapshot.total().throttled());
    }
    if (ticks++ % LOOK_AT_COSTS == 0) {
      vertx.executeBlocking(this::lookAtCosts, false);
    }
    if (!watchers.isEmpty()) {
      var event = event(state(false));
      for (var each : watchers) {
        each.context()
            .runOnContext(
                now -> {
                  if (each.response().closed()) {
                    watchers.remove(each);
                  } else if (!each.response().writeQueueFull()) {
                    each.response().write(event);
                  }
                });
      }
    }
  }

  private boolean lookAtCosts() throws HistoryUnavailable {
    if (history.isPresent()) {
      today = history.get().today(time.wall());
    }
    return true;
  }

  private JsonObject state(boolean first) {
    var now = time.wall();
    var state =
        new JsonObject()
            .put("version", VERSION)
            .put("mode", live ? "live" : "history")
            .put("at", now.toString())
            .put("where", live ? shown.where() + " · up " + up(now) : shown.where())
            .put("steers", live && shown.steers())
            .put("draining", shown.draining().getAsBoolean())
            .put("simulated", shown.origin() == AnswerOrigin.SIMULATED)
            .put("notice", notice());
    if (!live) {
      return state
          .put("totals", new JsonObject())
          .put("lanes", new JsonArray())
          .put("tenants", new JsonArray())
          .put("calls", new JsonArray());
    }
    var snapshot = flyball.snapshot();
    var shares = calls.shares();
    var paused = shown.paused().get();
    var lanes = new JsonArray();
    double answersPerSecond = past.perMinute() / 60;
    long allWaiting = Math.max(1, snapshot.lanes().stream().mapToLong(e -> e.waiting()).sum());
    for (var lane : snapshot.lanes()) {
      double share = answersPerSecond * lane.waiting() / allWaiting;
      lanes.add(LaneView.of(lane, LaneView.isIn(lane, paused), shares, share));
    }
    var last = new JsonArray();
    calls.last(LAST_CALLS).forEach(last::add);
    return state
        .put("totals", totals(snapshot))
        .put("lanes", lanes)
        .put("tenants", tenants(shares))
        .put("calls", last)
        .put("past", past.json(first));
  }

  private @org.jspecify.annotations.Nullable String notice() {
    return shown.origin() == AnswerOrigin.SIMULATED
        ? "Simulated: the answers and the costs on this page are not real."
        : null;
  }

  private String up(Instant now) {
    return dev.flyball.call.DurationText.of(
        Duration.ofSeconds(Math.max(0, Duration.between(begun, now).toSeconds())));
  }

  private JsonObject totals(SchedulerSnapshot snapshot) {
    var total = snapshot.total();
    var sums =
        new JsonObject()
            .put("inFlight", snapshot.lanes().stream().mapToInt(each -> each.inFlight()).sum())
            .put("waiting", snapshot.lanes().stream().mapToInt(each -> each.waiting()).sum())
            .put("perMinute", Math.round(past.perMinute()))
            .put("completed", calls.answered())
            .put("attempts", total.attempts())
            .put("throttled", total.throttled())
            .put("errored", calls.failed())
            .put("retried", total.retried())
            .put("costToday", "0")
            .put("tokensToday", 0)
            .put("unpricedToday", 0);
    return sums.mergeIn(today);
  }

  private JsonArray tenants(Map<LiveCalls.Spot, LiveCalls.Share> shares) {
    var byTenant = new HashMap<String, LiveCalls.Share>();
    shares.forEach((spot, share) -> byTenant.merge(spot.tenant(), share, LiveCalls.Share::plus));
    var all = new JsonArray();
    for (var each : shown.tenants().get()) {
      var share = byTenant.getOrDefault(each.name(), new LiveCalls.Share(0, 0));
      all.add(tenant(each, share, calls.ended(each.name())));
    }
    return all;
  }

  private static JsonObject tenant(TenantStanding each, LiveCalls.Share share, long ended) {
    var terms = each.key().terms();
    var budgets = new JsonArray();
    boolean blocked = false;
    for (var budget : each.budgets()) {
      blocked |= budget.isSpent();
      boolean money = budget.unit().equals("dollars");
      budgets.add(
          new JsonObject()
              .put("unit", budget.unit())
              .put("period", budget.period())
              .put("spent", amount(budget.spent(), money))
              .put("held", amount(budget.held(), money))
              .put("limit", amount(budget.limit(), money))
              .put("softAt", TenantStanding.SOFT_AT));
    }
    var models = new JsonArray();
    each.key().models().forEach(models::add);
    return new JsonObject()
        .put("name", each.name())
        .put("hint", each.key().hint())
        .put("priority", terms.priority())
        .put("weight", terms.weight())
        .put("inFlight", share.inFlight())
        .put("waiting", share.waiting() + each.heldBack())
        .put("calls", ended)
        .put("models", models)
        .put(
            "requestsPerMinute",
            terms.requests().isPresent() ? (Long) terms.requests().getAsLong() : null)
        .put(
            "tokensPerMinute",
            terms.tokens().isPresent() ? (Long) terms.tokens().getAsLong() : null)
        .put(
            "mostInFlight",
            terms.inFlight().isPresent() ? (Long) terms.inFlight().getAsLong() : null)
        .put("revoked", false)
        .put("slowed", each.slowed())
        .put("blocked", blocked)
        .put("budgets", budgets);
  }

  private static Number amount(long value, boolean money) {
    return money ? (Number) Double.valueOf(new Cost(Math.max(0, value)).decimal()) : (Number) value;
  }

  // ---- past ----

  /** A question to the history. */
  @FunctionalInterface
  private interface Question {
    JsonObject ask(PastView history) throws HistoryUnavailable;
  }

  private void past(HttpServerRequest request, Question question, JsonObject otherwise) {
    if (history.isEmpty()) {
      JsonAnswer.give(request, otherwise);
      return;
    }
    var view = history.get();
    vertx
        .executeBlocking(() -> question.ask(view), false)
        .onSuccess(answer -> JsonAnswer.give(request, answer))
        .onFailure(
            trouble ->
                JsonError.answer(
                    request,
                    503,
                    "api_error",
                    trouble instanceof HistoryUnavailable gone
                        ? gone.reason()
                        : "the history cannot be read"));
  }

  private void usage(HttpServerRequest request, Caller caller) {
    try {
      var range = PastView.Range.of(request.getParam("range", "24h"));
      var by = PastView.grouping(request.getParam("by", "model"));
      var now = time.wall();
      past(request, view -> view.usage(range, by, now), emptyUsage(now));
    } catch (IllegalArgumentException wrong) {
      JsonError.answer(request, 400, "invalid_request_error", String.valueOf(wrong.getMessage()));
    }
  }

  private static JsonObject emptyUsage(Instant now) {
    return new JsonObject()
        .put("from", now.getEpochSecond())
        .put("until", now.getEpochSecond())
        .put("stepSeconds", 3_600)
        .put("simulated", false)
        .put("rows", new JsonArray());
  }

  /** What this server has seen; of an earlier one, what the history has. */
  private void lastCalls(HttpServerRequest request) {
    var own = new JsonArray();
    calls.last(Integer.MAX_VALUE).forEach(own::add);
    if (!own.isEmpty()) {
      JsonAnswer.give(request, new JsonObject().put("calls", own));
    } else {
      past(request, view -> new JsonObject().put("calls", view.calls()), none("calls"));
    }
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
    for (var each : watchers) {
      each.context().runOnContext(now -> each.response().end());
    }
  }
}
