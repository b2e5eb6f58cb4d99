package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Charge;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneProfile;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The known providers and their accounts. */
class ProviderCatalogueTest {
  private static final ProviderCatalogue CATALOGUE = ProviderCatalogue.read();

  private static ProviderCatalogue with(String json) throws IOException {
    return CATALOGUE.with(new ObjectMapper().readTree(json.replace('\'', '"')));
  }

  private static long limit(LaneProfile profile, Dimension dimension) {
    return profile.termsOf(dimension).limit().orElseThrow();
  }

  @Test
  void every_provider_and_every_profile_can_be_read() {
    assertThat(CATALOGUE.providers()).contains("anthropic", "openai", "azure", "groq", "gemini");
    for (var name : CATALOGUE.providers()) {
      var listing = CATALOGUE.provider(name).orElseThrow();
      assertThat(listing.keyVariable()).endsWith("_API_KEY");
      listing
          .url()
          .ifPresent(
              url -> assertThat(Endpoint.at(name, url).resolve("/v1/x").getPath()).endsWith("/x"));
      assertThat(CATALOGUE.style(listing.style())).isNotNull();
    }
    for (var name : CATALOGUE.profiles()) {
      assertThat(CATALOGUE.profile(name, "").terms())
          .allSatisfy(terms -> assertThat(terms.limit()).isPresent());
    }
  }

  @Test
  void the_smallest_account_is_fifty_thirty_thousand_and_eight_thousand() {
    var profile = CATALOGUE.profile("anthropic-tier1", "sonnet-5");

    assertThat(profile.terms()).hasSize(3);
    assertThat(limit(profile, Dimension.REQUESTS)).isEqualTo(50);
    assertThat(limit(profile, Dimension.INPUT_TOKENS)).isEqualTo(30_000);
    assertThat(limit(profile, Dimension.OUTPUT_TOKENS)).isEqualTo(8_000);
    assertThat(profile.termsOf(Dimension.OUTPUT_TOKENS).settle())
        .isEqualTo(AllowanceTerms.Settle.AS_PRODUCED);
  }

  @Test
  void providers_count_in_their_own_ways() {
    var openai = CATALOGUE.profile("openai-tier1", "gpt-4o");
    assertThat(limit(openai, Dimension.TOKENS)).isEqualTo(30_000);
    assertThat(openai.termsOf(Dimension.TOKENS).charge())
        .isEqualTo(Charge.LARGER_OF_INPUT_AND_MOST_OUTPUT);
    assertThat(openai.termsOf(Dimension.REQUESTS).failedCounts()).isTrue();
    assertThat(limit(CATALOGUE.profile("openai-tier1", "gpt-5"), Dimension.TOKENS))
        .isEqualTo(500_000);
    assertThat(CATALOGUE.profile("azure", "").termsOf(Dimension.REQUESTS).window())
        .contains(Duration.ofSeconds(10));
    var groq = CATALOGUE.profile("groq", "");
    assertThat(limit(groq, Dimension.REQUESTS.per(Duration.ofDays(1)))).isEqualTo(1_000);
    assertThat(CATALOGUE.profile("deepseek", "deepseek-v4-flash").inFlight()).hasValue(2_500);
    assertThat(CATALOGUE.profile("headerless", "").termsOf(Dimension.REQUESTS).window())
        .contains(Duration.ofSeconds(1));
    assertThat(CATALOGUE.profile("anthropic-2025", "").termsOf(Dimension.OUTPUT_TOKENS))
        .matches(terms -> terms.charge() == Charge.MOST_OUTPUT)
        .matches(terms -> terms.settle() == AllowanceTerms.Settle.REFUND);
  }

  @Test
  void a_style_says_how_is_counted_and_not_how_much() {
    var style = CATALOGUE.style("openai");

    assertThat(style.termsOf(Dimension.TOKENS).charge())
        .isEqualTo(Charge.LARGER_OF_INPUT_AND_MOST_OUTPUT);
    assertThat(style.terms()).noneMatch(terms -> terms.limit().isPresent());
    assertThat(CATALOGUE.style("any")).isEqualTo(LaneProfile.UNKNOWN);
    assertThat(CATALOGUE.style("nobody")).isEqualTo(LaneProfile.UNKNOWN);
  }

  @ParameterizedTest
  @CsvSource({
    "anthropic, claude-opus-5-5-20260901, opus-5-5",
    "anthropic, claude-opus-5-20260101, opus-5",
    "anthropic, claude-sonnet-4-5, sonnet-4",
    "anthropic, claude-3-5-haiku-20241022, haiku-3-5",
    "anthropic, claude-2.1, claude-2.1",
    "openai, gpt-4o-mini-2024-07-18, gpt-4o-mini",
    "openai, gpt-4o-2024-08-06, gpt-4o",
    "openai, gpt-5-2025-08-07, gpt-5",
    "openai, gpt-5-20250807, gpt-5",
    "any, mixtral-8x7b, mixtral-8x7b",
    "nobody, m, m"
  })
  void a_model_belongs_to_the_class_with_the_longest_name(String style, String model, String name) {
    assertThat(CATALOGUE.modelClass(style, model)).isEqualTo(name);
  }

  @Test
  void a_user_adds_what_is_missing_and_corrects_what_is_wrong() throws IOException {
    var catalogue =
        with(
            "{'providers':{'my-llm':{'url':'http://localhost:8000/v1','style':'mine','auth':'api-key'},"
                + "'openai':{'url':'https://eu.api.openai.com'}},"
                + "'classes':{'mine':[{'name':'small','models':['s-']}]},"
                + "'profiles':{'mine':{'style':'mine','limits':[{'of':'requests','limit':7,'per':'second'}],"
                + "'limitsOf':{'small':[{'of':'in-flight','limit':3}]}}}}");

    var listing = catalogue.provider("my-llm").orElseThrow();
    assertThat(listing.url()).contains(URI.create("http://localhost:8000/v1"));
    assertThat(listing.dialect()).isEqualTo(Dialect.OPENAI);
    assertThat(listing.keyVariable()).isEqualTo("MY_LLM_API_KEY");
    assertThat(listing.baseUrlVariable()).isEqualTo("MY_LLM_BASE_URL");
    assertThat(listing.auth()).isEqualTo(Endpoint.Auth.API_KEY);
    assertThat(catalogue.provider("openai").orElseThrow().url())
        .contains(URI.create("https://eu.api.openai.com"));
    assertThat(catalogue.provider("anthropic")).isEqualTo(CATALOGUE.provider("anthropic"));
    assertThat(catalogue.modelClass("mine", "s-1")).isEqualTo("small");
    assertThat(limit(catalogue.profile("mine", ""), Dimension.REQUESTS.per(Duration.ofSeconds(1))))
        .isEqualTo(7);
    assertThat(catalogue.profile("mine", "small").inFlight()).hasValue(3);
    assertThat(CATALOGUE.providers()).doesNotContain("my-llm");
  }

  @Test
  void nothing_added_is_nothing_changed() throws IOException {
    for (var nothing : new String[] {"{}", "null", "{'profiles':null}", "{'batch':{'x':1}}"}) {
      assertThat(with(nothing).profiles()).isEqualTo(CATALOGUE.profiles());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'providers':{'x':{'dialect':'latin'}}}|a dialect is one of [ANTHROPIC, OPENAI], but was"
            + " latin",
        "{'providers':{'x':{'url':'no url'}}}|provider x has a url such as https://host/v1",
        "{'providers':{'x':{'url':'localhost:8000'}}}|provider x has a url such as https://host/v1",
        "{'providers':{'x':{'auth':'basic'}}}|the auth of provider x is api-key or not there",
        "{'providers':['x']}|providers are names with what they mean",
        "{'providers':{'x':'https://host'}}|providers.x has the wrong shape",
        "{'profiles':{'x':null}}|profiles.x has the wrong shape",
        "{'classes':{'x':{'name':'a'}}}|classes.x has the wrong shape",
        "{'profiles':{'x':{'limits':[{'of':'words','limit':1,'per':'minute'}]}}}|but was on 'words'"
            + " in profile x",
        "{'profiles':{'x':{'limits':[{'of':'requests','limit':1,'per':'week'}]}}}|but was per"
            + " 'week' in profile x",
        "{'profiles':{'x':{'limits':[{'of':'requests','limit':0,'per':'minute'}]}}}|a limit is a"
            + " whole number above 0 in profile x",
        "{'profiles':{'x':{'limits':[{'of':'requests','per':'minute'}]}}}|a limit is a whole number"
            + " above 0 in profile x",
        "{'profiles':{'x':{'limits':[{'of':'requests','limit':'ten','per':'minute'}]}}}|a limit is"
            + " a whole number above 0 in profile x",
        "{'profiles':{'x':{'limits':[{'of':'in-flight','limit':0}]}}}|a limit is a whole number"
            + " above 0 in profile x",
        "{'profiles':{'x':{'limits':[{'of':'requests','limit':9,'per':'minute','window':'soon'}]}}}|a"
            + " window is a time such as 10s",
        "{'profiles':{'x':{'limits':[{'of':'requests','limit':9,'per':'second','window':'10s'}]}}}|a"
            + " sub-window is at most its period",
        "{'profiles':{'x':{'limits':[{'of':'tokens','limit':9,'per':'minute','charge':'smaller'}]}}}|a"
            + " charge is one, input, nothing, larger, sum or longest",
        "{'profiles':{'x':{'limits':[{'of':'tokens','limit':9,'per':'minute','settle':'never'}]}}}|a"
            + " charge is settled by refund, keep or as-produced",
        "{'profiles':{'x':{'limitsOf':{'y':[{'of':'requests','limit':1,'per':'week'}]}}}}|but was"
            + " per 'week' in profile x"
      })
  void what_is_wrong_is_refused_at_once_with_the_rule_and_the_value(String json, String message) {
    assertThatThrownBy(() -> with(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void a_profile_that_nobody_knows_is_refused_with_those_that_there_are() {
    assertThatThrownBy(() -> CATALOGUE.profile("platinum", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("anthropic-tier1")
        .hasMessageContaining("but was platinum");
    assertThat(CATALOGUE.provider("nobody")).isEmpty();
  }

  @Test
  void what_headers_do_not_tell_is_listed() {
    var catalogue = ProviderCatalogue.read();
    assertThat(catalogue.untold("groq", ""))
        .containsExactlyInAnyOrder(
            Dimension.REQUESTS, Dimension.TOKENS.per(java.time.Duration.ofDays(1)));
    assertThat(catalogue.untold("anthropic-tier1", "sonnet-5")).isEmpty();
  }

  @Test
  void a_customer_starts_with_the_first_account_that_is_listed() {
    var catalogue = ProviderCatalogue.read();
    assertThat(catalogue.starting("anthropic")).contains("anthropic-start");
    assertThat(catalogue.starting("any")).isEmpty();
    assertThat(catalogue.latency("anthropic-start")).contains("800ms+12ms");
  }

  @Test
  void what_is_said_of_a_listed_provider_is_added_to_what_is_known() throws Exception {
    var additions =
        new com.fasterxml.jackson.databind.ObjectMapper()
            .readTree("{\"providers\":{\"anthropic\":{\"mode\":\"subscription\"}}}");
    var listing = ProviderCatalogue.read().with(additions).provider("anthropic").orElseThrow();
    assertThat(listing.mode()).isEqualTo("subscription");
    assertThat(listing.url()).isPresent();
    assertThat(ProviderCatalogue.read().provider("openai").orElseThrow().mode()).isEqualTo("api");
  }
}
