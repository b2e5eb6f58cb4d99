package dev.flyball.forecast;

import java.util.List;

/**
 * A repository's review in round figures: every lens on every file.
 *
 * @param inputTokens of all lenses together
 * @param minutes with so many calls at one time, rounded up
 */
public record Survey(
    int files, int symbols, long inputTokens, long outputTokens, long minutes, long calls) {

  /** Of these files, each looked at through so many lenses, so many at one time. */
  public static Survey of(List<ReviewedFile> files, int lenses, int concurrency) {
    long input = files.stream().mapToLong(ReviewedFile::inputTokens).sum();
    long output = files.stream().mapToLong(ReviewedFile::outputTokens).sum();
    return new Survey(
        files.size(),
        files.stream().mapToInt(ReviewedFile::symbols).sum(),
        input * lenses,
        output * lenses,
        minutes(files.stream().mapToDouble(ReviewedFile::seconds).sum(), concurrency),
        (long) files.size() * lenses);
  }

  /** So many seconds of work in whole minutes; one call at a time loses nothing to others. */
  static long minutes(double seconds, int concurrency) {
    if (concurrency < 1) {
      throw new IllegalArgumentException("concurrency is at least 1, but was " + concurrency);
    }
    double each =
        concurrency > 1 ? seconds / (concurrency * ReviewFigures.CONCURRENCY_EFFICIENCY) : seconds;
    return (long) Math.ceil(each / 60 - 1e-9);
  }
}
