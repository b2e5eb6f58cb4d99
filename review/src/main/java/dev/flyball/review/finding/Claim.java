package dev.flyball.review.finding;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A statement of a lens or a check about a place in the code.
 *
 * @param rule what is broken, such as {@code java/EqualsNull} or the name of a lens
 * @param lenses who looked
 * @param suggestion what to do about it
 * @param evidence what it is seen by
 * @param sources who said so: tools, models
 * @param confidence from 0 to 1
 */
public record Claim(
    String rule,
    Place place,
    Severity severity,
    Category category,
    List<String> lenses,
    String title,
    String message,
    Optional<String> suggestion,
    Optional<String> evidence,
    List<String> sources,
    double confidence) {
  /** By where it is, and in one place by what it says. */
  public static final Comparator<Claim> BY_PLACE =
      Comparator.comparing((Claim claim) -> claim.place().file().orElse(""))
          .thenComparingInt(claim -> claim.place() instanceof Place.Lines at ? at.line() : 0)
          .thenComparingInt(claim -> claim.place() instanceof Place.Lines at ? at.column() : 0)
          .thenComparing(Claim::rule)
          .thenComparing(Claim::title)
          .thenComparing(Claim::message)
          .thenComparing(claim -> claim.evidence().orElse(""));

  public Claim {
    if (rule.isBlank()) {
      throw new IllegalArgumentException("a claim names its rule, but the name was blank");
    }
    if (title.isBlank() || message.isBlank()) {
      throw new IllegalArgumentException(
          "a claim has a title and a message, but were '%s' and '%s'".formatted(title, message));
    }
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("confidence is from 0 to 1, but was " + confidence);
    }
    lenses = List.copyOf(lenses);
    sources = List.copyOf(sources);
  }

  /** The same, as grave as that. */
  public Claim as(Severity other) {
    return new Claim(
        rule,
        place,
        other,
        category,
        lenses,
        title,
        message,
        suggestion,
        evidence,
        sources,
        confidence);
  }
}
