package dev.flyball.forecast;

/** The way in which a model is assumed to answer: how soon, and at what length. */
public record ModelBehaviour(AnswerLatency latency, AnswerLengths lengths) {
  /** Where nothing better is known. */
  public static final ModelBehaviour USUAL =
      new ModelBehaviour(AnswerLatency.USUAL, AnswerLengths.USUAL);
}
