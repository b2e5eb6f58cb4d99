package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Change;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The side door, and what is said to whom. */
final class ControlTest {
  private static final String HELLO = Http.prompt("claude-sonnet-4-5", 100, "Hello there");

  private static Simulator tier1() throws Exception {
    return Simulator.start(Settings.of("anthropic-tier1").latency(Latency.NONE), 0);
  }

  @Test
  void the_side_door_changes_and_resets() throws Exception {
    try (Simulator simulator = tier1()) {
      Http http = new Http(simulator);
      http.message(HELLO);

      Http.Reply put =
          http.send(
              "PUT",
              "/__sim/config",
              "{\"profile\":\"openai-tier2\",\"limit\":[\"requests=7/min\"],\"fault\":\"503\"}");

      assertThat(put.json().path("profile").asText()).isEqualTo("openai-tier2");
      assertThat(http.stats().path("requests").asLong()).isZero();
      Http.Reply reply = http.openai("/v1/chat/completions", Http.prompt("gpt-5", 10, "Hi"));
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.header("x-ratelimit-limit-requests")).isEqualTo("7");
      assertThat(http.send("POST", "/__sim/reset", "").status()).isEqualTo(200);
      assertThat(http.ledger()).isEmpty();
      Http.Reply wrong = http.send("PUT", "/__sim/config", "{\"hurry\":1}");
      assertThat(wrong.status()).isEqualTo(400);
      assertThat(wrong.text()).contains("not hurry");
    }
  }

  @Test
  void every_option_can_be_put() throws Exception {
    try (Simulator simulator = tier1()) {
      Http http = new Http(simulator);

      Http.Reply put =
          http.send(
              "PUT",
              "/__sim/config",
              """
              {"limit":["requests=60/min","tokens=900/h"],"burst":"requests=2","latency":"10ms",
              "headers":"limits,stale","fault":["529:share=0.1","cut"],"answers":"lorem","seed":9,
              "foreign":0.2,"change":"30s:requests=30/min","spend-cap":1.5,"acceleration":1000,
              "ledger":500,"speed":10,"keys-share-org":true}
              """);

      assertThat(put.status()).as(put.text()).isEqualTo(200);
      assertThat(put.json().path("speed").asInt()).isEqualTo(10);
      assertThat(put.json().path("keys-share-org").asBoolean()).isTrue();
      assertThat(put.json().path("faults")).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"latency\":\"fast\"", "\"speed\":0", "\"change\":\"1s:in-flight=3\""})
  void a_configuration_that_is_wrong_changes_nothing(String wrong) throws Exception {
    try (Simulator simulator = tier1()) {
      Http http = new Http(simulator);

      Http.Reply put = http.send("PUT", "/__sim/config", "{\"fault\":\"529\"," + wrong + "}");

      assertThat(put.status()).isEqualTo(400);
      assertThat(http.message(HELLO).status()).isEqualTo(200);
    }
  }

  @Test
  void a_reset_starts_the_clock_again() throws Exception {
    Settings settings = Settings.of("unlimited").speed(200).fault("529:to=200s");
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      while (clock(http).path("atMicros").asLong() < 200_000_000) {
        Thread.onSpinWait();
      }
      assertThat(http.message(HELLO).status()).isEqualTo(200);

      http.send("POST", "/__sim/reset", "");

      assertThat(clock(http).path("atMicros").asLong()).isLessThan(200_000_000);
      assertThat(http.message(HELLO).status()).isEqualTo(529);
      assertThat(clock(http).path("speed").asInt()).isEqualTo(200);
    }
  }

  private static JsonNode clock(Http http) throws Exception {
    return http.send("GET", "/__sim/clock", "").json();
  }

  @Test
  void a_long_ledger_is_read_to_its_end() throws Exception {
    try (Simulator simulator = Simulator.start(Settings.of("unlimited").ledger(1_200), 0)) {
      Http http = new Http(simulator);
      for (int i = 0; i < 700; i++) {
        http.message(HELLO);
      }
      Http.Reply ledger = http.send("GET", "/__sim/ledger", "");

      assertThat(ledger.text().lines().count()).isEqualTo(1_200);
      assertThat(ledger.header("x-sim-forgotten")).isEqualTo("200");
      JsonNode last = http.ledger().getLast();
      assertThat(last.path("sequence").asLong()).isEqualTo(1_399);
    }
  }

  @Test
  void numbers_can_be_asked_for_after_the_end() throws Exception {
    Simulator simulator = Simulator.start(Settings.of("unlimited"), 0);
    new Http(simulator).message(HELLO);
    simulator.close();
    simulator.close();

    assertThat(simulator.stats().answered()).isEqualTo(1);
  }

  @Test
  void what_is_wrong_before_any_limit_is_counted_apart() throws Exception {
    try (Simulator simulator = tier1()) {
      new Http(simulator).message("{");

      assertThat(simulator.stats().invalid()).isEqualTo(1);
      assertThat(simulator.stats().requests()).isZero();
    }
  }

  private static String organization(Http http, String key, String path) throws Exception {
    boolean claude = path.equals("/v1/messages");
    Http.Reply reply =
        claude
            ? http.send("POST", path, HELLO, "x-api-key", key, "anthropic-version", "x")
            : http.send("POST", path, HELLO, "authorization", "Bearer " + key);
    assertThat(reply.status()).isIn(200, 429);
    return reply.header(claude ? "anthropic-organization-id" : "openai-organization");
  }

  @Test
  void each_key_has_an_organisation_of_its_own() throws Exception {
    Settings settings = Settings.of("unlimited").headers(Headers.parse("none"));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);

      String one = organization(http, "one", "/v1/messages");
      assertThat(one).matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}");
      assertThat(organization(http, "one", "/v1/messages")).isEqualTo(one);
      assertThat(organization(http, "two", "/v1/messages")).isNotEqualTo(one);
      assertThat(organization(http, "one", "/v1/chat/completions")).startsWith("org-");
    }
  }

  @Test
  void keys_of_one_organisation_share_its_limits_and_its_name() throws Exception {
    Settings settings =
        Settings.of("unlimited").limit("requests=2/day").keysShareOrganization(true);
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);

      String one = organization(http, "one", "/v1/messages");
      assertThat(organization(http, "two", "/v1/messages")).isEqualTo(one);
      Http.Reply third =
          http.send("POST", "/v1/messages", HELLO, "x-api-key", "three", "anthropic-version", "x");

      assertThat(third.status()).isEqualTo(429);
      assertThat(third.text()).contains("(org: " + one);
    }
  }

  @Test
  void administrators_see_the_limits_by_class() throws Exception {
    Settings settings = Settings.of("anthropic-build").change(Change.parse("0s:requests=9/min"));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      String path = "/v1/organizations/rate_limits";
      String[] admin = {"x-api-key", "sk-ant-admin-1", "anthropic-version", "2023-06-01"};

      JsonNode all = http.send("GET", path, "", admin).json().path("data");
      assertThat(all.size()).isGreaterThan(5);
      JsonNode one = http.send("GET", path + "?model=claude-fable-5-1", "", admin).json();
      assertThat(one.path("data")).hasSize(1);
      assertThat(one.at("/data/0/group_type").asText()).isEqualTo("model_group");
      assertThat(one.at("/data/0/models/0").asText()).isEqualTo("claude-fable-5");
      assertThat(one.at("/data/0/limits/0").toString())
          .isEqualTo("{\"type\":\"requests_per_minute\",\"value\":9}");
      assertThat(one.at("/data/0/limits/1").toString())
          .isEqualTo("{\"type\":\"input_tokens_per_minute\",\"value\":1500000}");
      assertThat(http.send("GET", path + "?model=gpt-4o", "", admin).status()).isEqualTo(404);
      String[] usual = {"x-api-key", "sk-ant-api", "anthropic-version", "2023-06-01"};
      Http.Reply refused = http.send("GET", path, "", usual);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.json().at("/error/type").asText()).isEqualTo("permission_error");
    }
  }

  @Test
  void two_answers_have_two_ids() throws Exception {
    try (Simulator simulator = Simulator.start(Settings.of("unlimited"), 0)) {
      Http http = new Http(simulator);

      assertThat(http.message(HELLO).json().path("id"))
          .isNotEqualTo(http.message(HELLO).json().path("id"));
    }
  }
}
