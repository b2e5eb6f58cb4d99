package dev.flyball.review.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.plan.Excerpt;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.review.symbol.Symbol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The answer of a model to a unit, held against what it was shown.
 *
 * @param claims those whose quotes are found in what was shown
 * @param missing files, or symbols of files, that it was asked about and did not look at
 * @param lost how many findings were dropped because their quotes are nowhere
 * @param wanted files that it would have to see to judge
 */
record UnitResult(List<Claim> claims, List<String> missing, int lost, List<String> wanted) {
  private static final double USUAL_CONFIDENCE = 0.7;
  private static final int LONGEST_TITLE = 200;

  UnitResult {
    claims = List.copyOf(claims);
    missing = List.copyOf(missing);
    wanted = List.copyOf(wanted);
  }

  static UnitResult of(Unit unit, JsonNode said, Subject subject, String source)
      throws SourceUnavailable {
    Map<String, QuoteLocator> shown = new HashMap<>();
    for (var path : unit.files()) {
      var excerpts = unit.judged().stream().filter(it -> it.path().equals(path)).toList();
      shown.put(path, QuoteLocator.of(path, excerpts, subject));
    }
    return AnswerSchema.of(unit) == AnswerSchema.SYMBOLS
        ? symbols(unit, said, shown, source)
        : findings(unit, said, shown, source);
  }

  private static UnitResult findings(
      Unit unit, JsonNode said, Map<String, QuoteLocator> shown, String source) {
    Set<String> reviewed = new LinkedHashSet<>();
    said.path("reviewed")
        .forEach(path -> reviewed.add(PromptText.meant(path.asText(), unit.files())));
    var missing = unit.files().stream().filter(path -> !reviewed.contains(path)).toList();
    var claims = new ArrayList<Claim>();
    int lost = 0;
    for (var finding : said.path("findings")) {
      var claim = claim(unit, finding, shown, source);
      claim.ifPresent(claims::add);
      lost += claim.isEmpty() ? 1 : 0;
    }
    return new UnitResult(claims, missing, lost, words(said.path("needsMoreContext")));
  }

  private static Optional<Claim> claim(
      Unit unit, JsonNode finding, Map<String, QuoteLocator> shown, String source) {
    var lens = lens(unit, finding.path("lens").asText(""));
    var title = finding.path("title").asText("").strip();
    var message = finding.path("message").asText("").strip();
    if (title.isEmpty() && message.isEmpty()) {
      return Optional.empty();
    }
    return place(finding, shown, unit)
        .map(
            place ->
                new Claim(
                    lens,
                    place,
                    Severity.of(finding.path("severity").asText("")).orElse(Severity.MINOR),
                    Category.of(finding.path("category").asText(lens)),
                    List.of(lens),
                    cut(title.isEmpty() ? message : title),
                    message.isEmpty() ? title : message,
                    text(finding.path("suggestion")),
                    text(finding.path("quote")),
                    List.of(source),
                    confidence(finding)));
  }

  private static Optional<Place> place(
      JsonNode finding, Map<String, QuoteLocator> shown, Unit unit) {
    var file = finding.path("file").asText("");
    var quote = finding.path("quote").asText("");
    if (unit.lenses().isEmpty() && quote.isBlank()) {
      // Across all parts there may be no one line that it is about.
      return Optional.of(new Place.Whole());
    }
    return Optional.ofNullable(shown.get(PromptText.meant(file, unit.files())))
        .flatMap(lines -> lines.find(quote, line(finding)))
        .map(it -> it);
  }

  /** The line that a quote is said to begin in. */
  private static OptionalInt line(JsonNode node) {
    int line = node.path("line").asInt(0);
    return line > 0 ? OptionalInt.of(line) : OptionalInt.empty();
  }

  /** The lens that a finding names, if it was asked; else the first that was. */
  private static String lens(Unit unit, String name) {
    if (unit.lenses().isEmpty()) {
      return "across";
    }
    return unit.lenses().stream()
        .map(Lens::name)
        .filter(name::equals)
        .findFirst()
        .orElse(unit.lenses().getFirst().name());
  }

  private static UnitResult symbols(
      Unit unit, JsonNode said, Map<String, QuoteLocator> shown, String source) {
    var symbols =
        unit.excerpts().stream()
            .flatMap(excerpt -> excerpt.symbols().stream())
            .map(Symbol::path)
            .collect(Collectors.toSet());
    Map<String, List<JsonNode>> answers = new HashMap<>();
    for (var answer : said.path("reviewed")) {
      var file = PromptText.meant(answer.path("file").asText(""), unit.files());
      var name = name(file, PromptText.meant(answer.path("symbol").asText(""), symbols));
      if (rating(answer).isPresent()) {
        answers.computeIfAbsent(name, key -> new ArrayList<>()).add(answer);
      }
    }
    Map<String, Integer> left = new HashMap<>();
    for (var excerpt : unit.excerpts()) {
      excerpt.symbols().forEach(it -> left.merge(name(excerpt.path(), it.path()), 1, Integer::sum));
    }
    var lens = unit.lenses().getFirst().name();
    var claims = new ArrayList<Claim>();
    var missing = new ArrayList<String>();
    for (Excerpt excerpt : unit.excerpts()) {
      for (var symbol : excerpt.symbols()) {
        var name = name(excerpt.path(), symbol.path());
        // Symbols of one name are answered in their order; one word for several is for all of them,
        // and the last has what is left.
        var all = answers.getOrDefault(name, List.of());
        int others = left.merge(name, -1, Integer::sum);
        var mine = others == 0 || all.size() < 2 ? all : all.subList(0, 1);
        answers.put(name, all.size() < 2 ? all : all.subList(mine.size(), all.size()));
        if (mine.isEmpty()) {
          missing.add(name);
        }
        for (var answer : mine) {
          rating(answer)
              .flatMap(SymbolRating::meaning)
              .map(wrong -> claim(wrong, symbol, answer, lens, excerpt.path(), shown, source))
              .ifPresent(claims::add);
        }
      }
    }
    return new UnitResult(claims, missing, 0, words(said.path("needsMoreContext")));
  }

  private static Optional<SymbolRating> rating(JsonNode answer) {
    return SymbolRating.of(answer.path("answer").asText(""));
  }

  private static Claim claim(
      SymbolRating.Meaning wrong,
      Symbol symbol,
      JsonNode answer,
      String lens,
      String path,
      Map<String, QuoteLocator> shown,
      String source) {
    var found =
        Optional.ofNullable(shown.get(path))
            .flatMap(lines -> lines.find(answer.path("quote").asText(""), line(answer)));
    var title = symbol.path() + " " + wrong.title();
    return new Claim(
        lens,
        found.orElseGet(
            () -> new Place.Lines(path, symbol.line(), 1, symbol.line(), 1, DiffSide.RIGHT)),
        wrong.severity(),
        wrong.category(),
        List.of(lens),
        title,
        text(answer.path("detail")).orElse(title + "."),
        text(answer.path("suggestion")),
        text(answer.path("quote")),
        List.of(source),
        confidence(answer));
  }

  private static String name(String path, String symbol) {
    return path + "#" + symbol;
  }

  private static List<String> words(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).filter(word -> !word.isBlank()).toList();
  }

  private static Optional<String> text(JsonNode node) {
    return node.isTextual() && !node.asText().isBlank()
        ? Optional.of(node.asText())
        : Optional.empty();
  }

  private static double confidence(JsonNode node) {
    double said = node.path("confidence").asDouble(USUAL_CONFIDENCE);
    // Some say it in hundredths; what is only a little above 1 is sure and no hundredth.
    double part = said >= 2 ? said / 100 : said;
    return Double.isNaN(part) ? USUAL_CONFIDENCE : Math.clamp(part, 0, 1);
  }

  private static String cut(String title) {
    var line = title.lines().findFirst().orElse(title);
    if (line.length() <= LONGEST_TITLE) {
      return line;
    }
    boolean split = Character.isHighSurrogate(line.charAt(LONGEST_TITLE - 1));
    return line.substring(0, split ? LONGEST_TITLE - 1 : LONGEST_TITLE);
  }
}
