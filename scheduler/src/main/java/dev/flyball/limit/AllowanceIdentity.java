package dev.flyball.limit;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Which limit an allowance is, and over which period.
 *
 * <p>A limit is so much in a period, but many headers do not say which. Then the period is a guess,
 * and the allowance is known by its header instead: one header is one allowance in a lane, and what
 * a later reply makes of it replaces what an earlier one did. What resets give away replaces the
 * guess for good, or until they give away another one. What an earlier run has learned is better
 * than a guess and worse than that, so a mistake of an earlier run does not outlive the first
 * replies of the next. A period that a reply or the terms state stays.
 */
final class AllowanceIdentity {
  private static final double SHORTEST = 1e6;

  /** The ways in which a period can be known, the surest last. */
  private enum Certainty {
    GUESSED,
    REMEMBERED,
    LEARNED,
    STATED
  }

  private final boolean configured;
  private Dimension dimension;
  private Certainty certainty = Certainty.STATED;

  /** The header that tells it, where that does not say the period; else empty. */
  private String header = "";

  AllowanceIdentity(AllowanceTerms terms) {
    this.dimension = terms.dimension();
    this.configured = terms.limit().isPresent();
  }

  /** What is counted, over the period as it is known. */
  Dimension dimension() {
    return dimension;
  }

  /** Whether the period is more than a guess, of this run or of an earlier one. */
  boolean isPeriodKnown() {
    return certainty == Certainty.LEARNED || certainty == Certainty.STATED;
  }

  /** Its period is what an earlier run has learned. */
  void remembered() {
    certainty = Certainty.REMEMBERED;
  }

  /** Whether that is the one that a reply speaks of. */
  boolean isToldBy(Sighting sighting) {
    return sighting.guessed()
        ? header.equals(sighting.header())
        : dimension.equals(sighting.dimension());
  }

  /**
   * Whether it can be the one that a reply speaks of, if no other is: one that is not known by a
   * header yet, or whose period nobody has said before.
   */
  boolean mayBeToldBy(Sighting sighting, OptionalLong limit) {
    boolean same = dimension.equals(sighting.dimension());
    boolean alike =
        dimension.name().equals(sighting.dimension().name())
            && limit.isPresent()
            && limit.equals(sighting.limit());
    return sighting.guessed()
        ? header.isEmpty() && (same || (alike && certainty == Certainty.REMEMBERED))
        : alike && !header.isEmpty();
  }

  /** Whether it can be the one that a refusal names, if no other is. */
  boolean mayBeNamed(Dimension named) {
    return dimension.name().equals(named.name()) && !header.isEmpty();
  }

  /**
   * A reply speaks of it.
   *
   * @param known whether anything was known of it before
   * @return whether its period is another, or known otherwise
   */
  boolean identify(Sighting sighting, boolean known) {
    var before = certainty;
    if (sighting.guessed()) {
      boolean fresh = header.isEmpty() && !known && !configured;
      header = sighting.header();
      certainty = fresh ? Certainty.GUESSED : certainty;
    } else {
      certainty = Certainty.STATED;
    }
    boolean better = !sighting.guessed() || certainty == Certainty.GUESSED;
    boolean other = better && !dimension.equals(sighting.dimension());
    dimension = other ? sighting.dimension() : dimension;
    return other || before != certainty;
  }

  /**
   * Replies gave a period away.
   *
   * @param window how long its windows are, in nanoseconds; 0 if it has none
   * @param span how long all of it takes to come back
   * @return whether that is news
   */
  boolean learned(double window, double span) {
    double length = window > 0 ? window : span;
    boolean other = Math.abs(length - dimension.period().toNanos()) > 0.01 * length;
    if (certainty == Certainty.STATED || length < SHORTEST || (window == 0 && !other)) {
      return false;
    }
    boolean news = other || certainty != Certainty.LEARNED;
    certainty = Certainty.LEARNED;
    dimension = other ? dimension.per(Duration.ofMillis(Math.round(length / 1e6))) : dimension;
    return news;
  }
}
