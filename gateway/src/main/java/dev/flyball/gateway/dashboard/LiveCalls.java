package dev.flyball.gateway.dashboard;

import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.scheduler.Constraint;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The calls that are on their way and the last that ended, as they told it. It is on the path of
 * every call, so a step costs a look into a map; what people see is put together when they ask.
 */
final class LiveCalls implements CallListener {
  private static final int LAST = 300;

  /** Who is where: a lane, or empty while that is not known, and a tenant. */
  record Spot(String lane, String tenant) {}

  /** How many are at a spot. */
  record Share(int waiting, int inFlight) {
    Share plus(boolean flies) {
      return flies ? new Share(waiting, inFlight + 1) : new Share(waiting + 1, inFlight);
    }

    Share plus(Share other) {
      return new Share(waiting + other.waiting, inFlight + other.inFlight);
    }
  }

  /** One call, written to by its own event loop alone. */
  private static final class OnItsWay {
    private volatile Spot spot;
    private volatile boolean flies;
    private volatile Map<String, Duration> waits = new LinkedHashMap<>();
    private volatile Optional<LaneId> lane = Optional.empty();
    private volatile String trouble = "";

    OnItsWay(Spot spot) {
      this.spot = spot;
    }

    void at(LaneId where, boolean inFlight) {
      if (lane.filter(where::equals).isEmpty()) {
        lane = Optional.of(where);
        spot = new Spot(where.toString(), spot.tenant());
      }
      flies = inFlight;
    }

    void waited(Map<Constraint, Duration> more) {
      var all = new LinkedHashMap<>(waits);
      more.forEach((what, time) -> all.merge(what.name(), time, Duration::plus));
      waits = all;
    }
  }

  /** One that ended; it is put into words when somebody asks. */
  private record Past(ProxiedCall call, CallStep.Ended end, Optional<OnItsWay> known) {}

  private final Map<String, OnItsWay> open = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> ended = new ConcurrentHashMap<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Past> last = new ArrayDeque<>();

  /** What came of all calls so far. */
  long answered() {
    return answered.get();
  }

  long failed() {
    return failed.get();
  }

  /** How many calls of a tenant have ended. */
  long ended(String tenant) {
    var count = ended.get(tenant);
    return count == null ? 0 : count.get();
  }

  @Override
  public void told(ProxiedCall call, CallStep step) {
    switch (step) {
      case CallStep.Queued queued -> of(call).at(queued.lane(), false);
      case CallStep.Waits waits -> of(call).flies = false;
      case CallStep.Sent sent -> {
        var known = of(call);
        known.waited(sent.waited());
        known.at(sent.lane(), true);
      }
      case CallStep.Answering answering -> {}
      case CallStep.Attempted attempted -> {
        var known = of(call);
        known.flies = false;
        known.trouble = attempted.message();
      }
      case CallStep.Ended end -> end(call, end);
    }
  }

  private OnItsWay of(ProxiedCall call) {
    return open.computeIfAbsent(call.id(), id -> new OnItsWay(new Spot("", call.caller().name())));
  }

  private void end(ProxiedCall call, CallStep.Ended end) {
    var known = Optional.ofNullable(open.remove(call.id()));
    var who = call.caller().name();
    // A tenant's name is one that an administrator gave, so there are few of them.
    ended.computeIfAbsent(who, name -> new AtomicLong()).incrementAndGet();
    switch (end.how()) {
      case ANSWERED -> answered.incrementAndGet();
      case FAILED -> failed.incrementAndGet();
      case REFUSED, LEFT -> {}
    }
    lock.lock();
    try {
      last.addFirst(new Past(call, end, known));
      if (last.size() > LAST) {
        last.removeLast();
      }
    } finally {
      lock.unlock();
    }
  }

  private static JsonObject json(Past past) {
    var call = past.call();
    var end = past.end();
    var known = past.known();
    var waits = new JsonArray();
    known
        .map(each -> each.waits)
        .orElse(Map.of())
        .forEach(
            (what, time) -> {
              if (time.toMillis() > 0) {
                waits.add(new JsonObject().put("for", what).put("ms", time.toMillis()));
              }
            });
    var waited = end.waited();
    if (waits.isEmpty() && waited.toMillis() > 0) {
      waits.add(new JsonObject().put("for", "its turn").put("ms", waited.toMillis()));
    }
    return new JsonObject()
        .put("id", call.id())
        .put("at", call.at().plus(end.took()).toString())
        .put("tenant", call.caller().name())
        .put("name", call.path())
        .put("lens", "")
        .put("model", call.model())
        .put("lane", known.map(each -> each.spot.lane()).orElse(""))
        .put("outcome", outcome(end.how()))
        .put("throttledBy", "")
        .put("status", end.status())
        .put("why", known.map(each -> each.trouble).orElse(""))
        .put("attempt", Math.max(1, end.attempts()))
        .put("waits", waits)
        .put("tookMs", Math.max(0, end.took().minus(waited).toMillis()))
        .put("tokens", end.usage().tokens())
        .put("costUsd", end.cost().map(Cost::decimal).orElse(null));
  }

  private static String outcome(CallStep.Ending how) {
    return switch (how) {
      case ANSWERED -> "answered";
      case FAILED -> "failed";
      case REFUSED -> "refused";
      case LEFT -> "client left";
    };
  }

  /** The last that ended, the latest first. */
  List<JsonObject> last(int most) {
    List<Past> some;
    lock.lock();
    try {
      some = last.stream().limit(most).toList();
    } finally {
      lock.unlock();
    }
    return some.stream().map(LiveCalls::json).toList();
  }

  /** Where those are that have not ended. */
  Map<Spot, Share> shares() {
    var shares = new LinkedHashMap<Spot, Share>();
    for (var each : open.values()) {
      shares.merge(each.spot, new Share(0, 0).plus(each.flies), Share::plus);
    }
    return shares;
  }
}
