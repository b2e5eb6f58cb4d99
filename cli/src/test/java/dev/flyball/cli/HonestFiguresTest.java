package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How near a run says it came to what is possible, and how it knows. */
class HonestFiguresTest {
  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() throws IOException {
    desk = new CommandDesk(folder);
    desk.questions(40);
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private static Settings limited() {
    return CommandDesk.quick().limit("requests=1200/min").burst("requests=10");
  }

  private CommandDesk.Screen batch() {
    var screen = desk.batch("--report", desk.file("report.json").toString());
    assertThat(screen.exit()).as(screen.err()).isZero();
    return screen;
  }

  private JsonNode report() throws IOException {
    var report = CommandDesk.JSON.readTree(desk.file("report.json").toFile());
    assertThat(report.path("version").asInt()).isEqualTo(2);
    return report;
  }

  private static void assertWithin(JsonNode report) {
    double wall = report.path("wallSeconds").asDouble();
    assertThat(report.path("boundSeconds").asDouble()).isPositive().isLessThanOrEqualTo(wall);
    assertThat(report.path("efficiency").asDouble()).isPositive().isLessThanOrEqualTo(1);
  }

  @Test
  void limits_that_replies_state_are_what_it_is_measured_by() throws Exception {
    desk.provider(limited().headers(Headers.parse("full")));

    // Of so short a run a percentage would say nothing to people.
    assertThat(batch().out()).contains("answered").doesNotContain("% of");
    assertWithin(report());
    assertThat(report().path("boundFrom").asText()).isEqualTo("stated");
    assertThat(report().at("/lanes/0/boundFrom").asText()).isEqualTo("stated");
    assertThat(report().at("/lanes/0").has("feltPerSecond")).isFalse();
  }

  @Test
  void limits_that_were_only_felt_give_a_figure_that_is_only_about_right() throws Exception {
    desk.provider(limited().headers(Headers.parse("none")));

    assertThat(batch().out()).contains("answered").doesNotContain("% of");
    assertWithin(report());
    assertThat(report().path("boundFrom").asText()).isEqualTo("felt");
    assertThat(report().at("/lanes/0/boundFrom").asText()).isEqualTo("felt");
    assertThat(report().at("/lanes/0/feltPerSecond").asDouble()).isPositive();

    desk.questions(400);
    var estimate =
        desk.flyball(
            "estimate",
            desk.file("in.jsonl").toString(),
            "--base-url",
            desk.simulator().uri().toString(),
            "--json");
    var forecast = CommandDesk.JSON.readTree(estimate.out());
    assertThat(forecast.at("/time/felt").asBoolean()).isTrue();
    assertThat(forecast.at("/assumes/0/felt").asBoolean()).isTrue();
    assertThat(forecast.at("/assumes/0/from").asText()).startsWith("felt on 20");
    assertThat(forecast.at("/time/forecastSeconds/p90").asDouble())
        .isGreaterThan(1.02 * forecast.at("/time/forecastSeconds/p50").asDouble());
    var page =
        desk.flyball(
            "estimate",
            desk.file("in.jsonl").toString(),
            "--base-url",
            desk.simulator().uri().toString());
    assertThat(page.out()).contains("limits are estimated from 429s", "felt on ");
  }

  @Test
  void without_any_limit_no_figure_is_given() throws Exception {
    desk.provider(CommandDesk.quick());

    assertThat(batch().out()).doesNotContain("of the speed", "least possible");
    assertThat(report().path("efficiency").isNull()).isTrue();
    assertThat(report().path("boundSeconds").isNull()).isTrue();
    assertThat(report().path("boundFrom").asText()).isEqualTo("none");
    var progress = CommandDesk.JSON.readTree(desk.file("out.progress.json").toFile());
    assertThat(progress.path("boundFrom").asText()).isEqualTo("none");
  }
}
