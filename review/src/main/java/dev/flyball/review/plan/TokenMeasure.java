package dev.flyball.review.plan;

import dev.flyball.llm.token.TokenCounter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The measure of texts in tokens of the models that will be asked: a deep one and a fast one. */
public final class TokenMeasure {
  /** Of lists of names and paths; what was tried had a little more. */
  static final int CHARACTERS_A_TOKEN = 3;

  private final TokenCounter tokens;
  private final String deep;
  private final String fast;
  private final String deepWay;
  private final String fastWay;
  private final TokenCounter.Scale deepScale;
  private final TokenCounter.Scale fastScale;

  /**
   * For two models, which may be the same.
   *
   * @param deep the one for lenses that need thought
   * @param fast the one for the others
   */
  public TokenMeasure(TokenCounter tokens, String deep, String fast) {
    this.tokens = tokens;
    this.deep = deep;
    this.fast = fast;
    this.deepWay = TokenCounter.way(deep);
    this.fastWay = TokenCounter.way(fast);
    this.deepScale = tokens.scale(deep);
    this.fastScale = tokens.scale(fast);
  }

  public TierTokens of(String text) {
    long thought = tokens.count(deep, text).tokens();
    return new TierTokens(thought, deep.equals(fast) ? thought : tokens.count(fast, text).tokens());
  }

  /** Of code as it is shown, each line with its number. */
  TierTokens numbered(String text) {
    return of(text).plus(numbers((int) text.chars().filter(it -> it == '\n').count()));
  }

  /** Of the numbers of some lines, each with the bar after it: what was tried had a little less. */
  static TierTokens numbers(int lines) {
    long tokens = Math.ceilDiv(5L * lines, 2);
    return new TierTokens(tokens, tokens);
  }

  /** Whether one model is asked everything. */
  boolean isOneModel() {
    return deep.equals(fast);
  }

  /** Of what we say ourselves in many units: not worth an exact count. */
  TierTokens about(String text) {
    long tokens = Math.ceilDiv(text.length(), CHARACTERS_A_TOKEN);
    return new TierTokens(tokens, tokens);
  }

  /** The ways in which the models count, each once. */
  List<String> ways() {
    return Stream.of(deepWay, fastWay).distinct().toList();
  }

  /** What a text is counted as, by each way. */
  Map<String, Double> counts(String text) {
    double first = tokens.count(deep, text).first();
    return deepWay.equals(fastWay)
        ? Map.of(deepWay, first)
        : Map.of(deepWay, first, fastWay, tokens.count(fast, text).first());
  }

  /** What such counts come to. */
  TierTokens of(Map<String, Double> counts, int characters) {
    return new TierTokens(
        deepScale.tokens(counts.getOrDefault(deepWay, 0.0), characters),
        fastScale.tokens(counts.getOrDefault(fastWay, 0.0), characters));
  }
}
