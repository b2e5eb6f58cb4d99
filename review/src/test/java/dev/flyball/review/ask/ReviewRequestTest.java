package dev.flyball.review.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Endpoint;
import dev.flyball.llm.HttpConnections;
import dev.flyball.llm.Timeouts;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.plan.UnitMaterial;
import dev.flyball.run.Destination;
import dev.flyball.run.KeyLanes;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReviewRequestTest {
  private static final UnitMaterial MATERIAL =
      new UnitMaterial("=====1 review a lines 1 to 2\n1|int a;\n=====1 end\n", "# The question\n");

  private final HttpConnections http =
      HttpConnections.of(Timeouts.USUAL, InstantSource.system(), Map.of());

  @AfterEach
  void close() {
    http.close();
  }

  private Reviewer reviewer(Dialect dialect, String model, boolean forms) {
    return reviewer(dialect, model, forms, Optional.empty());
  }

  private Reviewer reviewer(
      Dialect dialect, String model, boolean forms, Optional<ModelEffort> effort) {
    var endpoint =
        new Endpoint(
            "test",
            URI.create("http://localhost:1"),
            Endpoint.Auth.BY_DIALECT,
            Optional.empty(),
            Map.of(),
            false);
    return new Reviewer(
        new KeyLanes(new Destination("test", "test", List.of(http.provider(endpoint))), model),
        dialect,
        false,
        model,
        forms,
        Optional.empty(),
        effort);
  }

  private static JsonNode request(
      Reviewer to, int sample, Optional<ReviewRequest.Earlier> earlier) {
    var unit =
        SampleUnits.unit(
            List.of(SampleUnits.lens("security", Lens.Reply.FINDINGS)),
            List.of(SampleUnits.lines("a", 1, 2)),
            sample);
    return SampleUnits.json(
        new String(
            ReviewRequest.of(unit, AnswerSchema.FINDINGS, MATERIAL, to, earlier),
            StandardCharsets.UTF_8));
  }

  private JsonNode request(Dialect dialect, String model) {
    return request(reviewer(dialect, model, true), 1, Optional.empty());
  }

  @Test
  void the_code_stands_before_the_question_in_a_part_of_its_own() {
    var anthropic = request(Dialect.ANTHROPIC, "claude-haiku-4-5");
    assertThat(anthropic.path("system").asText()).isEqualTo(SampleUnits.RULES);
    assertThat(anthropic.at("/messages/0/role").asText()).isEqualTo("user");
    assertThat(anthropic.at("/messages/0/content/0/text").asText()).isEqualTo(MATERIAL.shared());
    assertThat(anthropic.at("/messages/0/content/1/text").asText()).isEqualTo(MATERIAL.own());
    // OpenAI caches what stands first by itself.
    var openAi = request(Dialect.OPENAI, "gpt-4o");
    assertThat(openAi.at("/messages/0/role").asText()).isEqualTo("system");
    assertThat(openAi.at("/messages/0/content").asText()).isEqualTo(SampleUnits.RULES);
    assertThat(openAi.at("/messages/1/role").asText()).isEqualTo("user");
    assertThat(openAi.at("/messages/1/content").asText()).isEqualTo(MATERIAL.text());
  }

  @Test
  void a_model_that_thinks_is_told_how_much_in_the_words_of_its_provider() {
    var effort = Optional.of(ModelEffort.HIGH);
    var adaptive =
        request(reviewer(Dialect.ANTHROPIC, "claude-sonnet-5", true, effort), 1, Optional.empty());
    assertThat(adaptive.at("/thinking/type").asText()).isEqualTo("adaptive");
    assertThat(adaptive.at("/output_config/effort").asText()).isEqualTo("high");
    // Who must call a tool may not think before.
    assertThat(adaptive.at("/tool_choice/type").asText()).isEqualTo("auto");
    var older =
        request(reviewer(Dialect.ANTHROPIC, "claude-haiku-4-5", true, effort), 1, Optional.empty());
    assertThat(older.at("/thinking/budget_tokens").asInt()).isEqualTo(2_000);
    assertThat(older.has("temperature")).isFalse();
    var openAi = request(reviewer(Dialect.OPENAI, "gpt-5", true, effort), 1, Optional.empty());
    assertThat(openAi.path("reasoning_effort").asText()).isEqualTo("high");
    var plain = request(reviewer(Dialect.OPENAI, "gpt-4o", true, effort), 1, Optional.empty());
    assertThat(plain.has("reasoning_effort")).isFalse();
  }

  @Test
  void an_answer_is_asked_for_as_the_input_of_a_tool() {
    var request = request(Dialect.ANTHROPIC, "claude-haiku-4-5");
    assertThat(request.path("tools")).hasSize(1);
    assertThat(request.at("/tools/0/name").asText()).isEqualTo(ReviewRequest.TOOL);
    assertThat(request.at("/tools/0/input_schema")).isEqualTo(AnswerSchema.FINDINGS.schema());
    assertThat(request.at("/tool_choice/name").asText()).isEqualTo(ReviewRequest.TOOL);
    assertThat(request.has("response_format")).isFalse();
  }

  @Test
  void an_answer_is_held_to_a_schema_only_where_the_reviewer_has_forms() {
    var held = request(reviewer(Dialect.OPENAI, "gpt-4o", true), 1, Optional.empty());
    assertThat(held.at("/response_format/type").asText()).isEqualTo("json_schema");
    assertThat(held.at("/response_format/json_schema/strict").asBoolean()).isTrue();
    assertThat(held.at("/response_format/json_schema/schema"))
        .isEqualTo(AnswerSchema.FINDINGS.schema());
    var free = request(reviewer(Dialect.OPENAI, "llama", false), 1, Optional.empty());
    assertThat(free.has("response_format")).isFalse();
    assertThat(free.has("tools")).isFalse();
  }

  /** What OpenAI takes as strict: each field of an object is required, and there are no others. */
  @ParameterizedTest
  @EnumSource
  void a_schema_is_strict(AnswerSchema schema) {
    assertStrict(schema.schema());
  }

  private static void assertStrict(JsonNode schema) {
    if (schema.path("type").asText().equals("object")) {
      assertThat(schema.path("additionalProperties").asBoolean(true)).isFalse();
      assertThat(schema.path("required").valueStream().map(JsonNode::asText))
          .containsExactlyInAnyOrderElementsOf(
              schema.path("properties").properties().stream().map(Map.Entry::getKey).toList());
    }
    schema.forEach(ReviewRequestTest::assertStrict);
  }

  @Test
  void the_first_sample_has_no_temperature_and_the_second_a_little() {
    for (var dialect : Dialect.values()) {
      var to = reviewer(dialect, "some-model", true);
      assertThat(request(to, 1, Optional.empty()).path("temperature").asDouble(-1)).isZero();
      assertThat(request(to, 2, Optional.empty()).path("temperature").asDouble(-1)).isEqualTo(0.3);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "o1",
        "o3-mini",
        "o4-mini-2025-04-16",
        "gpt-5",
        "gpt-5-mini",
        "openai/gpt-5.1",
        "openai/o3",
        "claude-opus-5",
        "claude-sonnet-5-20270101",
        "anthropic/claude-haiku-6"
      })
  void models_that_think_are_given_no_temperature(String model) {
    for (var dialect : Dialect.values()) {
      var to = reviewer(dialect, model, true);
      assertThat(request(to, 1, Optional.empty()).has("temperature")).isFalse();
      assertThat(request(to, 2, Optional.empty()).has("temperature")).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpt-4o",
        "gpt-4.1-mini",
        "claude-haiku-4-5",
        "claude-opus-4-5",
        "claude-3-5-sonnet",
        "olmo",
        "foo1-bar",
        "llama-3",
        "o10x"
      })
  void other_models_are_given_one(String model) {
    assertThat(request(Dialect.OPENAI, model).has("temperature")).isTrue();
  }

  @Test
  void an_answer_has_at_most_the_tokens_of_its_unit() {
    assertThat(request(Dialect.ANTHROPIC, "claude-haiku-4-5").path("max_tokens").asInt())
        .isEqualTo(4_000);
    var newer = request(Dialect.OPENAI, "gpt-4o");
    assertThat(newer.path("max_completion_tokens").asInt()).isEqualTo(4_000);
    assertThat(newer.has("max_tokens")).isFalse();
    var older = request(reviewer(Dialect.OPENAI, "llama", false), 1, Optional.empty());
    assertThat(older.path("max_tokens").asInt()).isEqualTo(4_000);
    assertThat(older.has("max_completion_tokens")).isFalse();
  }

  @Test
  void a_repair_carries_the_first_answer_and_why_it_was_of_no_use() {
    var earlier = new ReviewRequest.Earlier("{\"half\": \"100%s\n", "it has no JSON object");
    for (var dialect : Dialect.values()) {
      var to = reviewer(dialect, "some-model", true);
      var request = request(to, 1, Optional.of(earlier));
      var said =
          dialect == Dialect.OPENAI
              ? request.at("/messages/1/content").asText()
              : request.at("/messages/0/content/1/text").asText();
      assertThat(said)
          .contains(MATERIAL.own())
          .contains(earlier.answer(), "could not be used: it has no JSON object.");
    }
  }

  @Test
  void each_dialect_has_its_path() {
    assertThat(ReviewRequest.path(Dialect.ANTHROPIC)).isEqualTo("/v1/messages");
    assertThat(ReviewRequest.path(Dialect.OPENAI)).isEqualTo("/v1/chat/completions");
  }
}
