package dev.flyball.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.bench.wire.WireRow.Promise;
import dev.flyball.call.Dimension;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.provider.Stats;
import dev.flyball.simulator.provider.TokenTotals;
import dev.flyball.simulator.setting.Latency;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** The arithmetic of the runs over the wire; the runs themselves take minutes. */
final class WireRowTest {
  private static final List<WireRow> ROWS = WireRow.ALL;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "full headers             | 29.2",
        "no header, no hint       | 5.2",
        "token-bound              | 28.3",
        "40 % foreign use         | 48.533",
        "bound by output, rounded | 60.455"
      })
  void the_least_time_is_that_of_the_scarcest_limit(String name, double seconds) {
    var row = ROWS.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();

    assertThat(row.least().toMillis() / 1e3).isEqualTo(seconds, within(0.001));
  }

  @ParameterizedTest
  @FieldSource("ROWS")
  void a_provider_charges_a_call_what_its_row_says(WireRow row)
      throws IOException, InterruptedException {
    try (var simulator = Simulator.start(row.account().get().latency(Latency.NONE), 0)) {
      new SdkRun(row).ask(simulator, 7);

      var ledger = Judgement.of(simulator).ledger();
      row.demand()
          .amounts()
          .forEach(
              (dimension, amount) ->
                  assertThat(
                          ledger.stream()
                              .filter(line -> line.has("dimension"))
                              .filter(line -> dimension.equals(dimension(line.path("dimension"))))
                              .filter(line -> !line.path("what").asText().equals("foreign"))
                              .mapToLong(line -> line.path("amount").asLong())
                              .sum())
                      .as(dimension.toString())
                      .isEqualTo(amount));
    }
  }

  private static Dimension dimension(JsonNode word) {
    return switch (word.asText()) {
      case "input" -> Dimension.INPUT_TOKENS;
      case "output" -> Dimension.OUTPUT_TOKENS;
      case "tokens" -> Dimension.TOKENS;
      default -> Dimension.REQUESTS;
    };
  }

  @Test
  void a_success_that_is_asked_again_is_seen_in_the_ledger() {
    var ledger =
        """
        {"what":"admitted","id":"call-1"}
        {"what":"finished","id":"call-1"}
        {"what":"rejected","id":"call-2"}
        {"what":"admitted","id":"call-2"}
        {"what":"finished","id":"call-2"}
        {"what":"admitted","id":"call-1"}
        {"what":"finished","id":"call-1"}
        """;

    var judged = new Judgement(stats(0, 0), ledger.lines().map(Judgement::line).toList());
    assertThat(judged.askedAgain()).isEqualTo(1);
  }

  @Test
  void a_score_is_of_medians_and_a_promise_is_held_against_all_of_it() {
    var row = ROWS.getFirst();
    var trials =
        List.of(trial(29.5, 300, 0, 300), trial(90, 300, 30, 330), trial(29.6, 300, 3, 303));

    var score = Score.of(row, trials);

    assertThat(score).hasToString("1.014 / 3 / 0");
    assertThat(score.requests()).isEqualTo(1.01);
    assertThat(row.promise().keptBy(score)).isTrue();
    assertThat(new Promise(1.01, 3, 1.01).keptBy(score)).isFalse();
    assertThat(new Promise(1.03, 2, 1.01).keptBy(score)).isFalse();
    assertThat(new Promise(1.03, 3, 1.00).keptBy(score)).isFalse();
    assertThat(row.promise().keptBy(Score.of(row, List.of(trial(29.5, 299, 0, 300))))).isFalse();
  }

  private static WireTrial trial(double seconds, int answers, long throttles, long requests) {
    return new WireTrial(
        seconds, 0.5, answers, new Judgement(stats(requests, throttles), List.of()));
  }

  private static Stats stats(long requests, long throttles) {
    var rejected = Map.of("requests", throttles);
    var none = new TokenTotals(0, 0, 0, 0);
    return new Stats(0, requests, 0, 300, 300, 0, 0, 9, none, rejected, Map.of());
  }
}
