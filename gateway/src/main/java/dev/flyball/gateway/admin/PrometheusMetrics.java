package dev.flyball.gateway.admin;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Cost;
import dev.flyball.gateway.http.Access;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.Mount;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.gateway.task.TaskCounts;
import dev.flyball.gateway.task.TaskReason;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.LaneSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * {@code /metrics} in the text format of Prometheus. Lanes are asked when somebody scrapes; what
 * calls came to is counted as they end, by tenant and ending. Labels are what an administrator
 * named or what a route leads to; past a thousand lanes the rest is left out, so that nobody fills
 * the memory of those who scrape by inventing names.
 */
public final class PrometheusMetrics implements GatewayPart, CallListener {
  private static final int MOST_LANES = 1_000;
  private static final double[] BOUNDS = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300
  };

  /** Times in buckets. */
  private static final class Histogram {
    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS.length + 1);
    private final LongAdder nanos = new LongAdder();

    void add(Duration time) {
      double seconds = time.toNanos() / 1e9;
      int at = 0;
      while (at < BOUNDS.length && seconds > BOUNDS[at]) {
        at++;
      }
      counts.incrementAndGet(at);
      nanos.add(time.toNanos());
    }

    void write(Page page, String name) {
      long sum = 0;
      for (int i = 0; i < BOUNDS.length; i++) {
        sum += counts.get(i);
        page.value(name + "_bucket", (double) sum, "le", number(BOUNDS[i]));
      }
      sum += counts.get(BOUNDS.length);
      page.value(name + "_bucket", (double) sum, "le", "+Inf");
      page.value(name + "_sum", nanos.sum() / 1e9);
      page.value(name + "_count", (double) sum);
    }
  }

  /** The text of one scrape. */
  private static final class Page {
    private final StringBuilder text = new StringBuilder(8_192);

    void about(String name, String type, String help) {
      text.append("# HELP ").append(name).append(' ').append(help).append('\n');
      text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    void value(String name, double value, String... labels) {
      text.append(name);
      for (int i = 0; i < labels.length; i += 2) {
        text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
        escape(labels[i + 1]);
        text.append('"');
      }
      text.append(labels.length > 0 ? "} " : " ").append(number(value)).append('\n');
    }

    private void escape(String label) {
      for (int i = 0; i < label.length(); i++) {
        char sign = label.charAt(i);
        switch (sign) {
          case '\\' -> text.append("\\\\");
          case '"' -> text.append("\\\"");
          case '\n' -> text.append("\\n");
          default -> text.append(sign < ' ' ? '?' : sign);
        }
      }
    }
  }

  private record Ended(String tenant, String ending) {}

  private record Used(String tenant, String kind) {}

  private final Flyball flyball;
  private final Supplier<Optional<TaskCounts>> reviews;
  private final Map<Ended, LongAdder> ended = new ConcurrentHashMap<>();
  private final Map<Used, LongAdder> used = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> cost = new ConcurrentHashMap<>();
  private final Histogram waited = new Histogram();
  private final Histogram took = new Histogram();

  /**
   * The metrics of a server.
   *
   * @param reviews the numbers of its review server, if it has one
   */
  public PrometheusMetrics(Ground ground, Supplier<Optional<TaskCounts>> reviews) {
    this.flyball = ground.flyball();
    this.reviews = reviews;
  }

  @Override
  public Optional<CallListener> listener() {
    return Optional.of(this);
  }

  @Override
  public List<Mount> mounts() {
    return List.of(
        new Mount(
            "/metrics",
            Access.ADMINISTRATORS,
            (request, caller) ->
                request
                    .response()
                    .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                    .putHeader("cache-control", "no-store")
                    .end(text())));
  }

  @Override
  public void told(ProxiedCall call, CallStep step) {
    if (!(step instanceof CallStep.Ended end)) {
      return;
    }
    var who = call.caller().name();
    var how = end.how().name().toLowerCase(Locale.ROOT);
    ended.computeIfAbsent(new Ended(who, how), key -> new LongAdder()).increment();
    use(who, "input", end.usage().input() + end.usage().cacheWrite());
    use(who, "cached", end.usage().cacheRead());
    use(who, "output", end.usage().output());
    cost.computeIfAbsent(who, key -> new LongAdder()).add(end.cost().orElse(Cost.NOTHING).micros());
    waited.add(end.waited());
    took.add(end.took());
  }

  private void use(String tenant, String kind, long tokens) {
    if (tokens > 0) {
      used.computeIfAbsent(new Used(tenant, kind), key -> new LongAdder()).add(tokens);
    }
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  String text() {
    var page = new Page();
    page.about("flyball_calls_total", "counter", "Calls that ended, by tenant and ending.");
    ended.forEach(
        (key, count) ->
            page.value(
                "flyball_calls_total",
                (double) count.sum(),
                "tenant",
                key.tenant(),
                "ending",
                key.ending()));
    page.about("flyball_tokens_total", "counter", "Tokens used, by tenant and kind.");
    used.forEach(
        (key, count) ->
            page.value(
                "flyball_tokens_total",
                (double) count.sum(),
                "tenant",
                key.tenant(),
                "kind",
                key.kind()));
    page.about("flyball_cost_dollars_total", "counter", "Cost of calls with a known price.");
    cost.forEach(
        (tenant, micros) ->
            page.value("flyball_cost_dollars_total", micros.sum() / 1e6, "tenant", tenant));
    page.about("flyball_wait_seconds", "histogram", "How long calls waited to be sent.");
    waited.write(page, "flyball_wait_seconds");
    page.about("flyball_call_seconds", "histogram", "How long calls took in all.");
    took.write(page, "flyball_call_seconds");
    lanes(page, flyball.snapshot().lanes());
    reviews.get().ifPresent(counts -> tasks(page, counts));
    return page.text.toString();
  }

  private static void tasks(Page page, TaskCounts counts) {
    var room = counts.room();
    page.about("flyball_tasks_in_flight", "gauge", "Reviews that are running.");
    page.value("flyball_tasks_in_flight", room.inFlight());
    page.about("flyball_tasks_limit", "gauge", "How many reviews may run at once.");
    page.value("flyball_tasks_limit", room.limit());
    page.about("flyball_tasks_queue_depth", "gauge", "Reviews that are waiting.");
    page.value("flyball_tasks_queue_depth", room.queued());
    page.about(
        "flyball_tasks_queue_oldest_seconds",
        "gauge",
        "How long the first waiting review has waited.");
    page.value("flyball_tasks_queue_oldest_seconds", room.oldest().toMillis() / 1e3);
    page.about("flyball_tasks_completed_total", "counter", "Reviews that have a result.");
    page.value("flyball_tasks_completed_total", (double) counts.completed());
    byReason(
        page, "flyball_tasks_failed_total", "Reviews that ended without a result.", counts.ended());
    byReason(page, "flyball_tasks_shed_total", "Requests refused.", counts.shed());
  }

  private static void byReason(Page page, String name, String help, Map<TaskReason, Long> counts) {
    page.about(name, "counter", help);
    for (var reason : TaskReason.values()) {
      page.value(name, (double) counts.getOrDefault(reason, 0L), "reason", reason.name());
    }
  }

  /** A figure of a lane. */
  @FunctionalInterface
  private interface Figure {
    double of(LaneSnapshot lane);
  }

  private static void lanes(Page page, List<LaneSnapshot> all) {
    var lanes = all.subList(0, Math.min(MOST_LANES, all.size()));
    each(
        page,
        lanes,
        "flyball_lane_waiting",
        "gauge",
        "Calls that are waiting.",
        LaneSnapshot::waiting);
    each(
        page,
        lanes,
        "flyball_lane_in_flight",
        "gauge",
        "Attempts in flight.",
        LaneSnapshot::inFlight);
    each(
        page,
        lanes,
        "flyball_lane_slots",
        "gauge",
        "How many attempts may be in flight.",
        LaneSnapshot::slots);
    each(
        page,
        lanes,
        "flyball_lane_resting",
        "gauge",
        "1 while the breaker is open.",
        lane -> lane.breaker() == BreakerState.CLOSED ? 0 : 1);
    each(
        page,
        lanes,
        "flyball_lane_attempts_total",
        "counter",
        "Attempts that were sent.",
        lane -> (double) lane.metrics().attempts());
    each(
        page,
        lanes,
        "flyball_lane_throttled_total",
        "counter",
        "Attempts that the provider rate-limited (429).",
        lane -> (double) lane.metrics().throttled());
    each(
        page,
        lanes,
        "flyball_lane_retried_total",
        "counter",
        "Attempts after a call's first.",
        lane -> (double) lane.metrics().retried());
    page.about("flyball_allowance_level", "gauge", "What is left of a rate limit.");
    for (int i = 0; i < lanes.size(); i++) {
      for (var gauge : lanes.get(i).gauges()) {
        page.value(
            "flyball_allowance_level",
            gauge.level(),
            "lane",
            lanes.get(i).lane().toString(),
            "dimension",
            gauge.dimension().toString());
      }
    }
  }

  private static void each(
      Page page, List<LaneSnapshot> lanes, String name, String type, String help, Figure figure) {
    page.about(name, type, help);
    for (int i = 0; i < lanes.size(); i++) {
      page.value(name, figure.of(lanes.get(i)), "lane", lanes.get(i).lane().toString());
    }
  }
}
