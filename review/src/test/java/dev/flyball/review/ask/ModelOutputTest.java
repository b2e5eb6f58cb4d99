package dev.flyball.review.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.llm.Dialect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ModelOutputTest {
  private static final String ANSWER =
      """
      {"reviewed":["a"],"findings":[],"needsMoreContext":[]}\
      """;

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A reply with a text, as each provider writes it. */
  private static ObjectNode reply(Dialect dialect, String text, String reason) {
    var reply = object();
    switch (dialect) {
      case ANTHROPIC -> {
        reply.putArray("content").addObject().put("type", "text").put("text", text);
        reply.put("stop_reason", reason);
      }
      case OPENAI -> {
        var choice = reply.putArray("choices").addObject().put("finish_reason", reason);
        choice.putObject("message").put("content", text).putNull("refusal");
      }
    }
    return reply;
  }

  private static ObjectNode tool(String input, String reason) {
    var reply = object().put("stop_reason", reason);
    var content = reply.putArray("content");
    content.addObject().put("type", "thinking").put("thinking", "{}");
    content.addObject().put("type", "text").put("text", "I hand in my review.");
    var use = content.addObject().put("type", "tool_use").put("name", ReviewRequest.TOOL);
    use.set("input", SampleUnits.json(input));
    return reply;
  }

  private static ModelOutput said(Dialect dialect, ObjectNode reply) {
    return said(dialect, reply.toString());
  }

  private static ModelOutput said(Dialect dialect, String body) {
    return ModelOutput.of(dialect, AnswerSchema.FINDINGS, body.getBytes(StandardCharsets.UTF_8));
  }

  private static ModelOutput text(Dialect dialect, String text) {
    return said(dialect, reply(dialect, text, dialect == Dialect.OPENAI ? "stop" : "end_turn"));
  }

  private static void assertWhole(ModelOutput said) {
    assertThat(said).isEqualTo(new ModelOutput.Parsed(SampleUnits.json(ANSWER)));
  }

  private static void assertNothing(ModelOutput said, ModelOutput.Flaw flaw, String text) {
    assertThat(said).isEqualTo(new ModelOutput.Unusable(flaw, text));
  }

  @Test
  void what_a_tool_is_handed_is_an_answer() {
    assertWhole(said(Dialect.ANTHROPIC, tool(ANSWER, "tool_use")));
  }

  @Test
  void of_two_tools_the_first_counts() {
    var reply = tool(ANSWER, "tool_use");
    var second = reply.withArray("content").addObject().put("type", "tool_use");
    second.set("input", SampleUnits.json("{\"reviewed\":[],\"findings\":[]}"));
    assertWhole(said(Dialect.ANTHROPIC, reply));
  }

  @ParameterizedTest
  @EnumSource
  void a_text_that_is_an_object_is_an_answer(Dialect dialect) {
    assertWhole(text(dialect, ANSWER));
    assertWhole(text(dialect, "\n\n  " + ANSWER + "\n"));
  }

  @ParameterizedTest
  @EnumSource
  void an_object_may_stand_in_prose_or_in_a_fence(Dialect dialect) {
    assertWhole(text(dialect, "Here it is: " + ANSWER + " I hope {this} helps."));
    assertWhole(text(dialect, "```json\n" + ANSWER + "\n```"));
    assertWhole(text(dialect, "The block {x} is odd.\r\n\r\n```json\r\n" + ANSWER + "\r\n```\r\n"));
    assertWhole(text(dialect, "{\"note\":\"first\"}\n" + ANSWER));
  }

  @ParameterizedTest
  @EnumSource
  void braces_and_quotes_in_strings_are_text(Dialect dialect) {
    var odd =
        """
        {"reviewed":["}{","\\"{"],"findings":[{"quote":"if (a) {\\n}"}],"more":"\\\\"}\
        """;
    assertThat(text(dialect, "So: " + odd + " }"))
        .isEqualTo(new ModelOutput.Parsed(SampleUnits.json(odd)));
  }

  @Test
  void a_text_in_several_blocks_is_one_text() {
    var reply = reply(Dialect.ANTHROPIC, ANSWER.substring(0, 20), "end_turn");
    var rest = reply.withArray("content").addObject().put("type", "text");
    rest.put("text", ANSWER.substring(20));
    assertWhole(said(Dialect.ANTHROPIC, reply));
  }

  @Test
  void what_was_cut_off_is_no_answer_even_if_it_looks_like_one() {
    assertNothing(
        said(Dialect.ANTHROPIC, reply(Dialect.ANTHROPIC, ANSWER, "max_tokens")),
        ModelOutput.Flaw.CUT_OFF,
        ANSWER);
    assertNothing(
        said(Dialect.ANTHROPIC, tool(ANSWER, "max_tokens")), ModelOutput.Flaw.CUT_OFF, ANSWER);
    assertNothing(
        said(Dialect.OPENAI, reply(Dialect.OPENAI, ANSWER, "length")),
        ModelOutput.Flaw.CUT_OFF,
        ANSWER);
  }

  @Test
  void a_refusal_is_no_answer() {
    assertNothing(
        said(Dialect.ANTHROPIC, reply(Dialect.ANTHROPIC, ANSWER, "refusal")),
        ModelOutput.Flaw.REFUSED,
        ANSWER);
    var reply = reply(Dialect.OPENAI, ANSWER, "stop");
    ((ObjectNode) reply.at("/choices/0/message")).put("refusal", "I cannot help with that.");
    assertNothing(
        said(Dialect.OPENAI, reply), ModelOutput.Flaw.REFUSED, "I cannot help with that.");
  }

  @Test
  void what_a_filter_took_away_is_no_answer() {
    assertNothing(
        said(Dialect.OPENAI, reply(Dialect.OPENAI, ANSWER, "content_filter")),
        ModelOutput.Flaw.FILTERED,
        ANSWER);
  }

  @Test
  void only_what_may_help_is_asked_again() {
    assertThat(ModelOutput.Flaw.values())
        .filteredOn(ModelOutput.Flaw::again)
        .containsExactly(
            ModelOutput.Flaw.CUT_OFF, ModelOutput.Flaw.GARBLED, ModelOutput.Flaw.NO_OBJECT);
  }

  @ParameterizedTest
  @EnumSource
  void garbled_bytes_are_no_answer(Dialect dialect) {
    for (var body : new String[] {"<html>502</html>", "{\"choices\":", "\u0000\u0001", "{]"}) {
      assertNothing(said(dialect, body), ModelOutput.Flaw.GARBLED, "");
    }
    var broken = new byte[] {'{', '"', (byte) 0xC3, '"', ':', (byte) 0xFF, '}'};
    assertNothing(
        ModelOutput.of(dialect, AnswerSchema.FINDINGS, broken), ModelOutput.Flaw.GARBLED, "");
    assertNothing(said(dialect, "[".repeat(100_000)), ModelOutput.Flaw.GARBLED, "");
  }

  @ParameterizedTest
  @EnumSource
  void a_reply_of_another_shape_is_no_answer(Dialect dialect) {
    for (var body : new String[] {"", "null", "7", "[]", "{}", "\"text\"", ANSWER}) {
      assertNothing(said(dialect, body), ModelOutput.Flaw.NO_OBJECT, "");
    }
    assertNothing(
        said(dialect, "{\"content\":[],\"choices\":[],\"stop_reason\":\"end_turn\"}"),
        ModelOutput.Flaw.NO_OBJECT,
        "");
    assertNothing(
        said(dialect, "{\"content\":null,\"choices\":[{\"message\":{\"content\":null}}]}"),
        ModelOutput.Flaw.NO_OBJECT,
        "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "It is fine.",
        "",
        "[]",
        "{}",
        "{\"findings\":[]}",
        "[{\"findings\":[]}]",
        "{\"reviewed\":[\"a\"],\"findings\":[",
        "{'reviewed':['a'],'findings':[]}",
        "{{{{\n{{\n{"
      })
  void a_text_without_the_object_is_no_answer(String text) {
    for (var dialect : Dialect.values()) {
      assertNothing(text(dialect, text), ModelOutput.Flaw.NO_OBJECT, text);
    }
  }

  @Test
  void each_form_has_a_field_of_its_own() {
    var body = reply(Dialect.OPENAI, "{\"settled\":[]}", "stop").toString();
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    assertThat(ModelOutput.of(Dialect.OPENAI, AnswerSchema.SETTLEMENT, bytes))
        .isInstanceOf(ModelOutput.Parsed.class);
    assertThat(ModelOutput.of(Dialect.OPENAI, AnswerSchema.SYMBOLS, bytes))
        .isInstanceOf(ModelOutput.Unusable.class);
  }

  /** In the pass across all parts no file can be missing: this would be "nothing found". */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"findings\":[]}", "{\"input\":{\"reviewed\":[]}}", "[]"})
  void a_tool_that_is_handed_something_else_has_no_answer(String input) {
    assertNothing(
        said(Dialect.ANTHROPIC, tool(input, "tool_use")),
        ModelOutput.Flaw.NO_OBJECT,
        SampleUnits.json(input).toString());
  }

  /** Models hand lists over as text at times; reading none from it would be "nothing found". */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"reviewed\":[\"a\"]}",
        "{\"reviewed\":[\"a\"],\"findings\":null}",
        "{\"reviewed\":[\"a\"],\"findings\":\"[{}]\"}",
        "{\"reviewed\":\"a\",\"findings\":[]}"
      })
  void an_answer_without_its_lists_is_none(String answer) {
    assertNothing(
        said(Dialect.ANTHROPIC, tool(answer, "tool_use")), ModelOutput.Flaw.NO_OBJECT, answer);
    assertNothing(text(Dialect.OPENAI, answer), ModelOutput.Flaw.NO_OBJECT, answer);
  }

  @Test
  void what_did_not_fit_into_the_context_is_cut_off() {
    assertNothing(
        said(Dialect.ANTHROPIC, tool(ANSWER, "model_context_window_exceeded")),
        ModelOutput.Flaw.CUT_OFF,
        ANSWER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\n",
        "\n{",
        "\n{\"a\":",
        "\n{\"a\"",
        "\n{\"a\":[",
        "{\"",
        "\n{}",
        "\n{\"a\":1}"
      })
  void megabytes_of_braces_do_not_take_long(String brace) {
    var text = brace.repeat((4 << 20) / brace.length());
    for (var dialect : Dialect.values()) {
      Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(40),
          () -> assertThat(text(dialect, text)).isInstanceOf(ModelOutput.Unusable.class));
    }
  }

  @Test
  void a_long_list_inside_many_objects_does_not_take_long() {
    var text = "\n{\"a\":".repeat(900) + "[" + "0,".repeat(1 << 20);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(40),
        () -> assertThat(text(Dialect.OPENAI, text)).isInstanceOf(ModelOutput.Unusable.class));
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_is_found_behind_a_lot_of_code(Dialect dialect) {
    assertWhole(text(dialect, "void f()\n{\n  go();\n}\n".repeat(2_000) + ANSWER));
  }
}
