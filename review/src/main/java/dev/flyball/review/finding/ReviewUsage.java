package dev.flyball.review.finding;

import dev.flyball.call.Cost;
import dev.flyball.call.DurationText;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The tokens, money and time that a review used, and what ended it.
 *
 * @param most tokens that it might use, if they were limited
 * @param tokens that it used
 * @param excess what was used otherwise than foreseen
 * @param dropped lenses that the budget had no room for
 * @param byLens tokens by what the lenses are called, sorted
 * @param asked units that were sent
 * @param cached units that were answered before
 * @param lost findings that were dropped because what they quote is nowhere
 * @param unsure findings that were left out because nobody was sure enough of them
 */
public record ReviewUsage(
    OptionalLong most,
    long tokens,
    Excess excess,
    List<String> dropped,
    Cost cost,
    Duration took,
    Map<String, Long> byLens,
    Ending ending,
    long asked,
    long cached,
    long lost,
    long unsure) {
  /**
   * The tokens that were used otherwise than foreseen.
   *
   * @param overspent beyond the budget
   * @param underestimated by which answers were larger than estimated
   * @param uncertain that attempts which were cut may have used, and that are counted
   */
  public record Excess(long overspent, long underestimated, long uncertain) {
    public static final Excess NONE = new Excess(0, 0, 0);
  }

  /** The reason why nothing more was asked. */
  public enum Ending {
    COMPLETION,
    INTERRUPT,
    BUDGET,
    DEADLINE,
    FAILURES;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public ReviewUsage {
    dropped = List.copyOf(dropped);
    byLens = Collections.unmodifiableMap(new TreeMap<>(byLens));
  }

  /** Tokens that a budget still has, if there is one. */
  public OptionalLong remaining() {
    return most.isPresent()
        ? OptionalLong.of(Math.max(0, most.getAsLong() - tokens))
        : OptionalLong.empty();
  }

  public long tokensPerSecond() {
    return Math.round(tokens / (Math.max(1, took.toMillis()) / 1e3));
  }

  /** All of it in a line for people. */
  public String words() {
    return "%,d tokens, %s, %s; %,d unit%s asked%s"
        .formatted(
            tokens,
            cost.shown(),
            DurationText.of(took),
            asked,
            asked == 1 ? "" : "s",
            cached > 0 ? ", %,d answered before".formatted(cached) : "");
  }
}
