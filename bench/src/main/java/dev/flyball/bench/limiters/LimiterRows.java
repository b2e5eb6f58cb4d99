package dev.flyball.bench.limiters;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.bench.limiters.LimiterServer.Haproxy;
import dev.flyball.bench.limiters.LimiterServer.Nginx;
import dev.flyball.bench.limiters.LimiterServer.Npm;
import dev.flyball.bench.limiters.TrueRule.Bucket;
import dev.flyball.bench.limiters.TrueRule.Changed;
import dev.flyball.bench.limiters.TrueRule.FixedWindow;
import dev.flyball.bench.limiters.TrueRule.InFlight;
import dev.flyball.bench.limiters.TrueRule.SlidingWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** All limiters, each with as many calls as take a client that knows its rule 20 to 60 seconds. */
public final class LimiterRows {
  private static final Duration QUICK = Duration.ofMillis(200);
  private static final Duration INSTANT = Duration.ofMillis(20);
  private static final Duration SLOW = Duration.ofSeconds(2);
  private static final Duration VERY_SLOW = Duration.ofSeconds(15);
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /**
   * Fewer than fill the windows to the brim: a call too many spends what a smaller one had left.
   */
  private static final int TOKEN_CALLS = 144;

  private static final String ROOMY = "burst=10 nodelay";

  private static final Set<String> ONE_OF_EACH =
      Set.of("ng-503", "ng-conn4-429", "ha-10s", "erl-legacy", "fastify-ban", "rlf-none", "redis");

  private final List<LimiterRow> rows = new ArrayList<>();

  public static final List<LimiterRow> ALL = new LimiterRows().all();

  private LimiterRows() {}

  /** One of each family, the shorter ones. */
  public static List<LimiterRow> oneOfEach() {
    return ALL.stream().filter(row -> ONE_OF_EACH.contains(row.name())).toList();
  }

  private List<LimiterRow> all() {
    nginxRates();
    nginxSlots();
    nginxChanges();
    haproxy();
    express();
    fastify();
    flexible();
    return List.copyOf(rows);
  }

  private void nginxRates() {
    var tenASecond = new Bucket(10, 10);
    var roomy = Nginx.requests("10r/s", ROOMY);
    var words = "nginx, 10r/s " + ROOMY;
    add("ng-nodelay", words, roomy, tenASecond, 300, QUICK);
    add("ng-nodelay-20ms", words, roomy, tenASecond, 300, INSTANT);
    add("ng-nodelay-2s", words, roomy, tenASecond, 220, SLOW);
    add("ng-nodelay-15s", words, roomy, tenASecond, 300, VERY_SLOW);
    add("ng-429-after", words + ", Retry-After: 1", roomy.telling(1), tenASecond, 220, QUICK);
    add("ng-503", words + ", its default 503", roomy.by503(), tenASecond, 220, QUICK);
    add(
        "ng-503-after",
        words + ", 503, Retry-After: 1",
        roomy.by503().telling(1),
        tenASecond,
        220,
        QUICK);
    add(
        "ng-queue",
        "nginx, 10r/s burst=10, which it queues",
        Nginx.requests("10r/s", "burst=10"),
        new Bucket(10, 0),
        300,
        QUICK);
    add(
        "ng-delay5",
        "nginx, 10r/s burst=10 delay=5",
        Nginx.requests("10r/s", "burst=10 delay=5"),
        new Bucket(10, 5),
        260,
        QUICK);
    add(
        "ng-120rm",
        "nginx, 120r/m, no burst",
        Nginx.requests("120r/m", ""),
        new Bucket(2, 0),
        50,
        QUICK);
    add(
        "ng-10rs",
        "nginx, 10r/s, no burst",
        Nginx.requests("10r/s", ""),
        new Bucket(10, 0),
        250,
        QUICK);
    add(
        "ng-100rs",
        "nginx, 100r/s burst=50 nodelay",
        Nginx.requests("100r/s", "burst=50 nodelay"),
        new Bucket(100, 50),
        2_500,
        QUICK);
  }

  private void nginxSlots() {
    var four = Nginx.connections(4);
    var words = "nginx, limit_conn 4";
    add("ng-conn4-429", words + ", 429", four, new InFlight(4), 400, QUICK);
    add("ng-conn4-503", words + ", its default 503", four.by503(), new InFlight(4), 400, QUICK);
    add("ng-conn4-2s", words + ", 429", four, new InFlight(4), 44, SLOW);
    add(
        "ng-conn4-after",
        words + ", 503, Retry-After: 1",
        four.by503().telling(1),
        new InFlight(4),
        400,
        QUICK);
    add(
        "ng-conn1-503",
        "nginx, limit_conn 1, its default 503",
        Nginx.connections(1).by503(),
        new InFlight(1),
        100,
        QUICK);
    add(
        "ng-conn16-429",
        "nginx, limit_conn 16, 429",
        Nginx.connections(16),
        new InFlight(16),
        1_600,
        QUICK);
  }

  private void nginxChanges() {
    var ten = new Bucket(10, 10);
    var server = Nginx.requests("10r/s", ROOMY);
    add(
        "ng-halved",
        "nginx, 10r/s, after 10 s 5r/s",
        server.becoming("5r/s"),
        new Changed(ten, new Bucket(5, 10), TEN_SECONDS),
        200,
        QUICK);
    add(
        "ng-doubled",
        "nginx, 10r/s, after 10 s 20r/s",
        server.becoming("20r/s"),
        new Changed(ten, new Bucket(20, 10), TEN_SECONDS),
        500,
        QUICK);
  }

  private void haproxy() {
    var server = new Haproxy(100, TEN_SECONDS);
    var rule = new SlidingWindow(100, TEN_SECONDS);
    add("ha-10s", "HAProxy, http_req_rate(10s) of 100", server, rule, 300, QUICK);
    add("ha-10s-2s", "HAProxy, http_req_rate(10s) of 100", server, rule, 300, SLOW);
    add(
        "ha-1s",
        "HAProxy, http_req_rate(1s) of 10",
        new Haproxy(10, Duration.ofSeconds(1)),
        new SlidingWindow(10, Duration.ofSeconds(1)),
        250,
        QUICK);
  }

  private void express() {
    for (var headers : List.of("draft-6", "draft-7", "draft-8", "legacy", "none")) {
      var name = headers.replace("-", "");
      express("erl-" + name, headers, 100, TEN_SECONDS, 300, QUICK);
      express("erl60-" + name, headers, 200, MINUTE, 250, QUICK);
    }
    express("erl-draft7-2s", "draft-7", 100, TEN_SECONDS, 300, SLOW);
    express("erl-legacy-20ms", "legacy", 100, TEN_SECONDS, 300, INSTANT);
  }

  private void express(
      String name, String headers, int limit, Duration window, int calls, Duration latency) {
    add(
        name,
        "express-rate-limit, %d in %d s, headers: %s".formatted(limit, window.toSeconds(), headers),
        new Npm(
            "express.mjs",
            false,
            options -> {
              options.put("limit", limit).put("window", window.toMillis());
              options.put("legacy", headers.equals("legacy"));
              if (headers.startsWith("draft")) {
                options.put("standard", headers);
              } else {
                options.put("standard", false);
              }
            }),
        new FixedWindow(limit, window, Duration.ZERO),
        calls,
        latency);
  }

  private void fastify() {
    fastify("fastify", ", its headers", true, -1);
    fastify("fastify-none", ", no header", false, -1);
    fastify("fastify-ban", ", its headers, banned after 2", true, 2);
    fastify("fastify-ban-none", ", no header, banned after 2", false, 2);
  }

  private void fastify(String name, String how, boolean headers, int ban) {
    add(
        name,
        "@fastify/rate-limit, 100 in 10 s" + how,
        new Npm(
            "fastify.mjs",
            false,
            options ->
                options
                    .put("limit", 100)
                    .put("window", TEN_SECONDS.toMillis())
                    .put("headers", headers)
                    .put("ban", ban)),
        new FixedWindow(100, TEN_SECONDS, Duration.ZERO),
        300,
        QUICK);
  }

  private void flexible() {
    for (var headers : List.of("all", "after", "none")) {
      var part = headers.equals("all") ? "" : "-" + headers;
      var says = ", headers: " + headers;
      flexible("rlf" + part, "50 in 5 s" + says, false, headers, 0, 50, 5, 250, List.of());
      flexible(
          "rlf-block" + part,
          "50 in 5 s, blocks for 10 s" + says,
          false,
          headers,
          10,
          50,
          5,
          250,
          List.of());
      flexible(
          "rlf-tokens" + part,
          "5000 tokens in 10 s" + says,
          false,
          headers,
          0,
          5_000,
          10,
          TOKEN_CALLS,
          List.of(60, 100, 140));
    }
    flexible("redis", "100 in 10 s, in Redis", true, "all", 0, 100, 10, 300, List.of());
    flexible(
        "redis-none", "100 in 10 s, in Redis, no header", true, "none", 0, 100, 10, 300, List.of());
  }

  private void flexible(
      String name,
      String says,
      boolean redis,
      String headers,
      int block,
      int limit,
      int window,
      int calls,
      List<Integer> charges) {
    Consumer<ObjectNode> options =
        node ->
            node.put("limit", limit)
                .put("window", window)
                .put("block", block)
                .put("headers", headers)
                .put("tokens", !charges.isEmpty());
    rows.add(
        new LimiterRow(
            name,
            "rate-limiter-flexible, " + says,
            new Npm("flexible.mjs", redis, options),
            new FixedWindow(limit, Duration.ofSeconds(window), Duration.ofSeconds(block)),
            calls,
            charges,
            QUICK));
  }

  private void add(
      String name, String says, LimiterServer server, TrueRule rule, int calls, Duration latency) {
    rows.add(new LimiterRow(name, says, server, rule, calls, List.of(), latency));
  }
}
