package dev.flyball.review.finding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes one claim of those that say the same, across lenses and categories.
 *
 * <p>Two say the same if they are about near lines of one file and their words mean the same:
 * enough of the weightier words are in both. They are compared in one order, whatever order they
 * came in, each with the claims that are there already. Of those that are one, the gravest severity
 * holds, the category is the first by precedence, and everybody who said it is named; who agrees
 * without knowing of the other makes it surer.
 */
public final class Merge {
  private static final int NEAR = 3;
  private static final double SAME = 0.36;
  private static final int FEWEST = 2;
  private static final double AGREEMENT = 0.1;
  private static final double SURE_OF_MAJOR = 0.7;
  private static final double SURE_OF_MINOR = 0.8;
  private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9]+");
  private static final Pattern CAMEL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|_");
  private static final Set<String> EMPTY_WORDS =
      Set.of(
          "the",
          "and",
          "for",
          "this",
          "that",
          "with",
          "from",
          "are",
          "not",
          "can",
          "will",
          "may",
          "when",
          "where",
          "which",
          "should",
          "could",
          "would",
          "because",
          "into",
          "its",
          "has",
          "have",
          "was",
          "were",
          "been",
          "being",
          "there",
          "here",
          "then",
          "than",
          "also",
          "only",
          "use",
          "uses",
          "used",
          "using",
          "code",
          "method",
          "function",
          "value",
          "call",
          "calls",
          "called",
          "does",
          "without",
          "instead",
          "never",
          "always",
          "any",
          "all",
          "one",
          "line",
          "user",
          "data",
          "input",
          "variable",
          "leads",
          "cause",
          "causes",
          "potential",
          "possible");
  private static final Map<String, String> SAME_WORDS =
      Map.ofEntries(
          Map.entry("sqli", "inject"),
          Map.entry("sanitiz", "escap"),
          Map.entry("sanitis", "escap"),
          Map.entry("concatenat", "concat"),
          Map.entry("nullpointer", "null"),
          Map.entry("npe", "null"),
          Map.entry("none", "null"),
          Map.entry("nil", "null"),
          Map.entry("undefin", "null"),
          Map.entry("miss", "absent"),
          Map.entry("lack", "absent"),
          Map.entry("untest", "test"),
          Map.entry("cover", "test"),
          Map.entry("password", "credential"),
          Map.entry("secret", "credential"),
          Map.entry("key", "credential"),
          Map.entry("hardcod", "hardcode"),
          Map.entry("leak", "close"),
          Map.entry("releas", "close"),
          Map.entry("racy", "race"),
          Map.entry("synchroniz", "race"),
          Map.entry("threadsafe", "race"),
          Map.entry("quadrat", "slow"),
          Map.entry("nest", "slow"));

  private Merge() {}

  /** The claims without those that say what another says. */
  public static List<Claim> of(Collection<Claim> claims) {
    var merged = new ArrayList<Claim>();
    claims.stream()
        .sorted(
            Comparator.comparing(Claim::severity)
                .reversed()
                .thenComparing(Claim.BY_PLACE)
                .thenComparing(claim -> String.join(",", claim.sources()))
                .thenComparing(claim -> String.join(",", claim.lenses())))
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

  /** Whether two claims are about one defect. */
  static boolean same(Claim one, Claim other) {
    if (!near(one.place(), other.place())) {
      return false;
    }
    if (one.rule().equals(other.rule()) && one.title().equals(other.title())) {
      return one.place().equals(other.place());
    }
    return alike(words(one), words(other)) >= SAME;
  }

  private static boolean near(Place one, Place other) {
    if (one instanceof Place.Lines a && other instanceof Place.Lines b) {
      return a.path().equals(b.path())
          && a.side() == b.side()
          && a.line() <= b.endLine() + NEAR
          && b.line() <= a.endLine() + NEAR;
    }
    return one.equals(other);
  }

  /** The part of the shorter one's words that both have. */
  private static double alike(Set<String> one, Set<String> other) {
    var both = new HashSet<>(one);
    both.retainAll(other);
    int least = Math.min(one.size(), other.size());
    return both.size() < FEWEST ? 0 : (double) both.size() / least;
  }

  private static Set<String> words(Claim claim) {
    var words = new HashSet<String>();
    WORD.matcher(claim.title() + " " + claim.message())
        .results()
        .flatMap(found -> CAMEL.splitAsStream(found.group()))
        .map(word -> word.toLowerCase(Locale.ROOT))
        .filter(word -> word.length() > 2 && !EMPTY_WORDS.contains(word))
        .map(Merge::stem)
        .forEach(words::add);
    return words;
  }

  private static String stem(String word) {
    var stem = word;
    for (var ending :
        List.of(
            "ization", "ations", "ation", "ings", "ing", "ions", "ion", "ies", "ied", "es", "ed",
            "s", "e")) {
      if (stem.length() > ending.length() + 2 && stem.endsWith(ending)) {
        stem = stem.substring(0, stem.length() - ending.length());
        break;
      }
    }
    return SAME_WORDS.getOrDefault(stem, stem);
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
        one.place().scope() == Scope.OUTSIDE_CHANGE && other.place().scope() == Scope.LINE
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
