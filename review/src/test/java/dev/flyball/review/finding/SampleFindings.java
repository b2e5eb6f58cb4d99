package dev.flyball.review.finding;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Claims, findings and reviews to try things on. */
public final class SampleFindings {
  public static final SourceText TEXT =
      SourceText.of(
          "src/Main.java",
          """
          class Main {
            boolean empty(String name) {
              return name.equals(null);
            }

            boolean same(String a, String b) {
              return a == b;
            }
          }
          """);

  /** Everything that a text from outside might try. */
  public static final String HOSTILE =
      "\u001b[31mred\u001b[0m \u202Eright to left\u202C \u0007bell <img src=x onerror=alert(1)>"
          + " `tick` ```fence``` | pipe | [link](https://evil.example/a) ![i](http://evil.example)"
          + " @everyone #123 www.evil.example <!-- --> $x$\r\n::error file=a::b\n##[error]c\n"
          + "% \u0085 \u2028 \u200B \uD800 end";

  private SampleFindings() {}

  public static Claim claim(String rule, Severity severity, Place place) {
    return new Claim(
        rule,
        place,
        severity,
        Category.CORRECTNESS,
        List.of("static"),
        "Compared with null by equals",
        "This is always false, or throws.",
        Optional.of("Compare with == null."),
        Optional.of("name.equals(null)"),
        List.of("pmd"),
        0.9);
  }

  public static Claim hostile() {
    return new Claim(
        HOSTILE,
        Place.lines(TEXT, 3, 3),
        Severity.CRITICAL,
        Category.SECURITY,
        List.of(HOSTILE),
        HOSTILE,
        HOSTILE,
        Optional.of(HOSTILE),
        Optional.of(HOSTILE),
        List.of(HOSTILE),
        0.5);
  }

  public static Finding finding(String id, Severity severity) {
    return new Finding(id, claim("java/EqualsNull", severity, Place.lines(TEXT, 3, 3)), false);
  }

  public static ReviewCoverage all(int files) {
    return new ReviewCoverage(files, files, List.of(), List.of());
  }

  public static Review review(ReviewCoverage coverage, Finding... findings) {
    return new Review(
        Verdict.of(List.of(findings), coverage),
        "sequential",
        coverage,
        List.of(findings),
        List.of(),
        Optional.empty());
  }

  public static Review review(Finding... findings) {
    return review(all(1), findings);
  }

  public static Function<Place.Lines, Optional<SourceText>> texts(SourceText... texts) {
    return place ->
        Arrays.stream(texts).filter(text -> text.path().equals(place.path())).findFirst();
  }
}
