package dev.flyball.review.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.source.SourceUnavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Has the leading model say, in one call, which of two contradicting findings holds. What it does
 * not answer stays a contradiction.
 */
public final class Deliberation {
  private static final String QUESTION = question();
  private static final int MOST = 20;
  private static final int AROUND = 8;
  private static final int CHARACTERS_OF_A_TOKEN = 3;
  private static final long OUTPUT_OF_ONE = 120;

  /**
   * What came of it.
   *
   * @param failed why nothing was settled, if so
   */
  public record Settled(List<Contradiction> contradictions, Optional<String> failed) {
    public Settled {
      contradictions = List.copyOf(contradictions);
    }
  }

  private final ModelClient client;
  private final AnswerJournal journal;
  private final long most;

  /**
   * Through a client.
   *
   * @param most tokens that an answer may have
   */
  public Deliberation(ModelClient client, AnswerJournal journal, long most) {
    this.client = client;
    this.journal = journal;
    this.most = most;
  }

  /**
   * Asks about the first of them, as many as fit into one question.
   *
   * @param texts the text that a place counts its lines in, as far as it is at hand
   */
  public Settled on(
      List<Contradiction> contradictions, Function<Place.Lines, Optional<SourceText>> texts)
      throws IOException, SourceUnavailable, InterruptedException {
    if (contradictions.isEmpty()) {
      return new Settled(contradictions, Optional.empty());
    }
    var unit = unit(contradictions.stream().limit(MOST).toList(), texts);
    var key = client.key(unit, AnswerSchema.SETTLEMENT);
    var before = journal.answer(key);
    if (before.isPresent()) {
      return settled(contradictions, before.get(), client.source(unit));
    }
    return switch (client.ask(unit, AnswerSchema.SETTLEMENT, Optional.of(key), Optional.empty())) {
      case ModelClient.Heard.Came(ModelOutput.Parsed(var object)) -> {
        journal.keep(key, unit.key(), object);
        yield settled(contradictions, object, client.source(unit));
      }
      case ModelClient.Heard.Came(ModelOutput.Unusable nothing) ->
          new Settled(contradictions, Optional.of(nothing.why()));
      case ModelClient.Heard.Failed(var cause, var why) ->
          new Settled(contradictions, Optional.of(why));
    };
  }

  private Unit unit(
      List<Contradiction> contradictions, Function<Place.Lines, Optional<SourceText>> texts) {
    var material = new StringBuilder();
    for (int i = 0; i < contradictions.size(); i++) {
      var pair = contradictions.get(i);
      material.append("Pair ").append(i + 1).append('\n');
      claim("first", pair.one().claim(), material);
      claim("second", pair.other().claim(), material);
      if (pair.one().place() instanceof Place.Lines lines) {
        texts.apply(lines).ifPresent(text -> code(lines, text, material));
      }
    }
    long prefix = (long) QUESTION.length() / CHARACTERS_OF_A_TOKEN;
    return new Unit(
        "deliberation",
        List.of(),
        Tier.LEAD,
        QUESTION,
        "",
        List.of(),
        List.of(),
        material.toString(),
        "Decide each pair.",
        new Unit.UnitSize(
            prefix + (long) material.length() / CHARACTERS_OF_A_TOKEN,
            0,
            Math.min(most, OUTPUT_OF_ONE * contradictions.size()),
            most),
        1);
  }

  private static void claim(String which, Claim claim, StringBuilder material) {
    material.append(which).append(" (").append(String.join(", ", claim.lenses())).append(", ");
    material
        .append(claim.severity())
        .append("): ")
        .append(PromptText.line(claim.title()))
        .append(". ");
    material.append(PromptText.line(claim.message())).append('\n');
    claim
        .suggestion()
        .ifPresent(
            advice -> material.append("  advice: ").append(PromptText.line(advice)).append('\n'));
  }

  private static void code(Place.Lines lines, SourceText text, StringBuilder material) {
    int last = Math.min(text.lines(), lines.endLine() + AROUND);
    material.append("code of ").append(PromptText.name(lines.path())).append(":\n");
    for (int i = Math.max(1, lines.line() - AROUND); i <= last; i++) {
      material
          .append("  ")
          .append(i)
          .append(": ")
          .append(PromptText.line(text.line(i)))
          .append('\n');
    }
  }

  private static Settled settled(
      List<Contradiction> contradictions, JsonNode object, String source) {
    var all = new ArrayList<>(contradictions);
    for (var entry : object.path("settled")) {
      int number = entry.path("number").asInt(0);
      var holds = Contradiction.Holds.of(entry.path("holds").asText(""));
      if (number >= 1 && number <= Math.min(MOST, all.size()) && holds.isPresent()) {
        var settlement =
            new Contradiction.Settlement(
                holds.get(), entry.path("reason").asText("").strip(), source);
        all.set(number - 1, all.get(number - 1).settled(settlement));
      }
    }
    return new Settled(all, Optional.empty());
  }

  private static String question() {
    try (var in = Deliberation.class.getResourceAsStream("deliberate.md")) {
      return new String(
          Objects.requireNonNull(in, "deliberate.md is missing").readAllBytes(),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
