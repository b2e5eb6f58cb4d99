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
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Secrets that are written into files. What is said of one never has its value. */
final class WrittenSecrets {
  private static final double SURE = 0.95;
  private static final double LIKELY = 0.8;
  private static final String LOGIN = "coded login";

  private static final String PRIVATE_KEY = "private key";

  /** What tests and manuals make for themselves. */
  private static final Set<String> OF_TESTS = Set.of(PRIVATE_KEY, "JSON web token");

  private static final String IN_ADDRESS = "password in an address";

  /** Addresses of nobody, or of the machine that it runs on. */
  private static final Pattern NOBODY =
      Pattern.compile(
          "@(localhost|127\\.|0\\.0\\.0\\.0|\\[::1|([\\w-]+\\.)*example\\b|host(name)?[/:,\"'`)\\s]|[\\w.-]+\\.(test|invalid|local|example)\\b)");

  /** The beginning of a line that only people read. */
  private static final Pattern REMARK =
      Pattern.compile("^\\s*+(\\*|//|/\\*|#(?!define)|--\\s|<!--|;|%|>>>|\\|)");

  /** What is behind a password of which only the digest is written. */
  private static final Pattern DIGEST =
      Pattern.compile("(?i)^[\"']?,?\\s*+(//|#|/\\*).*\\b(md5|sha\\d*|hash|digest)\\b");

  /** A row of digits and letters as they follow each other. */
  private static final Pattern ROW = Pattern.compile("(?i)01234567|12345678|abcdefgh|(.)\\1{7}");

  /** Manuals and translations: the passwords in them are there to be read. */
  private static final Pattern PROSE =
      Pattern.compile("(?i)\\.(md|markdown|mdx|rst|adoc|txt|pot?|html?|[1-9])$");

  /** Names joined by dots: of a constant, or a domain from its end. */
  private static final Pattern NAMES =
      Pattern.compile("[A-Za-z_]\\w{0,40}(\\.[A-Za-z_]\\w{0,40}){2,9}");

  private static final Set<String> FIXTURES =
      Set.of(
          "fixtures",
          "fixture",
          "testdata",
          "regress",
          "regression",
          "spec",
          "specs",
          "test",
          "tests",
          "testing",
          "mock",
          "mocks",
          "demo",
          "sample",
          "samples",
          "example",
          "examples");

  /** A number as code writes it. */
  private static final Pattern NUMBER = Pattern.compile("0[xX]\\p{XDigit}{1,16}\\b");

  /** What MD5, SHA-1 and SHA-256 make of nothing. */
  private static final Set<String> OF_NOTHING =
      Set.of(
          "d41d8cd98f00b204e9800998ecf8427e",
          "da39a3ee5e6b4b0d3255bfef95601890afd80709",
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

  private WrittenSecrets() {}

  /**
   * One claim for each. What tests and manuals call a password opens nothing, and is no news once
   * it is there; what somebody has issued is.
   *
   * @param whole whether the texts are there as they are, and nobody has just written them
   */
  static List<Claim> in(Collection<SourceText> texts, boolean whole) {
    var claims = new ArrayList<Claim>();
    for (var text : texts) {
      int line = 1;
      int at = 0;
      boolean tries = isTried(text.path());
      boolean prose = PROSE.matcher(text.path()).find();
      for (var secret : Secrets.in(text.content())) {
        if (secret.sign() != Secret.Sign.LOOK
            && !isShown(text.content(), secret)
            && !(whole && isExplained(text.content(), secret))) {
          line += lineFeeds(text.content(), at, secret.start());
          at = secret.start();
          boolean issued = secret.sign() == Secret.Sign.FORM;
          if (whole
              && (tries || prose)
              && (!issued || secret.kind().equals(LOGIN) || OF_TESTS.contains(secret.kind()))) {
            continue;
          }
          if (whole && secret.kind().equals(PRIVATE_KEY) && isUsedByTests(text.path(), texts)) {
            continue;
          }
          var claim = claim(text, secret, line, issued);
          claims.add(tries && (whole || !issued) ? claim.as(Severity.MINOR) : claim);
        }
      }
    }
    return claims;
  }

  private static Claim claim(SourceText text, Secret secret, int line, boolean issued) {
    int end = line + lineFeeds(text.content(), secret.start(), secret.end());
    return Rulebook.claim(
        Rulebook.SECRET,
        Place.lines(text, line, Math.min(end, text.lines())),
        "This looks like a %s.".formatted(secret.kind()),
        "%s, %,d characters".formatted(secret.kind(), secret.end() - secret.start()),
        "secrets",
        issued ? SURE : LIKELY);
  }

  /** Whether it is one of those that a provider prints in its manuals, or the name of something. */
  private static boolean isShown(String text, Secret secret) {
    var value = text.substring(secret.start(), secret.end());
    return value.contains("EXAMPLE")
        || NUMBER.matcher(value).lookingAt()
        || OF_NOTHING.contains(value.toLowerCase(Locale.ROOT))
        || (secret.sign() == Secret.Sign.NAME && NAMES.matcher(value).matches());
  }

  /** Whether it is in a remark, a row of signs or for an address of nobody: an example. */
  private static boolean isExplained(String text, Secret secret) {
    if (secret.sign() != Secret.Sign.NAME && !secret.kind().equals(LOGIN)) {
      return false;
    }
    if (secret.kind().equals(IN_ADDRESS)
        && NOBODY.matcher(text).region(secret.end(), text.length()).lookingAt()) {
      return true;
    }
    int line = text.lastIndexOf('\n', Math.max(0, secret.start() - 1)) + 1;
    if (DIGEST.matcher(text).region(secret.end(), text.length()).lookingAt()) {
      return true;
    }
    return REMARK
            .matcher(text.substring(Math.min(line, secret.start()), secret.start()))
            .lookingAt()
        || ROW.matcher(text.substring(secret.start(), secret.end())).find();
  }

  /** Whether a file is there to try something, and what it calls a password opens nothing. */
  private static boolean isTried(String path) {
    if (TestsOf.isTest(path)) {
      return true;
    }
    for (var word : path.toLowerCase(Locale.ROOT).split("[^a-z]+", -1)) {
      if (FIXTURES.contains(word)) {
        return true;
      }
    }
    return false;
  }

  /** Whether tests name a file, and nothing else that runs does. */
  private static boolean isUsedByTests(String path, Collection<SourceText> texts) {
    var name = path.substring(path.lastIndexOf('/') + 1);
    var named =
        texts.stream()
            .filter(text -> !text.path().equals(path) && !PROSE.matcher(text.path()).find())
            .filter(text -> text.content().contains(name))
            .toList();
    return !named.isEmpty() && named.stream().allMatch(text -> isTried(text.path()));
  }

  private static int lineFeeds(String text, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += text.charAt(i) == '\n' ? 1 : 0;
    }
    return count;
  }
}
