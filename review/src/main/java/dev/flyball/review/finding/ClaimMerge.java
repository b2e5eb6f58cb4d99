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
 * <p>Two say the same if they are about near lines of one file, do not contradict each other, and
 * say it in the same words; unless these are just the same, only if they were not said in one
 * answer. They are compared in one order, whatever order they came in, each with all claims that
 * are one already. Of those that are one, the gravest severity holds, the category is the first by
 * precedence, and everybody who said it is named; who agrees without knowing of the other makes it
 * surer.
 */
public final class ClaimMerge {
  private static final double AGREEMENT = 0.1;
  private static final double SURE_OF_MAJOR = 0.7;
  private static final double SURE_OF_MINOR = 0.8;

  /** Claims that are one. */
  private record Cluster(List<Claim> members, Claim united) {
    static Cluster of(Claim claim) {
      return new Cluster(List.of(claim), claim);
    }

    Cluster with(Claim claim) {
      var all = new ArrayList<>(members);
      all.add(claim);
      return new Cluster(List.copyOf(all), ClaimMerge.united(united, claim));
    }

    boolean takes(Claim claim) {
      return members.stream().anyMatch(member -> isIdentical(member, claim))
          || (members.stream().noneMatch(member -> isOneAnswer(member, claim))
              && members.stream().anyMatch(member -> same(member, claim)));
    }
  }

  private ClaimMerge() {}

  /** The claims without those that say what another says. */
  public static List<Claim> of(Collection<Claim> claims) {
    var merged = new ArrayList<Cluster>();
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
                if (merged.get(i).takes(claim)) {
                  merged.set(i, merged.get(i).with(claim));
                  return;
                }
              }
              merged.add(Cluster.of(claim));
            });
    return merged.stream().map(Cluster::united).toList();
  }

  /** Whether it is sure enough to be shown: what is critical always is. */
  public static boolean isSureEnough(Claim claim) {
    return switch (claim.severity()) {
      case CRITICAL -> true;
      case MAJOR -> claim.confidence() >= SURE_OF_MAJOR;
      case MINOR -> claim.confidence() >= SURE_OF_MINOR;
    };
  }

  /** Whether two that were not merged are at one place, so that they may mean the same. */
  public static boolean isDoubtful(Claim one, Claim other) {
    return one.place().isNear(other.place())
        && one.place() instanceof Place.Lines
        && !isOneAnswer(one, other)
        && !Contradiction.between(one, other);
  }

  private static boolean isIdentical(Claim one, Claim other) {
    return one.place().equals(other.place())
        && one.title().equals(other.title())
        && (one.rule().equals(other.rule()) || one.message().equals(other.message()));
  }

  private static boolean same(Claim one, Claim other) {
    return one.place().isNear(other.place())
        && !(one.rule().equals(other.rule()) && one.title().equals(other.title()))
        && !Contradiction.between(one, other)
        && WordLikeness.same(one, other);
  }

  /** Whoever names two things in one breath means two things. */
  private static boolean isOneAnswer(Claim one, Claim other) {
    return one.lenses().containsAll(other.lenses()) && one.sources().containsAll(other.sources());
  }

  static Claim united(Claim one, Claim other) {
    var severity = one.severity().atLeast(other.severity()) ? one.severity() : other.severity();
    var category =
        one.category().compareTo(other.category()) <= 0 ? one.category() : other.category();
    var sources = union(one.sources(), other.sources());
    boolean independent =
        !one.sources().containsAll(other.sources()) || !one.lenses().containsAll(other.lenses());
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
