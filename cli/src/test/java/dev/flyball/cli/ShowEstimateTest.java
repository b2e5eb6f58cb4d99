package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file would take and cost, before anything is sent. */
class ShowEstimateTest {
  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() {
    desk = new CommandDesk(folder);
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private CommandDesk.Screen estimate(String... more) {
    var args = new ArrayList<>(List.of("estimate", desk.file("in.jsonl").toString()));
    args.addAll(List.of(more));
    return desk.flyball(args.toArray(String[]::new));
  }

  private JsonNode json(String... more) throws Exception {
    var args = new ArrayList<>(List.of(more));
    args.add("--json");
    var screen = estimate(args.toArray(String[]::new));
    assertThat(screen.exit()).as(screen.err()).isZero();
    return CommandDesk.JSON.readTree(screen.out());
  }

  private void claude(int count) throws Exception {
    desk.write(
        "in.jsonl",
        IntStream.range(0, count)
            .mapToObj(i -> CommandDesk.anthropic("q" + i, "claude-haiku-4-5", "say " + i))
            .toArray(String[]::new));
  }

  @Test
  void a_table_that_needs_no_explanation_and_no_key() throws Exception {
    claude(300);

    var screen = estimate();

    assertThat(screen.exit()).isZero();
    // Only what takes longer than a second is said to be under way.
    assertThat(screen.err().lines())
        .allMatch(line -> line.matches("flyball estimate: (checking|counting|rehearsing) .*"));
    assertThat(screen.out())
        .contains(
            "300 calls; nothing is sent",
            "claude-haiku-4-5",
            "cost    about $0.",
            "time    about ",
            "90 % of runs under",
            "nothing learned yet: assuming account anthropic-start",
            "1,000 requests per minute",
            "(default)",
            "prices of 20");
  }

  @Test
  void nothing_is_left_behind() throws Exception {
    claude(3);

    estimate();

    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactly("in.jsonl");
    }
  }

  @Test
  void programs_get_the_same_as_json() throws Exception {
    claude(100);

    var json = json("--limits", "anthropic-tier1", "--output-tokens", "40");

    assertThat(json.path("calls").asInt()).isEqualTo(100);
    long input = json.path("inputTokens").asLong();
    assertThat(json.path("outputTokens").asLong()).isEqualTo(4_000);
    var step = json.path("steps").get(0);
    assertThat(step.path("category").asText()).isEqualTo("batch");
    assertThat(step.path("name").asText()).isEmpty();
    assertThat(step.path("model").asText()).isEqualTo("claude-haiku-4-5");
    assertThat(step.path("billingMode").asText()).isEqualTo("api");
    assertThat(step.path("inputTokens").asLong()).isEqualTo(input);
    assertThat(step.path("outputTokens").asLong()).isEqualTo(4_000);
    assertThat(step.path("cacheReadTokens").asLong()).isZero();
    assertThat(step.path("cacheCreationTokens").asLong()).isZero();
    assertThat(step.path("approximate").asBoolean(true)).isFalse();
    // A dollar a million in, five out, and each call rounded up.
    double dollars = (input + 5.0 * 4_000) / 1e6;
    assertThat(step.path("costUsd").asDouble()).isCloseTo(dollars, within(1e-4));
    assertThat(json.path("consumptionUsd")).isEqualTo(step.path("costUsd"));
    assertThat(json.path("billedUsd")).isEqualTo(step.path("costUsd"));
    assertThat(json.at("/llm/costByModel/claude-haiku-4-5")).isEqualTo(step.path("costUsd"));
    assertThat(json.at("/embed/tokens").asLong(-1)).isZero();
    // Fifty at once, and fifty a minute.
    assertThat(json.at("/time/leastSeconds").asDouble()).isBetween(59.0, 63.0);
    assertThat(json.at("/time/forecastSeconds/p50").asDouble()).isBetween(59.0, 66.0);
    assertThat(json.at("/time/forecastSeconds/p90").asDouble()).isBetween(59.0, 68.0);
    assertThat(json.at("/time/binding/limit").asText()).isEqualTo("requests");
    assertThat(json.at("/time/binding/amount").asInt()).isEqualTo(50);
    assertThat(json.at("/time/binding/savedByTwiceSeconds").asDouble()).isGreaterThan(30);
    assertThat(json.at("/calibration/source").asText()).isEqualTo("default");
    assertThat(json.at("/calibration/runs").asInt(-1)).isZero();
  }

  @Test
  void a_dry_run_says_the_same() throws Exception {
    claude(50);

    var estimate = json("--provider", "simulated");
    var dry =
        desk.flyball(
            "batch",
            desk.file("in.jsonl").toString(),
            "--provider=simulated",
            "--dry-run",
            "--json");

    assertThat(dry.exit()).isZero();
    var other = CommandDesk.JSON.readTree(dry.out());
    for (var field : List.of("calls", "inputTokens", "outputTokens", "consumptionUsd", "time")) {
      assertThat(without(other.path(field))).as(field).isEqualTo(without(estimate.path(field)));
    }
  }

  /** Names of lanes have a key's fingerprint where there is a key. */
  private static String without(JsonNode node) {
    return node.toString().replaceAll("\"lane\":\"[^\"]*\"", "");
  }

  @Test
  void few_at_one_time_take_longer() throws Exception {
    claude(200);
    double many = json().at("/time/forecastSeconds/p50").asDouble();
    double few = json("--concurrency", "2").at("/time/forecastSeconds/p50").asDouble();
    assertThat(few).isGreaterThan(3 * many);
  }

  @Test
  void another_model_costs_what_it_costs() throws Exception {
    claude(100);
    var dear = json("--model", "claude-opus-4-1");
    assertThat(dear.path("steps").get(0).path("model").asText()).isEqualTo("claude-opus-4-1");
    double before = json().path("consumptionUsd").asDouble();
    assertThat(dear.path("consumptionUsd").asDouble()).isGreaterThan(10 * before);
    var other = json("--model", "gpt-4o-mini");
    assertThat(other.at("/time/binding").toString()).doesNotContain("anthropic");
    assertThat(other.at("/assumes/0/lane").asText()).isEqualTo("openai/gpt-4o-mini");
  }

  @Test
  void lines_that_have_only_a_prompt_need_a_model() throws Exception {
    desk.write("in.jsonl", "{\"prompt\":\"hello\"}");
    assertThat(estimate().exit()).isEqualTo(2);
    assertThat(json("--model", "gpt-4o-mini").path("calls").asInt()).isEqualTo(1);
  }

  @Test
  void what_prompts_share_is_cached_if_it_is_long_enough() throws Exception {
    var system = "You are a careful reader of long texts. ".repeat(800);
    desk.write(
        "in.jsonl",
        IntStream.range(0, 50)
            .mapToObj(i -> cached("q" + i, system, "claude-haiku-4-5"))
            .toArray(String[]::new));
    var step = json().path("steps").get(0);
    long written = step.path("cacheCreationTokens").asLong();
    assertThat(written).isGreaterThan(4_096);
    assertThat(step.path("cacheReadTokens").asLong()).isEqualTo(49 * written);
    var naive = json("--no-cache").path("steps").get(0);
    assertThat(naive.path("cacheCreationTokens").asLong()).isZero();
    assertThat(naive.path("costUsd").asDouble()).isGreaterThan(3 * step.path("costUsd").asDouble());
    assertThat(estimate().out()).contains("cache read", "cache write");
  }

  @Test
  void what_is_too_short_to_be_cached_is_not() throws Exception {
    desk.write(
        "in.jsonl",
        cached("a", "short", "claude-haiku-4-5"),
        cached("b", "short", "claude-haiku-4-5"));
    var step = json().path("steps").get(0);
    assertThat(step.path("cacheCreationTokens").asLong()).isZero();
    assertThat(step.path("cacheReadTokens").asLong()).isZero();
  }

  private static String cached(String id, String system, String model) {
    return """
    {"custom_id":"%s","params":{"model":"%s","max_tokens":50,"system":[{"type":"text","text":"%s","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"%s"}]}}\
    """
        .formatted(id, model, system, id);
  }

  @Test
  void an_unknown_price_is_not_nothing() throws Exception {
    desk.questions(3);
    var screen = estimate();
    assertThat(screen.out()).contains("unknown price for m at openai");
    var json = json();
    assertThat(json.path("consumptionUsd").isNull()).isTrue();
    assertThat(json.path("steps").get(0).path("costUsd").isNull()).isTrue();
    assertThat(json.path("unpriced").get(0).asText()).contains("config.yaml");
  }

  @Test
  void a_subscription_is_not_billed_by_the_token() throws Exception {
    claude(10);
    desk.user("providers:", "  anthropic:", "    mode: subscription");
    var json = json();
    assertThat(json.path("steps").get(0).path("billingMode").asText()).isEqualTo("subscription");
    assertThat(json.path("billedUsd").asText()).isEqualTo("0.000000");
    assertThat(json.path("consumptionUsd").asDouble()).isGreaterThan(0);
    assertThat(estimate().out()).contains("about $0.00 billed; $0.00");
  }

  @Test
  void a_mode_that_is_none_is_refused_with_the_place() throws Exception {
    claude(1);
    desk.user("providers:", "  anthropic:", "    mode: barter");
    var screen = estimate();
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("config.yaml", "anthropic", "api, subscription, local");
  }

  @Test
  void what_is_embedded_has_its_own_sum() throws Exception {
    desk.write(
        "in.jsonl",
        "{\"custom_id\":\"a\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":"
            + "{\"model\":\"text-embedding-3-small\",\"input\":\"some words to find again\"}}",
        CommandDesk.openAi("b", "gpt-4o-mini", "hello"));
    var json = json();
    assertThat(json.at("/embed/tokens").asLong()).isBetween(1L, 30L);
    assertThat(json.at("/embed/textUnits").asLong()).isEqualTo(1);
    assertThat(json.at("/embed/costUsd").asDouble()).isGreaterThan(0);
    assertThat(json.at("/llm/outputTokens").asLong()).isEqualTo(50);
  }

  @Test
  void bad_input_is_refused_with_its_place() throws Exception {
    assertThat(estimate().err()).contains("there is no file");
    desk.write("in.jsonl", "{not json");
    assertThat(estimate().err()).contains("line 1");
    assertThat(estimate().exit()).isEqualTo(2);
    claude(1);
    assertThat(estimate("--limits", "nobody").err())
        .contains("--limits: must be one of", "anthropic-build", "not nobody");
    assertThat(estimate("--concurrency", "0").err()).contains("not 0");
    assertThat(estimate("--output-tokens", "-1").err()).contains("not -1");
  }

  @Test
  void an_empty_file_is_refused_as_a_batch_would() throws Exception {
    desk.write("in.jsonl");
    var screen = estimate();
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("the input has no lines to send");
  }

  @Test
  void five_runs_teach_what_the_next_will_be_like() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write(
        "in.jsonl",
        IntStream.range(0, 20)
            .mapToObj(i -> CommandDesk.openAi("q" + i, "m", "words ".repeat(20)))
            .toArray(String[]::new));
    var url = desk.simulator().uri().toString();
    for (int i = 0; i < 5; i++) {
      assertThat(json("--base-url", url).at("/calibration/source").asText()).isEqualTo("default");
      Files.deleteIfExists(desk.file("out.jsonl"));
      var run = desk.batch("--report", desk.file("report.json").toString());
      assertThat(run.exit()).as(run.err()).isZero();
      // A forecast that knew nothing is no news for people; programs have it in the report.
      assertThat(run.out()).doesNotContain("forecast ");
    }

    var json = json("--base-url", url);

    assertThat(json.at("/calibration/source").asText()).isEqualTo("history");
    assertThat(json.at("/calibration/runs").asInt()).isEqualTo(5);
    // It says back what was asked; fifty tokens are the most.
    var truth = CommandDesk.JSON.readTree(desk.file("report.json").toFile());
    assertThat(json.path("outputTokens").asDouble())
        .isCloseTo(truth.at("/tokens/output").asDouble(), within(40.0));
    assertThat(json.path("inputTokens").asDouble())
        .isCloseTo(truth.at("/tokens/input").asDouble(), within(30.0));
    assertThat(estimate("--base-url", url).out()).contains("calibrated on 5 runs");
    assertThat(json("--base-url", url, "--no-history").at("/calibration/source").asText())
        .isEqualTo("default");
  }

  @Test
  void simulated_runs_teach_nothing_about_real_ones() throws Exception {
    claude(5);
    for (int i = 0; i < 5; i++) {
      Files.deleteIfExists(desk.file("out.jsonl"));
      var run =
          desk.flyball(
              "batch",
              desk.file("in.jsonl").toString(),
              "-o",
              desk.file("out.jsonl").toString(),
              "--provider=simulated");
      assertThat(run.exit()).as(run.err()).isZero();
    }
    assertThat(json().at("/calibration/source").asText()).isEqualTo("default");
    assertThat(json("--provider", "simulated").at("/calibration/runs").asInt()).isEqualTo(5);
    assertThat(desk.flyball("usage").out()).contains("--simulated");
    assertThat(desk.flyball("usage", "--simulated").out()).contains("claude-haiku-4-5");
  }

  @Test
  void limits_that_a_run_has_learned_are_assumed() throws Exception {
    desk.provider(
        Settings.of("anthropic-tier1").latency(dev.flyball.simulator.setting.Latency.NONE));
    claude(3);
    var url = desk.simulator().uri().toString();
    assertThat(desk.batch().exit()).isZero();

    var json = json("--base-url", url);

    assertThat(json.at("/assumes/0/from").asText()).startsWith("learned on 20");
    assertThat(json.at("/assumes/0/limits/requests").asInt()).isEqualTo(50);
  }

  @Test
  void a_history_that_cannot_be_read_is_said_and_done_without() throws Exception {
    claude(2);
    desk.write("broken.db", "this is not a database, however long one looks at it".repeat(100));
    var screen = estimate("--history", desk.file("broken.db").toString());
    assertThat(screen.exit()).isZero();
    assertThat(screen.err()).contains("without earlier runs", "broken.db", "--no-history");
    assertThat(screen.out()).contains("2 calls");
  }

  @Test
  void a_batch_does_not_begin_without_its_history_unless_told_so() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(2);
    desk.write("broken.db", "this is not a database, however long one looks at it".repeat(100));
    var broken = "--history=" + desk.file("broken.db");

    var refused = desk.batch(broken);

    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err()).contains("broken.db", "--no-history");
    assertThat(desk.simulator().stats().requests()).isZero();
    assertThat(desk.batch(broken, "--no-history").exit()).isZero();
  }

  @Test
  void what_a_batch_did_is_remembered() throws Exception {
    desk.provider(CommandDesk.quick().fault("529:id=q1,attempts=1"));
    desk.questions(4);

    assertThat(desk.batch("--history=" + desk.file("own.db")).exit()).isZero();

    var usage =
        CommandDesk.JSON.readTree(
            desk.flyball("usage", "--format=json", "--history=" + desk.file("own.db")).out());
    var row = usage.path("rows").get(0);
    assertThat(row.path("model").asText()).isEqualTo("m");
    assertThat(row.path("calls").asInt()).isEqualTo(4);
    assertThat(row.path("attempts").asInt()).isEqualTo(5);
    assertThat(row.path("retried").asInt()).isEqualTo(1);
    assertThat(Files.exists(folder.resolve(".flyball"))).isFalse();
  }
}
