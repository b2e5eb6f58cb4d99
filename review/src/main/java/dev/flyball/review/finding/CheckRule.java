package dev.flyball.review.finding;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * A rule that code is held against, and what breaking it means.
 *
 * @param id as findings name it
 * @param title what is wrong where it is broken
 * @param message why that is bad
 * @param advice what to do about it
 * @param why the same at length, in Markdown; empty where there is no more to say
 * @param cwe the numbers of the weaknesses it is about, in the list of MITRE
 * @param tags words to find it by
 * @param aliases the names that other tools have for the same
 * @param on whether it is held against code unless somebody says otherwise
 * @param measured how often it was right; empty where nobody has counted
 */
public record CheckRule(
    String id,
    Severity severity,
    Category category,
    String title,
    String message,
    String advice,
    String why,
    List<Integer> cwe,
    List<String> tags,
    List<String> aliases,
    boolean on,
    Optional<Measured> measured) {
  /** How sure one may be of a rule of which nothing is known. */
  public static final double UNKNOWN = 0.5;

  public CheckRule {
    cwe = List.copyOf(cwe);
    tags = List.copyOf(tags);
    aliases = List.copyOf(aliases);
  }

  /** One that is on, and of which no more is known. */
  public CheckRule(
      String id,
      Severity severity,
      Category category,
      String title,
      String message,
      String advice) {
    this(
        id,
        severity,
        category,
        title,
        message,
        advice,
        "",
        List.of(),
        List.of(),
        List.of(),
        true,
        Optional.empty());
  }

  /**
   * The count of how often a rule was right in code that was not written for it.
   *
   * @param right the findings that were true
   * @param of the findings that were judged
   * @param sample the code that they were drawn from
   */
  public record Measured(int right, int of, LocalDate date, String sample) {
    public Measured {
      if (right < 0 || right > of) {
        throw new IllegalArgumentException(
            "of %d findings 0 to %d are true, but were %d".formatted(of, of, right));
      }
      if (sample.isBlank()) {
        throw new IllegalArgumentException("what was measured is named, but the name was blank");
      }
    }

    /** From 0 to 1; few findings say little, so they leave it nearer to the middle. */
    public double confidence() {
      return (right + 1.0) / (of + 2.0);
    }
  }

  /** How sure one may be of what it says, from 0 to 1. */
  public double confidence() {
    return measured.map(Measured::confidence).orElse(UNKNOWN);
  }
}
