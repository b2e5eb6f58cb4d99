package dev.flyball.review.ask;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.plan.Excerpt;
import dev.flyball.review.plan.TierTokens;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.select.Subject;
import dev.flyball.review.symbol.Symbol;
import dev.flyball.review.symbol.SymbolKind;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Units, and what they are about, to try things on. */
final class SampleUnits {
  static final String QUESTION = "What is wrong with this code?";
  static final String RULES = "Be fair.";
  private static final ObjectMapper JSON = new ObjectMapper();

  private SampleUnits() {}

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static Lens lens(String name, Lens.Reply reply) {
    return new Lens(
        name,
        "Is it right?",
        "Look at it.",
        1,
        true,
        Tier.DEEP,
        10,
        Set.of(),
        false,
        reply,
        new Lens.Reach(
            Set.of(Lens.SubjectKind.CHANGE, Lens.SubjectKind.REPOSITORY),
            true,
            List.of(),
            true,
            false));
  }

  /** A unit of lenses that ask for findings; across all parts if there are none. */
  static Unit unit(List<String> lenses, Excerpt... excerpts) {
    return unit(
        lenses.stream().map(name -> lens(name, Lens.Reply.FINDINGS)).toList(),
        List.of(excerpts),
        1);
  }

  static Unit unit(List<Lens> lenses, List<Excerpt> excerpts, int sample) {
    return new Unit(
        "unit",
        lenses,
        Tier.DEEP,
        RULES,
        "",
        excerpts,
        List.of(),
        "",
        QUESTION,
        new Unit.UnitSize(900, 100, 250, 4_000),
        sample);
  }

  /** Lines of a file as it is. */
  static Excerpt lines(String path, int line, int endLine, Symbol... symbols) {
    return new Excerpt(
        path,
        line,
        endLine,
        new TierTokens(50, 50),
        List.of(symbols),
        path + ":" + line + "-" + endLine,
        Optional.empty(),
        false);
  }

  /** What is shown of a changed file. */
  static Excerpt change(String path, String text) {
    return new Excerpt(
        path, 1, 99, new TierTokens(50, 50), List.of(), "print", Optional.of(text), false);
  }

  static Symbol symbol(String name, int line) {
    return new Symbol(
        name, SymbolKind.METHOD, false, line, line + 1, "Main", false, false, Optional.empty());
  }

  static Subject folder(Path folder, String path, String text) throws Exception {
    Files.createDirectories(folder.resolve(path).getParent());
    Files.writeString(folder.resolve(path), text);
    return Subject.folder(folder);
  }

  static Subject patch(Path folder, String patch) throws Exception {
    return Subject.patch(
        "patch", new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)), folder);
  }
}
