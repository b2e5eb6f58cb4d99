package dev.flyball.forecast;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The limits that a provider is assumed to keep for one lane.
 *
 * @param inFlight how many attempts it allows at one time, where that is its limit
 * @param felt whether no reply stated them, so that they are what refusals told, more or less
 */
public record AssumedLimits(
    List<Limit> limits, OptionalInt inFlight, Disclosure disclosure, boolean felt) {
  /** How far a limit that was only felt may be off: two times of three by less than that. */
  private static final double FELT_SIGMA = 0.15;

  /** The extent to which its replies tell of limits. */
  public enum Disclosure {
    /** Limits and what is left of them. */
    LEVELS,
    /** Only how long to wait, when it turns an attempt away. */
    WAITS,
    NOTHING
  }

  /**
   * One limit as it is kept.
   *
   * @param burst how much is there at the start and at most
   * @param told whether replies that tell of limits tell of this one
   */
  public record Limit(AllowanceTerms terms, double perSecond, double burst, boolean told) {
    public Limit {
      if (!(perSecond > 0) || !(burst > 0)) {
        throw new IllegalArgumentException(
            "a limit gives more than 0, but %s gives %s a second and %s at once"
                .formatted(terms.dimension(), perSecond, burst));
      }
    }

    /** As its terms say; they must state a limit. */
    static Limit of(AllowanceTerms terms) {
      double period = seconds(terms.dimension());
      double perSecond = (double) terms.limit().orElseThrow() / period;
      double burst =
          terms
              .window()
              .map(window -> Math.max(1, perSecond * window.toNanos() / 1e9))
              .orElse((double) terms.limit().orElseThrow());
      return new Limit(terms, perSecond, burst, true);
    }

    Limit times(double factor) {
      return new Limit(terms, perSecond * factor, burst * factor, told);
    }

    /** What it states for a period. */
    public long stated() {
      return Math.max(1, Math.round(perSecond * seconds(terms.dimension())));
    }

    private static double seconds(Dimension dimension) {
      return dimension.period().toNanos() / 1e9;
    }

    boolean asProduced() {
      return terms.settle() == AllowanceTerms.Settle.AS_PRODUCED;
    }
  }

  public AssumedLimits {
    limits = List.copyOf(limits);
  }

  /** As an account's profile says, and telling what is left as most providers do. */
  public static AssumedLimits of(LaneProfile profile) {
    var limits =
        profile.terms().stream().filter(terms -> terms.limit().isPresent()).map(Limit::of).toList();
    return new AssumedLimits(limits, profile.inFlight(), Disclosure.LEVELS, false);
  }

  /**
   * As earlier runs have learned it.
   *
   * @param profile how the provider counts
   */
  public static AssumedLimits learned(LearnedLimits.OfLane learned, LaneProfile profile) {
    var limits = new ArrayList<Limit>();
    for (var each : learned.allowances()) {
      var terms = profile.termsOf(each.dimension());
      if (each.limit() > 0 && !LaneProfile.isInFlight(each.dimension())) {
        var stated = Limit.of(terms.limit(each.limit()));
        limits.add(
            each.perSecond() > 0
                ? new Limit(stated.terms(), each.perSecond(), stated.burst(), true)
                : stated);
      }
    }
    if (limits.isEmpty() && learned.pace().perSecond() > 0) {
      var pace = learned.pace();
      var terms = AllowanceTerms.of(Dimension.REQUESTS);
      limits.add(new Limit(terms, pace.perSecond(), Math.max(1, pace.burst()), false));
      return new AssumedLimits(limits, profile.inFlight(), Disclosure.WAITS, true);
    }
    return new AssumedLimits(limits, profile.inFlight(), Disclosure.LEVELS, false);
  }

  /** Of which some limits are not told. */
  public AssumedLimits without(Set<Dimension> untold) {
    var others =
        limits.stream()
            .map(
                each ->
                    new Limit(
                        each.terms(),
                        each.perSecond(),
                        each.burst(),
                        each.told() && !untold.contains(each.terms().dimension())))
            .toList();
    boolean none = others.stream().noneMatch(Limit::told);
    return new AssumedLimits(
        others, inFlight, none && !others.isEmpty() ? Disclosure.WAITS : disclosure, felt);
  }

  AssumedLimits disclosing(Disclosure other) {
    return new AssumedLimits(limits, inFlight, other, felt);
  }

  AssumedLimits inFlight(int most) {
    return new AssumedLimits(limits, OptionalInt.of(most), disclosure, felt);
  }

  /** With so many times as much of one limit. */
  AssumedLimits scaled(Dimension dimension, double factor) {
    var others =
        limits.stream()
            .map(each -> each.terms().dimension().equals(dimension) ? each.times(factor) : each)
            .toList();
    return new AssumedLimits(others, inFlight, disclosure, felt);
  }

  /**
   * In a world that is worse than thought by so many sigmas: what was only felt is less there, and
   * what was stated is as it was stated.
   */
  AssumedLimits doubted(double sigmas) {
    double part = Math.exp(-FELT_SIGMA * sigmas);
    return felt
        ? new AssumedLimits(
            limits.stream().map(each -> each.times(part)).toList(), inFlight, disclosure, true)
        : this;
  }
}
