package dev.flyball.review.plan;

import dev.flyball.llm.Tokens;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How long texts are to the models that will be asked.
 *
 * @param deep the model for lenses that need thought
 * @param fast the one for the others
 */
public record Measure(Tokens tokens, String deep, String fast) {
  public Size of(String text) {
    long thought = tokens.count(deep, text).tokens();
    return new Size(thought, deep.equals(fast) ? thought : tokens.count(fast, text).tokens());
  }

  /** The ways in which the models count, each once. */
  List<String> ways() {
    return Stream.of(deep, fast).map(Tokens::way).distinct().toList();
  }

  /** What a text is counted as, by each way. */
  Map<String, Double> counts(String text) {
    var model = tokens.count(deep, text);
    var first = Map.entry(Tokens.way(deep), model.first());
    return Tokens.way(deep).equals(Tokens.way(fast))
        ? Map.ofEntries(first)
        : Map.ofEntries(first, Map.entry(Tokens.way(fast), tokens.count(fast, text).first()));
  }

  /** What such counts come to. */
  Size of(Map<String, Double> counts, int characters) {
    return new Size(of(deep, counts, characters), of(fast, counts, characters));
  }

  private long of(String model, Map<String, Double> counts, int characters) {
    return tokens.recount(model, counts.getOrDefault(Tokens.way(model), 0.0), characters).tokens();
  }
}
