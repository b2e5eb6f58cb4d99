package dev.flyball.llm.reply;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A family of headers that describes one limit: how much there is, what remains and when it resets.
 *
 * @param rank the order in which families are read
 * @param name what its headers have in common
 */
record HeaderFamily(
    int rank,
    String name,
    Dimension dimension,
    Kind kind,
    Sighting.Snapshot snapshot,
    long rounding) {
  /** The part of a limit that one header of a family gives. */
  enum Part {
    LIMIT,
    REMAINING,
    RESET;

    final String word = name().toLowerCase(Locale.ROOT);
  }

  /** The certainty with which a family's name gives its limit. */
  enum Kind {
    /** The name says all. */
    STATED,
    /** The name does not say the period: OpenAI's requests are of a minute, Groq's of a day. */
    GUESSED,
    /** The limit is the sum of two others, which tells nothing where they are there. */
    SUM
  }

  HeaderFamily perSecond() {
    return new HeaderFamily(
        rank, name, dimension.per(LimitPeriod.SECOND), Kind.STATED, snapshot, rounding);
  }

  /**
   * What its headers say, if it makes sense, even if that is a reset alone; a limit of 0 is one
   * that does not apply.
   */
  Optional<Sighting> sighting(Map<Part, String> values, ServerTime time) {
    var limit = count(values, Part.LIMIT);
    var remaining = count(values, Part.REMAINING);
    String written = values.getOrDefault(Part.RESET, "");
    var reset = time.reset(written);
    if ((limit.isEmpty() && remaining.isEmpty() && reset.isEmpty()) || limit.orElse(1) == 0) {
      return Optional.empty();
    }
    if (limit.isPresent() && remaining.isPresent()) {
      remaining = OptionalLong.of(Math.min(limit.getAsLong(), remaining.getAsLong()));
    }
    var period = dimension.period();
    if (kind == Kind.GUESSED) {
      reset = LimitPeriod.sane(reset);
      boolean precise = WireDurations.parse(written).isPresent() && WireDurations.hasUnit(written);
      period = LimitPeriod.guess(limit, remaining, reset, precise);
    } else {
      reset = LimitPeriod.sane(reset, period, remaining);
    }
    var seen = new Sighting(dimension.per(period), limit, remaining, reset, snapshot, rounding);
    return Optional.of(kind == Kind.GUESSED ? seen.guessedFrom(name) : seen);
  }

  private static OptionalLong count(Map<Part, String> values, Part part) {
    return WireNumbers.count(values.getOrDefault(part, ""));
  }
}
