package dev.flyball.review.ask;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.plan.Unit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The JSON schema that an answer is held to. */
enum AnswerSchema {
  /** The files that were looked at, and what is wrong with them. */
  FINDINGS("findings.json"),
  /** Of each symbol a word. */
  SYMBOLS("symbols.json"),
  /** Of each contradiction, what holds. */
  SETTLEMENT("settlement.json"),
  /** Of each claim, whether it holds. */
  SECOND_LOOK("second-look.json");

  private final String schema;

  AnswerSchema(String schema) {
    this.schema = read(schema);
  }

  /** What a unit is answered in. */
  static AnswerSchema of(Unit unit) {
    return !unit.lenses().isEmpty() && unit.lenses().getFirst().reply() == Lens.Reply.SYMBOLS
        ? SYMBOLS
        : FINDINGS;
  }

  /** What providers hold an answer to. */
  JsonNode schema() {
    try {
      return new ObjectMapper().readTree(schema);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a schema is JSON", e);
    }
  }

  /** Whether something is an answer of this form: it has all the lists that such a one has. */
  boolean isOf(JsonNode answer) {
    return switch (this) {
      case FINDINGS -> answer.path("reviewed").isArray() && answer.path("findings").isArray();
      case SYMBOLS -> answer.path("reviewed").isArray();
      case SETTLEMENT -> answer.path("settled").isArray();
      case SECOND_LOOK -> answer.path("checked").isArray();
    };
  }

  private static String read(String name) {
    try (var in = AnswerSchema.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(in, name + " is missing").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
