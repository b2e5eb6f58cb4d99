package dev.flyball.llm.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.call.Cost;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The list of prices, and how a model is found in it. */
class PriceListTest {
  private static final Instant TODAY = Instant.parse("2026-11-16T12:00:00Z");
  private static final PriceList PRICES = PriceList.read();

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  private static PriceList with(String rows) {
    return PRICES.with(json("{'prices':[" + rows + "]}"));
  }

  private static Price known(PriceList.Found found) {
    return switch (found) {
      case PriceList.Found.Known(var price) -> price;
      case PriceList.Found.Unknown unknown -> throw new AssertionError("unknown");
      case PriceList.Found.Ambiguous ambiguous -> throw new AssertionError(ambiguous.toString());
    };
  }

  private static List<String> candidates(PriceList.Found found) {
    return switch (found) {
      case PriceList.Found.Ambiguous(var candidates) ->
          candidates.stream().map(Price::provider).toList();
      case PriceList.Found.Known known -> throw new AssertionError(known.toString());
      case PriceList.Found.Unknown unknown -> throw new AssertionError("unknown");
    };
  }

  private static Optional<Cost> dollars(String amount) {
    return Optional.of(Cost.dollars(amount));
  }

  @Test
  void the_list_has_a_date_and_every_price_of_it_a_source() {
    assertThat(PRICES.version()).isEqualTo("2026-11-15");
    assertThat(PRICES.list()).hasSizeGreaterThanOrEqualTo(69);
    assertThat(PRICES.list()).allMatch(price -> price.evidence().source().contains(" "));
  }

  @Test
  void on_no_day_has_a_model_two_prices() {
    for (var day : List.of("2026-01-01", "2026-11-16", "2026-12-01", "2027-01-01")) {
      assertThat(PRICES.list(Instant.parse(day + "T00:00:00Z")))
          .extracting(Price::name)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void what_is_not_written_down_is_unknown_and_never_zero() {
    var fable = known(PRICES.find("anthropic", "claude-fable-5-1", TODAY));

    assertThat(fable.tariff().input()).isEqualTo(dollars("10"));
    assertThat(fable.tariff().cacheRead()).isEmpty();
    assertThat(fable.tariff().cacheWrite5m()).isEmpty();
    assertThat(fable.limits().smallestPrefix()).isEmpty();
    assertThat(fable.limits().maxOutput()).isEqualTo(OptionalLong.of(128_000));
  }

  @Test
  void prices_are_read_exactly() {
    assertThat(known(PRICES.find("deepseek", "deepseek-v4-pro", TODAY)).tariff().cacheRead())
        .isEqualTo(dollars("0.003625"));
    assertThat(known(PRICES.find("anthropic", "claude-opus-5-5", TODAY)).tariff())
        .isEqualTo(
            new Tariff(dollars("4"), dollars("20"), dollars("0.2"), dollars("5"), dollars("8")));
  }

  @ParameterizedTest
  @CsvSource({
    "gemini-4-argon, 2026-11-30T23:59:59Z, 2, 10, 0.1",
    "gemini-4-argon, 2026-12-01T00:00:00Z, 4, 20, 0.2",
    "gemini-3.8-flash, 2026-12-31T23:59:59Z, 0.75, , ",
    "gemini-3.8-flash, 2027-01-01T00:00:00Z, 1.5, , ",
  })
  void a_promotion_ends_with_its_last_day(
      String model, Instant at, String input, String output, String cacheRead) {
    var tariff = known(PRICES.find("gemini", model, at)).tariff();

    assertThat(tariff.input()).isEqualTo(dollars(input));
    assertThat(tariff.output()).isEqualTo(Optional.ofNullable(output).map(Cost::dollars));
    assertThat(tariff.cacheRead()).isEqualTo(Optional.ofNullable(cacheRead).map(Cost::dollars));
  }

  @ParameterizedTest
  @CsvSource({
    "anthropic, claude-fable-5, 512",
    "anthropic, claude-sonnet-5, 1024",
    "anthropic, claude-haiku-4-5, 4096",
    "openai, gpt-4o, 1024",
    "gemini, gemini-2.5-pro, 2048",
  })
  void the_smallest_prefix_that_can_be_cached_is_listed_where_it_was_found(
      String provider, String model, long tokens) {
    assertThat(known(PRICES.find(provider, model, TODAY)).limits().smallestPrefix())
        .hasValue(tokens);
  }

  @ParameterizedTest
  @CsvSource({
    "openai, gpt-4o, gpt-4o",
    "openai, gpt-4o-2024-08-06, gpt-4o",
    "anthropic, claude-sonnet-4-5-20250929, claude-sonnet-4-5",
    "groq, openai/gpt-oss-120b, openai/gpt-oss-120b",
    "groq, gpt-oss-120b, openai/gpt-oss-120b",
    "fireworks, gpt-oss-120b, accounts/fireworks/models/gpt-oss-120b",
    "mistral, mistral-large-2512, mistral-large-2512",
  })
  void an_id_is_found_with_and_without_its_day_and_its_folders(
      String provider, String asked, String listed) {
    assertThat(known(PRICES.find(provider, asked, TODAY)).model()).isEqualTo(listed);
  }

  @Test
  void a_listed_day_is_found_without_it_and_the_exact_id_comes_first() {
    var own =
        with(
            "{'provider':'acme','model':'big-20260101','input':1,'output':1},"
                + "{'provider':'acme','model':'small','input':2,'output':2},"
                + "{'provider':'acme','model':'small-2026-02-02','input':3,'output':3}");

    assertThat(known(own.find("acme", "big", TODAY)).model()).isEqualTo("big-20260101");
    assertThat(known(own.find("acme", "small", TODAY)).model()).isEqualTo("small");
    assertThat(known(own.find("acme", "small-2026-02-02", TODAY)).model())
        .isEqualTo("small-2026-02-02");
    assertThat(known(own.find("acme", "small-2026-03-03", TODAY)).model()).isEqualTo("small");
    assertThat(own.find("acme", "big-20260202", TODAY)).isEqualTo(new PriceList.Found.Unknown());
  }

  @Test
  void nobodys_price_is_taken_for_somebody_elses() {
    assertThat(PRICES.find("openrouter", "claude-sonnet-5", TODAY))
        .isEqualTo(new PriceList.Found.Unknown());
    assertThat(PRICES.find("openai", "gpt-4", TODAY)).isEqualTo(new PriceList.Found.Unknown());
  }

  @Test
  void without_a_provider_a_model_is_known_if_one_provider_has_it() {
    assertThat(known(PRICES.find("claude-sonnet-5", TODAY)).provider()).isEqualTo("anthropic");
    assertThat(known(PRICES.find("gpt-4o-mini-2024-07-18", TODAY)).model())
        .isEqualTo("gpt-4o-mini");
    assertThat(candidates(PRICES.find("gpt-oss-120b", TODAY)))
        .containsExactlyInAnyOrder("groq", "cerebras", "together", "fireworks");
    assertThat(candidates(PRICES.find("gpt-5.4", TODAY)))
        .containsExactlyInAnyOrder("openai", "azure");
    assertThat(PRICES.find("nobody-knows", TODAY)).isEqualTo(new PriceList.Found.Unknown());
  }

  @Test
  void a_users_price_takes_the_place_of_the_listed_and_changes_the_version() {
    var own = with("{'provider':'gemini','model':'gemini-4-argon','input':'1.25','output':5}");

    assertThat(own.version()).isEqualTo("2026-11-15+own");
    for (var at : List.of(TODAY, TODAY.plusSeconds(30 * 86_400L))) {
      var price = known(own.find("gemini", "gemini-4-argon", at));
      assertThat(price.tariff().input()).isEqualTo(dollars("1.25"));
      assertThat(price.tariff().cacheRead()).isEmpty();
      assertThat(price.evidence().confidence()).isEqualTo(Price.Confidence.OWN);
    }
    assertThat(PRICES.with(json("{}")).version()).isEqualTo("2026-11-15");
    assertThat(own.with(json("{}")).version()).isEqualTo("2026-11-15+own");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'provider':'a','model':'m','input':-1} | prices[0].input is dollars per million tokens",
        "{'provider':'a','model':'m','input':'free'} | prices[0].input is dollars per million",
        "{'provider':'a','model':'m','input':0.0000001} | prices[0].input is dollars per million",
        "{'provider':'a','model':'m','input':9999999} | prices[0].input is dollars per million",
        "{'provider':'a','model':'m','inputt':1} | prices[0].inputt is not known here",
        "{'provider':'a','input':1} | prices[0].model is missing",
        "{'model':'m','input':1} | prices[0].provider is missing",
        "{'provider':'a','model':'m','validTo':'soon'} | prices[0].validTo is a day such as",
        "{'provider':'a','model':'m','maxOutput':0} | prices[0].maxOutput is a whole number",
        "{'provider':'a','model':'m','longPrompt':{'input':1}} | prices[0].longPrompt.above is",
        "{'provider':'a','model':'m','longPrompt':{'above':9,'batch':1}} | longPrompt.batch is not",
        "{'provider':'a','model':'m','longPrompt':7} | prices[0].longPrompt has above",
        "{'provider':'a','model':'m','confidence':'sure'} | prices[0].confidence is official",
        "7 | prices[0] is a price",
      })
  void what_makes_no_sense_is_refused_with_its_place(String row, String message) {
    assertThatThrownBy(() -> with(row))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void prices_are_a_list() {
    assertThatThrownBy(() -> PRICES.with(json("{'prices':{'m':1}}")))
        .hasMessageContaining("prices is a list");
  }
}
