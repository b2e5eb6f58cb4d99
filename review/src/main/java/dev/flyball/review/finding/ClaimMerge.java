package dev.flyball.review.finding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * The merging of claims that say the same into one, across lenses and categories.
 *
 * <p>Two say the same if they are about near lines of one file, were not said in one answer, do not
 * contradict each other, and use the same words. They are compared in one order, whatever order
 * they came in, each with the claims that are there already. Of those that are one, the gravest
 * severity holds, the category is the first by precedence, and everybody who said it is named; who
 * agrees without knowing of the other makes it surer.
 */
public final class ClaimMerge {
  private static final double AGREEMENT = 0.1;
  private static final double SURE_OF_MAJOR = 0.7;
  private static final double SURE_OF_MINOR = 0.8;

  private ClaimMerge() {}

  /** The claims without those that say what another says. */
  public static List<Claim> of(Collection<Claim> claims) {
    var merged = new ArrayList<Claim>();
    claims.stream()
        .sorted(
            Comparator.comparing(Claim::severity)
                .reversed()
                .thenComparing(Claim.BY_PLACE)
                .thenComparing(claim -> String.join(",", claim.sources()))
                .thenComparing(claim -> String.join(",", claim.lenses()))
                .thenComparing(Claim::toString))
        .forEach(
            claim -> {
              for (int i = 0; i < merged.size(); i++) {
                if (same(merged.get(i), claim)) {
                  merged.set(i, united(merged.get(i), claim));
                  return;
                }
              }
              merged.add(claim);
            });
    return merged;
  }

  /** Whether it is sure enough to be shown: what is critical always is. */
  public static boolean isSureEnough(Claim claim) {
    return switch (claim.severity()) {
      case CRITICAL -> true;
      case MAJOR -> claim.confidence() >= SURE_OF_MAJOR;
      case MINOR -> claim.confidence() >= SURE_OF_MINOR;
    };
  }

  private static boolean same(Claim one, Claim other) {
    if (!one.place().isNear(other.place())) {
      return false;
    }
    if (one.rule().equals(other.rule()) && one.title().equals(other.title())) {
      return one.place().equals(other.place());
    }
    return !isOneAnswer(one, other)
        && !Contradiction.between(one, other)
        && WordLikeness.same(one, other);
  }

  /** Whoever names two things in one breath means two things. */
  private static boolean isOneAnswer(Claim one, Claim other) {
    return one.lenses().containsAll(other.lenses()) && one.sources().containsAll(other.sources());
  }

  private static Claim united(Claim one, Claim other) {
    var severity = one.severity().atLeast(other.severity()) ? one.severity() : other.severity();
    var category =
        one.category().compareTo(other.category()) <= 0 ? one.category() : other.category();
    var sources = union(one.sources(), other.sources());
    boolean independent =
        !one.sources().equals(other.sources()) || !one.lenses().equals(other.lenses());
    double surest = Math.max(one.confidence(), other.confidence());
    var inside =
        one.place().scope() == FindingScope.OUTSIDE_CHANGE
                && other.place().scope() == FindingScope.LINE
            ? other.place()
            : one.place();
    return new Claim(
        one.rule(),
        inside,
        severity,
        category,
        union(one.lenses(), other.lenses()),
        one.title(),
        one.message(),
        one.suggestion().or(other::suggestion),
        evidence(one.evidence(), other.evidence()),
        sources,
        independent ? Math.min(1, surest + AGREEMENT) : surest);
  }

  private static List<String> union(List<String> one, List<String> other) {
    var all = new LinkedHashSet<>(one);
    all.addAll(other);
    return List.copyOf(all);
  }

  private static Optional<String> evidence(Optional<String> one, Optional<String> other) {
    if (one.isEmpty() || other.isEmpty() || one.get().contains(other.get())) {
      return one.or(() -> other);
    }
    return Optional.of(one.get() + "\n" + other.get());
  }
}
