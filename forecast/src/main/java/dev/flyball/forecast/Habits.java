package dev.flyball.forecast;

/** How a model is assumed to answer: how soon, and at what length. */
public record Habits(Latency latency, Lengths lengths) {
  /** Where nothing better is known. */
  public static final Habits USUAL = new Habits(Latency.USUAL, Lengths.USUAL);
}
