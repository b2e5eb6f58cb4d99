package dev.flyball.gateway;

import static dev.flyball.gateway.RunningGateway.CHAT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Cost;
import dev.flyball.gateway.admin.AdminApi;
import dev.flyball.gateway.tenant.AdminToken;
import dev.flyball.gateway.tenant.TenantKeys;
import dev.flyball.gateway.tenant.TenantStanding;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.TenantTerms;
import dev.flyball.history.record.TenantTerms.Ceiling;
import dev.flyball.run.BadSettings;
import dev.flyball.scheduler.Time;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tenants, orders, metrics and logs of a server, over HTTP. */
@Timeout(180)
final class TenantsTest {
  private static final String TOKEN = "the-token-of-the-operator";
  private static final String PROVIDER_KEY = "sk-of-the-operator";

  @TempDir private Path folder;
  private History history;
  private final StringWriter log = new StringWriter();
  private final AtomicBoolean drained = new AtomicBoolean();

  @BeforeEach
  void open() throws Exception {
    history =
        History.open(new HistoryLocation.File(folder.resolve("history.db")), Time.system()::wall);
  }

  @AfterEach
  void close() {
    history.close();
  }

  private static Settings account(String... limits) {
    var settings = Settings.of("unlimited").latency(Latency.parse("5ms"));
    List.of(limits).forEach(settings::limit);
    return settings;
  }

  private RunningGateway start(Settings account) throws IOException {
    return start(account, "");
  }

  private RunningGateway start(Settings account, String rules) throws IOException {
    return start(account, rules, history);
  }

  private RunningGateway start(Settings account, String rules, History kept) throws IOException {
    var settings = GatewaySettings.USUAL.port(0);
    var orders =
        new AdminApi.Server() {
          @Override
          public void drain() {
            drained.set(true);
          }

          @Override
          public Optional<String> reload() {
            return Optional.of("line 3: no");
          }
        };
    var token = AdminToken.of(Map.of(AdminToken.VARIABLE, TOKEN), new SecureRandom());
    var parts =
        new ServerParts(
            settings,
            Optional.of(kept),
            AnswerOrigin.REAL,
            token,
            Optional.<Writer>of(log),
            orders,
            Optional::empty,
            warning -> {});
    var file = Files.writeString(folder.resolve("serve.yaml"), rules);
    return RunningGateway.before(account, usual -> usual.rules(file), Map.of(), parts.makers());
  }

  private TenantKeys keys() {
    return new TenantKeys(history, Time.system()::wall);
  }

  private String key(String name, TenantTerms terms, String... models) throws Exception {
    return keys().add(name, terms, List.of(models)).orElseThrow().text();
  }

  private static TenantTerms weighing(double weight) {
    var none = OptionalLong.empty();
    return new TenantTerms(weight, "normal", none, none, none, Ceiling.NONE, Ceiling.NONE);
  }

  private static TenantTerms paying(String dollars) {
    var none = OptionalLong.empty();
    var day = new Ceiling(OptionalLong.empty(), Optional.of(Cost.dollars(dollars)));
    return new TenantTerms(1, "normal", none, none, none, day, Ceiling.NONE);
  }

  private static HttpRequest.Builder chat(RunningGateway running, String key) {
    return running
        .post("/v1/chat/completions", CHAT)
        .version(HttpClient.Version.HTTP_1_1)
        .header("authorization", "Bearer " + key);
  }

  private static HttpResponse<String> order(RunningGateway running, String path, String body)
      throws IOException, InterruptedException {
    return running.send(running.post(path, body).header("authorization", "Bearer " + TOKEN));
  }

  @Test
  void without_keys_loopback_is_open_and_with_one_everybody_needs_one() throws Exception {
    try (var running = start(account())) {
      assertThat(running.send(running.post("/v1/chat/completions", CHAT)).statusCode())
          .isEqualTo(200);
    }
    var key = key("alice", TenantTerms.USUAL);
    try (var running = start(account())) {
      var without = running.send(running.post("/v1/chat/completions", CHAT));
      assertThat(without.statusCode()).isEqualTo(401);
      assertThat(without.body()).contains("flyball keys add");
      assertThat(running.send(chat(running, key)).statusCode()).isEqualTo(200);
      assertThat(
              running
                  .send(running.post("/v1/chat/completions", CHAT).header("x-api-key", key))
                  .statusCode())
          .isEqualTo(200);
      assertThat(running.send(chat(running, key + "x")).statusCode()).isEqualTo(401);
      assertThat(running.send(chat(running, PROVIDER_KEY)).statusCode())
          .as("the provider's key is no key here")
          .isEqualTo(401);
    }
  }

  @Test
  void a_key_asks_only_its_models() throws Exception {
    var key = key("alice", TenantTerms.USUAL, "gpt-5.4-*", "claude-*");
    var other = key("bob", TenantTerms.USUAL, "gpt-5*");
    try (var running = start(account())) {
      var refused = running.send(chat(running, key));
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("may not ask the model");
      assertThat(running.send(chat(running, other)).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void the_story_of_a_call_is_told_to_its_caller_and_to_administrators_alone() throws Exception {
    var alice = key("alice", TenantTerms.USUAL);
    var bob = key("bob", TenantTerms.USUAL);
    try (var running = start(account())) {
      var ids = new HashSet<String>();
      for (int i = 0; i < 20; i++) {
        var reply = running.send(chat(running, alice));
        ids.add(reply.headers().firstValue("x-flyball-id").orElseThrow());
      }
      assertThat(ids).hasSize(20).allMatch(id -> id.matches("[0-9a-f]{32}"));
      var path = "/explain/" + ids.iterator().next();
      assertThat(explained(running, path, alice)).isEqualTo(200);
      assertThat(explained(running, path, bob)).isEqualTo(404);
      assertThat(explained(running, path, TOKEN)).isEqualTo(200);
      assertThat(running.get(path).statusCode()).isEqualTo(401);
      assertThat(explained(running, "/explain/0", TOKEN)).isEqualTo(404);
    }
  }

  private static int explained(RunningGateway running, String path, String key) throws Exception {
    var request = HttpRequest.newBuilder(running.at(path)).header("authorization", "Bearer " + key);
    return running.send(request).statusCode();
  }

  @Test
  void one_key_does_not_take_all_places_of_those_who_wait() throws Exception {
    var alice = key("alice", TenantTerms.USUAL);
    var bob = key("bob", TenantTerms.USUAL);
    var slow = account("requests=600/min").burst("requests=1");
    try (var running = start(slow, "max-queue-per-key: 3\n")) {
      assertThat(running.send(chat(running, alice)).statusCode()).isEqualTo(200);
      var replies = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < 30; i++) {
        var request = chat(running, alice).build();
        replies.add(running.client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
      }
      assertThat(running.send(chat(running, bob)).statusCode()).isEqualTo(200);
      var statuses = replies.stream().map(reply -> reply.join().statusCode()).toList();
      assertThat(statuses).contains(200, 429);
      var refused = replies.stream().filter(r -> r.join().statusCode() == 429).findAny();
      assertThat(refused.orElseThrow().join().body()).contains("max-queue-per-key");
      assertThat(running.send(chat(running, alice)).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void budgets_are_counted_by_one_server_on_a_history_and_the_next_goes_on() throws Exception {
    try (var other =
        History.open(new HistoryLocation.File(folder.resolve("history.db")), Time.system()::wall)) {
      var free = key("free", TenantTerms.USUAL);
      var first = start(account());
      try (var second = start(account(), "", other)) {
        var alice = key("alice", paying("1"));
        var served = new AtomicInteger();
        for (var running : List.of(first, second)) {
          RunningGateway.until(() -> status(running, alice) != 401);
          served.addAndGet(status(running, alice) == 200 ? 1 : 0);
          assertThat(status(running, free)).isEqualTo(200);
        }
        assertThat(served).hasValue(1);
        var turnedAway = status(first, alice) == 200 ? second : first;
        assertThat(status(turnedAway, alice)).isEqualTo(503);
        assertThatThrownBy(() -> start(account()))
            .isInstanceOf(BadSettings.class)
            .hasMessageContaining("alice")
            .hasMessageContaining("--history");
        first.close();
        RunningGateway.until(() -> status(second, alice) == 200);
      }
    }
  }

  private static int status(RunningGateway running, String key) {
    try {
      return running.send(chat(running, key)).statusCode();
    } catch (IOException | InterruptedException gone) {
      throw new AssertionError(gone);
    }
  }

  @Test
  void a_key_that_is_revoked_is_of_no_use_at_once() throws Exception {
    var key = key("alice", TenantTerms.USUAL);
    try (var running = start(account())) {
      assertThat(running.send(chat(running, key)).statusCode()).isEqualTo(200);
      assertThat(order(running, "/admin/keys/revoke", "{\"tenant\":\"alice\"}").statusCode())
          .isEqualTo(200);
      assertThat(running.send(chat(running, key)).statusCode()).isEqualTo(401);
      assertThat(order(running, "/admin/keys/revoke", "{\"tenant\":\"alice\"}").statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void a_key_that_was_made_elsewhere_counts_soon() throws Exception {
    key("alice", TenantTerms.USUAL);
    try (var running = start(account())) {
      var later = key("bob", TenantTerms.USUAL);
      while (running.send(chat(running, later)).statusCode() != 200) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void orders_and_metrics_need_the_token_and_say_what_is_wrong() throws Exception {
    try (var running = start(account())) {
      running.send(running.post("/v1/chat/completions", CHAT));
      for (var path : List.of("/metrics", "/admin/state", "/admin/usage", "/admin/calls")) {
        assertThat(running.get(path).statusCode()).as(path).isEqualTo(401);
      }
      for (var path : List.of("/admin/drain", "/admin/reload", "/admin/lanes/pause")) {
        assertThat(running.send(running.post(path, "{}")).statusCode()).as(path).isEqualTo(401);
      }
      assertThat(drained).isFalse();
      var reload = order(running, "/admin/reload", "{}");
      assertThat(reload.statusCode()).isEqualTo(400);
      assertThat(reload.body()).contains("line 3: no");
      assertThat(order(running, "/admin/lanes/pause", "{\"lane\":\"none\"}").statusCode())
          .isEqualTo(404);
      assertThat(order(running, "/admin/lanes/pause", "[]").statusCode()).isEqualTo(400);
      assertThat(order(running, "/admin/lanes/pause", "{").statusCode()).isEqualTo(400);
      assertThat(order(running, "/admin/drain", "").statusCode()).isEqualTo(200);
      assertThat(drained).isTrue();
      var asked =
          HttpRequest.newBuilder(running.at("/metrics")).header("authorization", "Bearer " + TOKEN);
      var metrics = running.send(asked).body();
      assertThat(metrics)
          .contains("# TYPE flyball_calls_total counter")
          .contains("flyball_calls_total{tenant=\"anybody\",ending=\"answered\"} 1")
          .contains("flyball_wait_seconds_bucket{le=\"+Inf\"} 1")
          .contains("flyball_lane_attempts_total{lane=");
    }
  }

  @Test
  void no_key_and_no_body_is_in_the_logs_and_no_client_key_goes_up() throws Exception {
    var key = key("alice", TenantTerms.USUAL);
    try (var running = start(account())) {
      running.send(chat(running, key));
      running.send(chat(running, key + "wrong"));
      running.send(running.post("/v1/messages", CHAT).header("x-api-key", key));
      // A line is written after its reply has gone.
      for (int i = 0; i < 10_000 && log.toString().lines().count() < 2; i++) {
        assertThat(running.get("/healthz").statusCode()).isEqualTo(200);
      }
    }
    assertThat(log.toString().lines()).hasSize(2).allMatch(line -> line.contains("\"alice\""));
    assertThat(log.toString())
        .doesNotContain(key)
        .doesNotContain(key.substring(12))
        .doesNotContain(PROVIDER_KEY)
        .doesNotContain("messages\":");
    history.close();
    open();
    for (var file : List.of("history.db", "history.db-wal")) {
      var path = folder.resolve(file);
      if (Files.exists(path)) {
        var bytes =
            new String(Files.readAllBytes(path), java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(bytes.contains(key.substring(12))).as(file).isFalse();
      }
    }
  }

  @Test
  void tenants_get_tokens_by_their_weights_while_all_of_them_wait() throws Exception {
    var weights = Map.of("one", 1.0, "two", 2.0, "four", 4.0);
    var texts = new ConcurrentHashMap<String, String>();
    for (var each : weights.entrySet()) {
      texts.put(each.getKey(), key(each.getKey(), weighing(each.getValue())));
    }
    var done = new ConcurrentHashMap<String, LongAdder>();
    try (var running = start(account("requests=40/s"));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var enough = new CountDownLatch(600);
      var clients = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < 120; i++) {
        var who = List.of("one", "two", "four").get(i % 3);
        clients.add(
            () -> {
              while (enough.getCount() > 0) {
                // Before the first replies nobody knows that the limit is of a second.
                var reply =
                    running.send(
                        chat(running, requireNonNull(texts.get(who)))
                            .header("x-flyball-max-wait", "1h"));
                assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
                // The first ones found nobody before them.
                if (enough.getCount() > 0 && enough.getCount() <= 440) {
                  done.computeIfAbsent(who, name -> new LongAdder()).increment();
                }
                enough.countDown();
              }
              return true;
            });
      }
      for (var each : threads.invokeAll(clients)) {
        assertThat(each.get()).isTrue();
      }
    }
    double all = done.values().stream().mapToLong(LongAdder::sum).sum();
    weights.forEach(
        (who, weight) ->
            assertThat(requireNonNull(done.get(who)).sum() / all / (weight / 7))
                .as("the share of %s in %s", who, done)
                .isBetween(0.95, 1.05));
  }

  @Test
  void fifty_clients_never_spend_more_than_their_dollar() throws Exception {
    // Each holds six cents until its answer is there.
    var key = key("alice", paying("1"));
    var body =
        CHAT.replace("{\"model\"", "{\"max_tokens\":2000,\"model\"").replace("gpt-5.4", "gpt-5.5");
    var refused = new LongAdder();
    var answered = new LongAdder();
    try (var running = start(account());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < 50; i++) {
        clients.add(
            () -> {
              for (int n = 0; n < 40 && refused.sum() < 50; n++) {
                var request =
                    running
                        .post("/v1/chat/completions", body)
                        .version(HttpClient.Version.HTTP_1_1)
                        .header("authorization", "Bearer " + key);
                var reply = running.send(request);
                int status = reply.statusCode();
                assertThat(status).as(reply.body()).isIn(200, 429);
                (status == 200 ? answered : refused).increment();
              }
              return true;
            });
      }
      for (var each : threads.invokeAll(clients)) {
        assertThat(each.get()).isTrue();
      }
    }
    var standing = keys().all().getFirst();
    assertThat(standing.budgets()).hasSize(1);
    long spent = standing.budgets().getFirst().spent();
    assertThat(answered.sum()).isPositive();
    // What an estimate of the input was off, of fifty in flight: far below a cent each.
    assertThat(spent).as("millionths").isBetween(1L, 1_000_000L + 50 * 1_000);
  }

  @Test
  void a_tenants_own_limit_makes_calls_wait_and_loses_none() throws Exception {
    var none = OptionalLong.empty();
    var terms =
        new TenantTerms(1, "normal", none, none, OptionalLong.of(2), Ceiling.NONE, Ceiling.NONE);
    var key = key("alice", terms);
    try (var running = start(account().latency(Latency.parse("50ms")));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Callable<Integer>>();
      for (int i = 0; i < 20; i++) {
        clients.add(() -> running.send(chat(running, key)).statusCode());
      }
      for (var each : threads.invokeAll(clients)) {
        assertThat(each.get()).isEqualTo(200);
      }
      assertThat(log.toString().lines().count()).isLessThanOrEqualTo(20);
    }
    assertThat(keys().all().stream().map(TenantStanding::name)).containsExactly("alice");
  }
}
