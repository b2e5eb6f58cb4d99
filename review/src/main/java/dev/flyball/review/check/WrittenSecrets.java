package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.secret.Secret;
import dev.flyball.review.secret.Secrets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Secrets that are written into files. What is said of one never has its value. */
final class WrittenSecrets {
  private static final double SURE = 0.95;
  private static final double LIKELY = 0.8;
  private static final Set<String> FIXTURES =
      Set.of("fixtures", "fixture", "testdata", "test-data", "mocks", "__mocks__", "examples");

  private WrittenSecrets() {}

  static List<Claim> in(Collection<SourceText> texts) {
    var claims = new ArrayList<Claim>();
    for (var text : texts) {
      int line = 1;
      int at = 0;
      boolean tries = isTried(text.path());
      for (var secret : Secrets.in(text.content())) {
        if (secret.sign() != Secret.Sign.LOOK) {
          line += lineFeeds(text.content(), at, secret.start());
          at = secret.start();
          claims.add(claim(text, secret, line, tries));
        }
      }
    }
    return claims;
  }

  private static Claim claim(SourceText text, Secret secret, int line, boolean tries) {
    int end = line + lineFeeds(text.content(), secret.start(), secret.end());
    boolean issued = secret.sign() == Secret.Sign.FORM;
    var claim =
        Rulebook.claim(
            Rulebook.SECRET,
            Place.lines(text, line, Math.min(end, text.lines())),
            "This looks like a %s.".formatted(secret.kind()),
            "%s, %,d characters".formatted(secret.kind(), secret.end() - secret.start()),
            "secrets",
            issued ? SURE : LIKELY);
    return tries && !issued ? claim.as(Severity.MINOR) : claim;
  }

  /** Whether a file is there to try something, and what it calls a password opens nothing. */
  private static boolean isTried(String path) {
    if (TestsOf.isTest(path)) {
      return true;
    }
    for (var folder : path.split("/", -1)) {
      if (FIXTURES.contains(folder)) {
        return true;
      }
    }
    return false;
  }

  private static int lineFeeds(String text, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += text.charAt(i) == '\n' ? 1 : 0;
    }
    return count;
  }
}
