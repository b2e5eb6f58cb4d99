package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.call.Cost;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code flyball batch} costs, and budgets in money. */
@Timeout(60)
class BatchCostTest {
  /** Two dollars a million in, ten out: every token is whole millionths. */
  private static final String SONNET = "claude-sonnet-5";

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

  private void ask(int count, String model) throws IOException {
    desk.write(
        "in.jsonl",
        IntStream.range(0, count)
            .mapToObj(i -> CommandDesk.anthropic("q" + i, model, "say " + i))
            .toArray(String[]::new));
  }

  private CommandDesk.Screen batch(String... more) {
    var args = new ArrayList<>(List.of(more));
    args.add("--report=" + desk.file("report.json"));
    return desk.batch(args.toArray(String[]::new));
  }

  private CommandDesk.Screen simulated(String... more) {
    var args = new ArrayList<String>();
    args.addAll(List.of("batch", desk.file("in.jsonl").toString(), "--provider=simulated"));
    args.addAll(List.of("-o", desk.file("out.jsonl").toString()));
    args.addAll(List.of("--profile=unlimited", "--progress=plain"));
    args.addAll(List.of(more));
    args.add("--report=" + desk.file("report.json"));
    return desk.flyball(args.toArray(String[]::new));
  }

  private JsonNode report() throws IOException {
    return CommandDesk.JSON.readTree(desk.file("report.json").toFile());
  }

  private static BigDecimal sonnetDollars(JsonNode report) {
    long micros =
        2 * report.at("/tokens/input").asLong() + 10 * report.at("/tokens/output").asLong();
    return BigDecimal.valueOf(micros, 6);
  }

  @Test
  void every_answer_costs_what_the_list_says() throws Exception {
    desk.provider(CommandDesk.quick());
    ask(10, SONNET);

    var screen = batch();

    assertThat(screen.exit()).isZero();
    var report = report();
    assertThat(report.path("costUsd").asText())
        .isEqualTo(sonnetDollars(report).toPlainString())
        .matches("0\\.\\d{6}")
        .isNotEqualTo("0.000000");
    assertThat(report.path("unpricedCalls").asInt()).isZero();
    assertThat(report.path("pricesVersion").asText()).isEqualTo("2026-11-15");
    assertThat(report.has("simulatedCostUsd")).isFalse();
    assertThat(screen.out())
        .contains(
            "cost "
                + Cost.dollars(report.path("costUsd").asText()).shown()
                + " (prices of 2026-11-15)");
  }

  @Test
  void a_price_that_is_not_known_is_said_and_no_number_is_made_up() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write(
        "in.jsonl",
        CommandDesk.openAi("a", "gpt-4o", "hello"),
        CommandDesk.openAi("b", "nobody-1", "hello"));

    var screen = batch();

    assertThat(screen.exit()).isZero();
    assertThat(report().path("costUsd").isNull()).isTrue();
    assertThat(report().path("unpricedCalls").asInt()).isEqualTo(1);
    assertThat(screen.out())
        .contains("unknown price for nobody-1", "add it under prices: in your config.yaml")
        .doesNotContain("cost $");
  }

  @Test
  void a_model_that_several_have_needs_a_provider() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write("in.jsonl", CommandDesk.openAi("a", "gpt-5.4", "hello"));

    assertThat(batch().out())
        .contains("unknown price for gpt-5.4: it is at openai, azure; say which with --provider");

    desk.write("in.jsonl", CommandDesk.openAi("b", "gpt-5.4", "hello again"));
    desk.environment.put("OPENAI_API_KEY", "k");
    assertThat(batch("--provider=openai").out()).contains("cost $");
  }

  @Test
  void a_price_of_ones_own_counts_and_shows_in_the_version() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write("in.jsonl", CommandDesk.openAi("a", "m", "hello"));
    desk.user("prices:", "  - provider: mine", "    model: m", "    input: 1", "    output: 3.00");

    batch("--budget-usd=1");

    var report = report();
    long micros = report.at("/tokens/input").asLong() + 3 * report.at("/tokens/output").asLong();
    assertThat(report.path("costUsd").asText())
        .isEqualTo(BigDecimal.valueOf(micros, 6).toPlainString());
    assertThat(report.path("pricesVersion").asText()).isEqualTo("2026-11-15+own");
  }

  @Test
  void a_budget_in_money_holds_and_the_rest_is_left_for_later() throws Exception {
    desk.provider(CommandDesk.quick());
    ask(40, SONNET);

    var screen = batch("--budget-usd=0.0015");

    assertThat(screen.exit()).isEqualTo(3);
    assertThat(screen.out()).contains("raise --budget-usd");
    assertThat(new BigDecimal(report().path("costUsd").asText()))
        .isPositive()
        .isLessThanOrEqualTo(new BigDecimal("0.0015"));
    assertThat(report().at("/stopped/why").asText()).isEqualTo("budget");
    assertThat(report().at("/budget/maxUsd").asText()).isEqualTo("0.001500");
    assertThat(report().at("/budget/usedUsd").asText())
        .isEqualTo(report().path("costUsd").asText());
    assertThat(report().at("/budget/overspentUsd").asText()).isEqualTo("0.000000");

    assertThat(batch("--budget-usd=1").exit()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(40));
    assertThat(desk.asked()).doesNotHaveDuplicates();
  }

  @Test
  void a_budget_in_money_is_refused_where_a_price_is_not_known() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write(
        "in.jsonl",
        CommandDesk.anthropic("a", SONNET, "hello"),
        CommandDesk.openAi("b", "nobody-1", "hello"),
        CommandDesk.openAi("c", "gemini-3.8-flash", "hello"),
        CommandDesk.openAi("d", "gpt-5.4", "hello"));

    var screen = batch("--budget-usd=5");

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .contains(
            "--budget-usd: nothing was sent",
            "unknown price for nobody-1",
            "unknown price for gemini-3.8-flash: the list has not all of it",
            "unknown price for gpt-5.4: it is at openai, azure",
            "add it under prices: in your config.yaml")
        .doesNotContain(SONNET);
    assertThat(desk.asked()).isEmpty();
    assertThat(desk.file("out.index")).doesNotExist();
  }

  @Test
  void an_answer_without_a_stated_length_is_held_at_the_models_longest() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write("in.jsonl", "{\"custom_id\":\"a\",\"prompt\":\"hello\",\"model\":\"gpt-4o\"}");

    // 16,384 tokens at ten dollars a million are 0.16384.
    var tight = batch("--budget-usd=0.163839");
    assertThat(tight.exit()).isEqualTo(3);
    assertThat(desk.asked()).isEmpty();

    assertThat(batch("--budget-usd=0.164").exit()).isZero();
  }

  @Test
  void an_attempt_that_may_have_been_billed_is_charged_with_the_most_it_can_cost()
      throws Exception {
    desk.provider(CommandDesk.quick());
    ask(1, SONNET);
    batch();
    var usual = new BigDecimal(report().path("costUsd").asText());
    desk.close();

    desk.provider(CommandDesk.quick().fault("cut:id=q0,attempts=1"));
    Files.delete(desk.file("out.jsonl"));
    var screen = batch();

    assertThat(screen.exit()).isZero();
    var cost = new BigDecimal(report().path("costUsd").asText());
    // Fifty tokens of output at most, at ten millionths each, and the prompt.
    assertThat(cost.subtract(usual))
        .isGreaterThan(new BigDecimal("0.000500"))
        .isLessThan(new BigDecimal("0.000600"));
    assertThat(report().path("attempts").asInt()).isEqualTo(2);
  }

  @Test
  void a_lost_attempt_is_charged_to_the_budget_too() throws Exception {
    desk.provider(CommandDesk.quick().fault("cut:id=q0"));
    ask(1, SONNET);

    // One attempt may cost a little over 0.0005, so a second does not fit.
    var screen = batch("--budget-usd=0.001");

    assertThat(screen.exit()).isEqualTo(3);
    assertThat(screen.out()).contains("raise --budget-usd");
    assertThat(report().path("attempts").asInt()).isEqualTo(1);
    assertThat(new BigDecimal(report().path("costUsd").asText()))
        .isGreaterThan(new BigDecimal("0.0005"));
  }

  @Test
  void simulated_answers_cost_nothing_and_the_report_says_what_they_would_have() throws Exception {
    desk.write(
        "in.jsonl",
        CommandDesk.anthropic("a", SONNET, "hello"),
        CommandDesk.openAi("b", "gpt-5.4", "hello"),
        CommandDesk.openAi("c", "gemini-2.5-flash", "hello"));

    var screen = simulated();

    assertThat(screen.exit()).isZero();
    assertThat(report().path("costUsd").asText()).isEqualTo("0.000000");
    assertThat(new BigDecimal(report().path("simulatedCostUsd").asText())).isPositive();
    assertThat(screen.out())
        .contains(
            "would have cost " + Cost.dollars(report().path("simulatedCostUsd").asText()).shown());

    desk.write("in.jsonl", CommandDesk.openAi("d", "nobody-1", "hello"));
    assertThat(simulated().out()).contains("unknown price for nobody-1");
    assertThat(report().path("costUsd").asText()).isEqualTo("0.000000");
    assertThat(report().path("simulatedCostUsd").isNull()).isTrue();
    assertThat(report().path("unpricedCalls").asInt()).isEqualTo(1);
  }

  @Test
  void a_budget_in_money_applies_to_what_simulated_answers_would_cost() throws Exception {
    ask(40, SONNET);

    var screen = simulated("--budget-usd=0.005");

    assertThat(screen.exit()).isEqualTo(3);
    assertThat(new BigDecimal(report().path("simulatedCostUsd").asText()))
        .isPositive()
        .isLessThanOrEqualTo(new BigDecimal("0.005"));
  }

  @Test
  void a_dry_run_says_the_most_it_can_cost() throws Exception {
    desk.provider(CommandDesk.quick());
    ask(10, SONNET);
    assertThat(desk.batch("--dry-run").out()).containsPattern("at most \\$0\\.005\\d");

    ask(10, "nobody-1");
    assertThat(desk.batch("--dry-run").out()).contains("unknown price");
  }

  @Test
  void what_is_wrong_in_ones_own_prices_is_refused_with_its_place() throws Exception {
    desk.user("prices:", "  - provider: mine", "    model: m", "    inputs: 1");

    var screen = desk.flyball("prices");

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("config.yaml line 1: prices[0].inputs is not known here");
  }
}
