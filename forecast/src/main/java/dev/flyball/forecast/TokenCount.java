package dev.flyball.forecast;

import java.util.Locale;

/** The writing of token counts for people. */
public final class TokenCount {
  private static final long MILLION = 1_000_000;
  private static final long THOUSAND = 1_000;

  private TokenCount() {}

  /** About so many: {@code ~1.2M}, {@code ~340K}, {@code ~500}. */
  public static String about(long tokens) {
    if (tokens >= MILLION - THOUSAND / 2) {
      return String.format(Locale.ROOT, "~%.1fM", (double) tokens / MILLION);
    }
    return tokens >= THOUSAND ? "~" + Math.round((double) tokens / THOUSAND) + "K" : "~" + tokens;
  }
}
