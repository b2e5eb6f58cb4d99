package dev.flyball.worlds;

/** How much of its limits a provider says, and how truly. */
public enum Style {
  /** Limit, level and reset of everything, true; requests as at admission, tokens as at headers. */
  FULL,
  /**
   * The same; token levels rounded to the nearest thousand, resets as moments cut to whole seconds
   * beside a date that is cut too.
   */
  ROUNDED,
  /** Limit and level only, and not on every reply; nobody knows when it looked. */
  PARTIAL,
  /** Like FULL, but some replies carry what an earlier reply carried. */
  STALE,
  /** The level of a bucket as large as the limit, while the real one is much smaller. */
  WRONG_BURST,
  /** Nothing but a wait in whole seconds on 429. */
  RETRY_AFTER,
  /** Nothing at all. */
  NONE
}
