package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code flyball prices} as a user meets it. */
class ShowPricesTest {
  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() {
    desk = new CommandDesk(folder);
  }

  private List<String> row(String... args) {
    var screen = desk.flyball(args);
    assertThat(screen)
        .extracting(CommandDesk.Screen::exit, CommandDesk.Screen::err)
        .containsExactly(0, "");
    return List.of(screen.out().lines().skip(1).findFirst().orElse("").split(" {2,}", -1));
  }

  @Test
  void the_list_of_today_is_a_table() {
    var screen = desk.flyball("prices");

    assertThat(screen.exit()).isZero();
    assertThat(screen.out().lines().findFirst().orElse(""))
        .startsWith("provider")
        .contains("cache read", "write 5m", "write 1h", "smallest prefix", "batch", "long prompts")
        .contains("until", "confidence");
    assertThat(screen.out())
        .contains(
            "claude-sonnet-5", "gpt-4o", "dollars per million tokens; price list of 2026-11-15");
  }

  @Test
  void a_model_is_shown_alone_with_all_that_is_known_of_it() {
    assertThat(row("prices", "claude-sonnet-5-20260801"))
        .containsExactly(
            "anthropic",
            "claude-sonnet-5",
            "2.00",
            "10.00",
            "0.20",
            "2.50",
            "4.00",
            "1,024",
            "1.00 / 5.00",
            "official");
    assertThat(row("prices", "gpt-5.6-luna")).contains("above 272,000: 0.40 / 1.80");
    assertThat(row("prices", "gpt-6-luna")).contains("above 272,000: –");
  }

  @Test
  void what_is_not_known_is_never_shown_as_zero() {
    assertThat(row("prices", "gemini-3.8-flash", "--at=2026-11-16"))
        .containsExactly(
            "gemini",
            "gemini-3.8-flash",
            "0.75",
            "–",
            "–",
            "–",
            "–",
            "4,096",
            "–",
            "2026-12-31",
            "secondary");
  }

  @Test
  void prices_of_another_day_can_be_asked_for() {
    assertThat(row("prices", "gemini-4-argon", "--at=2026-11-30")).contains("2.00", "2026-11-30");
    assertThat(row("prices", "gemini-4-argon", "--at=2026-12-01")).contains("4.00", "20.00");
  }

  @Test
  void a_model_that_several_have_is_shown_of_each_unless_the_provider_is_said() {
    var screen = desk.flyball("prices", "gpt-oss-120b");

    assertThat(screen.exit()).isZero();
    assertThat(screen.out()).contains("groq", "cerebras", "together", "gpt-oss-120b");
    assertThat(row("prices", "gpt-oss-120b", "--provider=cerebras")).contains("0.35", "0.75");
  }

  @Test
  void an_unknown_model_is_refused_with_what_to_do() {
    var screen = desk.flyball("prices", "nobody-1");

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .isEqualTo(
            "flyball prices: no price for nobody-1 in the list of 2026-11-15 (add it under"
                + " prices: in "
                + desk.file("config/flyball/config.yaml")
                + ")"
                + System.lineSeparator());
  }

  @Test
  void the_prices_of_one_provider_are_shown_alone() {
    var screen = desk.flyball("prices", "--provider", "xai");

    assertThat(screen.out()).contains("grok-4.5").doesNotContain("anthropic");
    assertThat(desk.flyball("prices", "--provider=nobody"))
        .satisfies(
            no -> {
              assertThat(no.exit()).isEqualTo(2);
              assertThat(no.err()).contains("there are no prices for nobody");
            });
  }

  @Test
  void programs_get_the_same_as_json_with_null_for_what_is_not_known() throws IOException {
    var json = desk.flyball("prices", "gpt-6-sol", "--format=json");

    var list = CommandDesk.JSON.readTree(json.out());
    var price = list.at("/prices/0");
    assertThat(list.path("version").asText()).isEqualTo("2026-11-15");
    assertThat(price.path("input").asText()).isEqualTo("2.00");
    assertThat(price.path("cacheWrite1h").isNull()).isTrue();
    assertThat(price.at("/longPrompt/above").asLong()).isEqualTo(272_000);
    assertThat(price.at("/longPrompt/input").isNull()).isTrue();
    assertThat(price.path("context").isNull()).isTrue();
    assertThat(price.path("confidence").asText()).isEqualTo("secondary");
    assertThat(price.path("source").asText()).contains("codexometer");
  }

  @Test
  void a_wrong_format_and_a_wrong_day_are_refused() {
    assertThat(desk.flyball("prices", "--format=xml").err())
        .contains("--format: must be table or json, not xml");
    assertThat(desk.flyball("prices", "--at=soon").exit()).isEqualTo(2);
  }

  @Test
  void the_provider_of_other_commands_does_not_choose_what_is_shown() throws IOException {
    desk.user("provider: simulated");
    desk.environment.put("FLYBALL_PROVIDER", "simulated");

    assertThat(desk.flyball("prices", "gpt-4o").exit()).isZero();
    assertThat(desk.flyball("config").out())
        .contains("batch.provider")
        .doesNotContain("prices.", "lanes.");
  }

  @Test
  void a_price_of_ones_own_is_shown_as_such() throws IOException {
    desk.user(
        "prices:",
        "  - {provider: mine, model: m, input: 0, output: 0.000001, validTo: 2099-01-01}");

    assertThat(row("prices", "m", "--provider=mine"))
        .contains("0.00", "0.000001", "2099-01-01", "own");
    assertThat(desk.flyball("prices").out()).contains("list of 2026-11-15+own");
  }
}
