package dev.flyball.gateway.dashboard;

import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Tenant;
import dev.flyball.call.Usage;
import dev.flyball.gateway.Gateway;
import dev.flyball.gateway.GatewaySettings;
import dev.flyball.gateway.admin.AdminApi;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.gateway.tenant.AdminToken;
import dev.flyball.gateway.tenant.TenantKeys;
import dev.flyball.gateway.tenant.Tenants;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.record.TenantTerms;
import dev.flyball.history.record.TenantTerms.Ceiling;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Time;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with all that a page can show, without a proxy: its calls are told and not made. */
final class PageStage implements AutoCloseable {
  static final String EVIL =
      "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=2</script>";
  private static final String TOKEN = "a-token-of-the-tests-0123456789";

  final History history;
  final Gateway gateway;
  final Flyball flyball;
  final AtomicBoolean drained = new AtomicBoolean();
  final AtomicInteger reloads = new AtomicInteger();
  private final RunSetup setup;
  private final Instant now = Time.system().wall();
  private final List<Permit<Object>> permits = new ArrayList<>();
  private final List<Dashboard> dashboards = new ArrayList<>();
  private final List<Tenants> tenants = new ArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();

  PageStage(Path folder) throws Exception {
    history =
        History.open(new HistoryLocation.File(folder.resolve("history.db")), Time.system()::wall);
    fill();
    setup = RunSetup.of(Map.of("OPENAI_API_KEY", "none"), ConfigFiles.NONE).open();
    var token = AdminToken.of(Map.of(AdminToken.VARIABLE, TOKEN), new SecureRandom());
    var admins = new ArrayList<AdminApi>();
    GatewayPart.Maker people =
        ground -> {
          try {
            var made =
                new Tenants(
                    ground, Optional.of(history), new Tenants.Door(token, true), warning -> {});
            tenants.add(made);
            return made;
          } catch (HistoryUnavailable gone) {
            throw new IllegalStateException(gone);
          }
        };
    GatewayPart.Maker orders =
        ground -> {
          var made =
              new AdminApi(
                  ground,
                  Optional.of(tenants.getFirst()),
                  new AdminApi.Server() {
                    @Override
                    public void drain() {
                      drained.set(true);
                    }

                    @Override
                    public Optional<String> reload() {
                      reloads.incrementAndGet();
                      return Optional.empty();
                    }
                  });
          admins.add(made);
          return made;
        };
    GatewayPart.Maker page =
        ground -> {
          var shown =
              new Dashboard.Shown(
                  "127.0.0.1:8484",
                  true,
                  AnswerOrigin.REAL,
                  Optional.of(history),
                  () -> tenants.getFirst().standings(),
                  () -> admins.getFirst().paused(),
                  drained::get);
          var made = Dashboard.live(ground, shown);
          dashboards.add(made);
          return made;
        };
    gateway =
        Gateway.start(GatewaySettings.USUAL.port(0).loops(1), setup, List.of(people, orders, page));
    flyball = gateway.flyball();
    lanes();
    for (int i = 0; i < 60; i++) {
      call("claude-sonnet-4-5", "search-team", CallStep.Ending.ANSWERED, i);
    }
    call(EVIL, EVIL, CallStep.Ending.FAILED, 3);
  }

  URI page(String view) {
    return gateway.uri().resolve("/#token=" + TOKEN + "&view=" + view);
  }

  URI door() {
    return gateway.uri().resolve("/");
  }

  String token() {
    return TOKEN;
  }

  private void fill() throws Exception {
    var keys = new TenantKeys(history, Time.system()::wall);
    var day = new Ceiling(OptionalLong.of(40_000_000), Optional.of(Cost.dollars("20")));
    keys.add("search-team", TenantTerms.USUAL, List.of());
    keys.add(
        "evals",
        new TenantTerms(
            4,
            "bulk",
            OptionalLong.of(600),
            OptionalLong.empty(),
            OptionalLong.of(20),
            day,
            Ceiling.NONE),
        List.of("claude-*", "gpt-5*"));
    var random = new SplittableRandom(7);
    var listed = new PriceBasis.Listed("2026-11-01");
    for (var mode : List.of("serve", "batch", "review")) {
      var run = history.begin(RunStart.of(mode, mode, AnswerOrigin.REAL).in("ours/" + mode, ""));
      for (int i = 0; i < 150; i++) {
        var model = List.of("claude-sonnet-4-5", "gpt-5-mini", "claude-haiku-4-5").get(i % 3);
        var call =
            CallKey.of("anthropic/" + model, i == 149 ? EVIL : model, "call " + i)
                .lens(mode.equals("review") ? List.of("security", "tests").get(i % 2) : "")
                .on(mode.equals("serve") ? (i == 148 ? EVIL : "search-team") : "");
        history.record(
            AttemptRecord.answered(
                    run,
                    call,
                    Usage.of(random.nextLong(200, 4_000), random.nextLong(50, 900))
                        .costing(new Cost(random.nextLong(500, 30_000))),
                    listed,
                    Duration.ofMillis(random.nextLong(300, 4_000)),
                    now.minus(Duration.ofMinutes(random.nextLong(1_400))))
                .waiting(Map.of("output tokens", Duration.ofMillis(random.nextLong(3_000)))));
      }
      history.end(run, new RunEnding(Duration.ofSeconds(41), 0, 150, 150, 0, new Cost(1_400_000)));
    }
    history.upsert(review("feature/discounts", "a"));
    history.upsert(review(EVIL, "b"));
  }

  private PastReview review(String subject, String sha) {
    var findings =
        List.of(
            new PastReview.Finding(
                "f1",
                "src/main/java/shop/Discount.java",
                48,
                "major",
                "correctness",
                "correctness",
                "A discount of 100 % divides by zero",
                "The rate may be 1 when a voucher covers the whole price.",
                0.9,
                "BigDecimal factor = ONE.divide(ONE.subtract(rate), HALF_UP);\n"
                    + "return price.multiply(factor);"),
            new PastReview.Finding(
                "f2", EVIL, 7, "minor", EVIL, EVIL, EVIL, EVIL, 0.5, EVIL + "\n</pre>" + EVIL));
    return new PastReview(
        new PastReview.Key("local", "ours/checkout", subject, now.minusSeconds(90)),
        sha,
        now.minusSeconds(60),
        "changes_requested",
        "0 critical, 1 major, 1 minor",
        182_000,
        400_000,
        "units",
        Duration.ofSeconds(41),
        findings);
  }

  private void lanes() throws InterruptedException {
    var busy = LaneId.of("anthropic", "claude-sonnet-4-5");
    permits.add(enter(busy, "first"));
    permits
        .getFirst()
        .sighted(
            Signals.of(
                Sighting.of(Dimension.REQUESTS, 600, 400).resetIn(Duration.ofSeconds(20)),
                Sighting.of(Dimension.OUTPUT_TOKENS, 400_000, 12_000)
                    .resetIn(Duration.ofMinutes(55))));
    permits.add(enter(LaneId.of("openai", EVIL), EVIL));
    var stopped = LaneId.of("deepseek", "deepseek-chat");
    flyball.pause(stopped);
    waiting(stopped, "search-team");
    for (int i = 0; i < 9; i++) {
      waiting(busy, i % 3 == 0 ? "search-team" : "evals");
    }
  }

  private Permit<Object> enter(LaneId lane, String name) throws InterruptedException {
    return switch (flyball.<Object>admit(Call.to(lane).named(name))) {
      case Admission.Granted<Object>(var permit) -> permit;
      case Admission.Refused<Object>(var outcome) -> throw new AssertionError(outcome);
    };
  }

  /** A call that waits: it is larger than what is left. */
  void waiting(LaneId lane, String tenant) {
    flyball.enter(
        Call.to(lane)
            .on(new Tenant(tenant, 1))
            .estimated(Estimate.of(1_000, 30_000).expecting(30_000)),
        () -> {});
    dashboard()
        .listener()
        .orElseThrow()
        .told(
            proxied("claude-sonnet-4-5", tenant), new CallStep.Queued(lane, 1_000, 30_000, 4_000));
  }

  private ProxiedCall proxied(String model, String tenant) {
    var caller =
        new Caller(
            tenant,
            new Tenant(tenant, 1),
            Optional.empty(),
            dev.flyball.call.Priority.NORMAL,
            any -> true,
            dev.flyball.gateway.http.CallerPace.NONE);
    return new ProxiedCall(
        "call-" + calls.incrementAndGet(),
        Time.system().wall(),
        caller,
        "POST",
        "/v1/messages",
        model,
        true,
        Optional.empty());
  }

  /** A whole call is told, from its coming to its end. */
  void call(String model, String tenant, CallStep.Ending ending, int seconds) {
    var lane = LaneId.of("anthropic", model);
    var call = proxied(model, tenant);
    var waited = Duration.ofMillis(300L * (seconds % 7));
    var listener = dashboard().listener().orElseThrow();
    listener.told(call, new CallStep.Queued(lane, 1_000, 500, 4_000));
    listener.told(
        call, new CallStep.Sent(1, lane, Map.of(new Constraint("output tokens"), waited)));
    listener.told(
        call,
        new CallStep.Attempted(
            1,
            lane,
            200,
            Reply.Kind.ANSWERED,
            Usage.of(900, 300),
            Optional.of(new Cost(8_200)),
            Duration.ofMillis(900),
            false,
            tenant));
    listener.told(
        call,
        new CallStep.Ended(
            ending,
            200,
            1,
            Usage.of(900, 300),
            Optional.of(new Cost(8_200)),
            waited,
            waited.plusMillis(900),
            4_000));
  }

  Dashboard dashboard() {
    return dashboards.getFirst();
  }

  @Override
  public void close() {
    permits.forEach(Permit::close);
    gateway.close();
    setup.close();
    history.close();
  }
}
