package dev.flyball.review.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.ClaimMerge;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.source.SourceUnavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A second look at the grave findings of models: the leading model is shown the code and tries to
 * refute each, and says of two that are at one place whether they mean the same. What it does not
 * answer stays as it is.
 */
public final class SecondLook {
  private static final String RULES = rules();

  /** How many findings are looked at in one call, at most. */
  public static final int CLAIMS_OF_A_CALL = 8;

  private static final int AROUND = 25;
  private static final int CHARACTERS_OF_A_TOKEN = 3;
  private static final long OUTPUT_OF_ONE = 60;

  /**
   * What came of it.
   *
   * @param findings all of them, those that were refuted marked as such
   * @param looked at how many
   * @param pairs how many were held against each other
   * @param failed why some were not looked at, if so
   */
  public record Seen(List<Finding> findings, int looked, int pairs, Optional<String> failed) {
    public Seen {
      findings = List.copyOf(findings);
    }

    public long refuted() {
      return findings.stream().filter(finding -> finding.refuted().isPresent()).count();
    }
  }

  private final ModelClient client;
  private final AnswerJournal journal;
  private final Function<Place.Lines, Optional<SourceText>> texts;
  private final Set<String> models;
  private final long most;

  /**
   * Through a client.
   *
   * @param texts the text that a place counts its lines in, as far as it is at hand
   * @param models whose findings are looked at: what a check found needs no second look
   * @param most tokens that an answer may have
   */
  public SecondLook(
      ModelClient client,
      AnswerJournal journal,
      Function<Place.Lines, Optional<SourceText>> texts,
      Set<String> models,
      long most) {
    this.client = client;
    this.journal = journal;
    this.texts = texts;
    this.models = Set.copyOf(models);
    this.most = most;
  }

  /** Two findings at one place that may mean the same. */
  private record Pair(Finding one, Finding other) {}

  /** Looks at those that are grave enough. */
  public Seen at(List<Finding> findings)
      throws IOException, SourceUnavailable, InterruptedException {
    var grave = findings.stream().filter(this::isGrave).toList();
    var open = new ArrayList<>(grave);
    Map<String, Finding> now = new LinkedHashMap<>();
    findings.forEach(finding -> now.put(finding.id(), finding));
    Optional<String> failed = Optional.empty();
    int pairs = 0;
    while (!open.isEmpty()) {
      var some = batch(open);
      open.removeAll(some);
      var both = pairs(some);
      pairs += both.size();
      var unit = unit(some, both);
      switch (answer(unit)) {
        case ModelClient.Heard.Came(ModelOutput.Parsed(var object)) ->
            apply(object, some, both, now);
        case ModelClient.Heard.Came(ModelOutput.Unusable nothing) ->
            failed = Optional.of(nothing.why());
        case ModelClient.Heard.Failed(var cause, var why) -> failed = Optional.of(why);
      }
    }
    return new Seen(List.copyOf(now.values()), grave.size(), pairs, failed);
  }

  private boolean isGrave(Finding finding) {
    return finding.severity().atLeast(Severity.MAJOR)
        && !finding.baseline()
        && finding.claim().sources().stream()
            .allMatch(source -> models.contains(source.replaceFirst(" #\\d+$", "")));
  }

  /** As many as fit into one question; those at one place go together. */
  private static List<Finding> batch(List<Finding> open) {
    var some = new ArrayList<Finding>();
    some.add(open.getFirst());
    for (var finding : open) {
      if (some.size() < CLAIMS_OF_A_CALL
          && !some.contains(finding)
          && some.stream().anyMatch(it -> it.place().isNear(finding.place()))) {
        some.add(finding);
      }
    }
    for (var finding : open) {
      if (some.size() < CLAIMS_OF_A_CALL && !some.contains(finding)) {
        some.add(finding);
      }
    }
    return some;
  }

  private static List<Pair> pairs(List<Finding> some) {
    var pairs = new ArrayList<Pair>();
    for (int i = 0; i < some.size(); i++) {
      for (int j = i + 1; j < some.size(); j++) {
        if (ClaimMerge.isDoubtful(some.get(i).claim(), some.get(j).claim())) {
          pairs.add(new Pair(some.get(i), some.get(j)));
        }
      }
    }
    return pairs;
  }

  private ModelClient.Heard answer(Unit unit)
      throws IOException, SourceUnavailable, InterruptedException {
    var key = client.key(unit, AnswerSchema.SECOND_LOOK);
    var before = journal.answer(key);
    if (before.isPresent()) {
      return new ModelClient.Heard.Came(new ModelOutput.Parsed(before.get()));
    }
    var heard = client.ask(unit, AnswerSchema.SECOND_LOOK, Optional.of(key), Optional.empty());
    if (heard instanceof ModelClient.Heard.Came(ModelOutput.Parsed(var object))) {
      journal.keep(key, unit.key(), object);
    }
    return heard;
  }

  private Unit unit(List<Finding> some, List<Pair> pairs) {
    var material = new StringBuilder();
    for (int i = 0; i < some.size(); i++) {
      claim(i + 1, some.get(i).claim(), material);
    }
    for (int i = 0; i < pairs.size(); i++) {
      material
          .append("pair ")
          .append(i + 1)
          .append(": claims ")
          .append(some.indexOf(pairs.get(i).one()) + 1)
          .append(" and ")
          .append(some.indexOf(pairs.get(i).other()) + 1)
          .append('\n');
    }
    code(some, material);
    long input = (long) (RULES.length() + material.length()) / CHARACTERS_OF_A_TOKEN;
    long output = Math.min(most, OUTPUT_OF_ONE * (1 + some.size() + pairs.size()));
    return new Unit(
        "second-look " + some.getFirst().id(),
        List.of(),
        Tier.LEAD,
        RULES,
        "",
        List.of(),
        List.of(),
        material.toString(),
        "Check each claim" + (pairs.isEmpty() ? "." : ", and each pair."),
        new Unit.UnitSize(input, 0, output, most),
        1);
  }

  private static void claim(int number, Claim claim, StringBuilder material) {
    material.append("claim ").append(number).append(" (").append(claim.severity());
    if (claim.place() instanceof Place.Lines lines) {
      material.append(", ").append(PromptText.name(lines.path()));
      material.append(" line ").append(lines.line());
    }
    material.append("): ").append(PromptText.line(claim.title())).append(". ");
    material.append(PromptText.line(claim.message())).append('\n');
  }

  /** The code around all of them, of each file once and in its order. */
  private void code(List<Finding> some, StringBuilder material) {
    var byFile = new LinkedHashMap<String, List<Place.Lines>>();
    for (var finding : some) {
      if (finding.place() instanceof Place.Lines lines) {
        byFile
            .computeIfAbsent(lines.path() + " " + lines.side(), file -> new ArrayList<>())
            .add(lines);
      }
    }
    for (var places : byFile.values()) {
      var one = places.getFirst();
      var text = texts.apply(one);
      if (text.isEmpty()) {
        continue;
      }
      var shown = new BitSet();
      for (var lines : places) {
        int last = Math.min(text.get().lines(), lines.endLine() + AROUND);
        int first = Math.max(1, lines.line() - AROUND);
        if (first <= last) {
          shown.set(first, last + 1);
        }
      }
      material.append("code of ").append(PromptText.name(one.path()));
      material.append(one.side() == DiffSide.LEFT ? " as it was before the change:\n" : ":\n");
      int before = 0;
      for (int i = shown.nextSetBit(1); i > 0; i = shown.nextSetBit(i + 1)) {
        material.append(before > 0 && before + 1 < i ? "...\n" : "");
        material.append(i).append('|').append(PromptText.line(text.get().line(i))).append('\n');
        before = i;
      }
    }
  }

  private void apply(
      JsonNode object, List<Finding> some, List<Pair> pairs, Map<String, Finding> now) {
    for (var entry : object.path("checked")) {
      int number = entry.path("number").asInt(0);
      if (number >= 1
          && number <= some.size()
          && entry.path("verdict").asText("").equals("refuted")) {
        var why = entry.path("reason").asText("").strip();
        now.computeIfPresent(
            some.get(number - 1).id(),
            (id, finding) -> finding.refuted(why.isEmpty() ? "no reason was given" : why));
      }
    }
    for (var entry : object.path("pairs")) {
      int number = entry.path("number").asInt(0);
      if (number >= 1 && number <= pairs.size() && entry.path("same").asBoolean(false)) {
        join(pairs.get(number - 1), now);
      }
    }
  }

  private static void join(Pair pair, Map<String, Finding> now) {
    var one = now.get(pair.one().id());
    var other = now.get(pair.other().id());
    if (one != null && other != null) {
      now.put(one.id(), one.with(other.claim()));
      now.remove(other.id());
    }
  }

  private static String rules() {
    try (var in = SecondLook.class.getResourceAsStream("second-look.md")) {
      return new String(
          Objects.requireNonNull(in, "second-look.md is missing").readAllBytes(),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
