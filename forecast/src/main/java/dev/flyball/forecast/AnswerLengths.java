package dev.flyball.forecast;

/**
 * The lengths of answers, in tokens.
 *
 * @param spread by how much answers differ, as the sigma of a log-normal factor
 * @param doubt how unsure the mean itself is, in the same way
 */
public record AnswerLengths(double mean, double spread, double doubt) {
  /** Where nobody knows: a few paragraphs, give or take as much again. */
  public static final AnswerLengths USUAL = new AnswerLengths(300, 0.6, 0.5);

  public AnswerLengths {
    if (!(mean >= 0 && mean < 1e9)
        || !(spread >= 0 && spread <= 3)
        || !(doubt >= 0 && doubt <= 3)) {
      throw new IllegalArgumentException(
          "a mean length is at least 0, its spread and doubt are from 0 to 3, but were "
              + (mean + ", " + spread + ", " + doubt));
    }
  }

  /** All of one length, for certain. */
  public static AnswerLengths exactly(double tokens) {
    return new AnswerLengths(tokens, 0, 0);
  }

  long draw(double gaussian, double doubtGaussian) {
    double factor = Math.exp(spread * gaussian - spread * spread / 2 + doubt * doubtGaussian);
    return Math.max(mean > 0 ? 1 : 0, Math.round(mean * factor));
  }
}
