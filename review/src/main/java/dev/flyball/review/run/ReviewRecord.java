package dev.flyball.review.run;

import dev.flyball.history.record.PastReview;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** A review as its history keeps it. */
final class ReviewRecord {
  /** Where reviews are that nobody's platform asked for. */
  private static final String HERE = "local";

  private ReviewRecord() {}

  static PastReview of(
      Subject subject,
      ReviewEnd ended,
      OptionalLong budget,
      Instant started,
      Optional<ReviewedPull> pull) {
    var review = ended.review();
    var commits = subject.commits();
    return new PastReview(
        pull.map(ReviewedPull::key)
            .orElseGet(
                () ->
                    new PastReview.Key(
                        HERE,
                        subject
                            .address()
                            .orElseGet(() -> String.valueOf(subject.root().getFileName())),
                        subject.title(),
                        started)),
        pull.map(ReviewedPull::head)
            .orElseGet(() -> commits.isEmpty() ? content(subject) : commits.getLast().id()),
        started.plus(ended.usage().took()),
        review.verdict().toString(),
        summary(review.findings()),
        ended.usage().tokens(),
        budget.orElse(0),
        review.mode(),
        ended.usage().took(),
        review.findings().stream().map(ReviewRecord::finding).toList());
  }

  /** What is the same for what is the same, also of what is not committed; empty if unreadable. */
  private static String content(Subject subject) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var item : subject.items()) {
        digest.update((item.path() + '\n').getBytes(StandardCharsets.UTF_8));
        digest.update(String.valueOf(item.change()).getBytes(StandardCharsets.UTF_8));
        digest.update(subject.bytes(item.path()).orElse(new byte[0]));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (SourceUnavailable gone) {
      return "";
    } catch (NoSuchAlgorithmException missing) {
      throw new AssertionError("every Java has SHA-256", missing);
    }
  }

  private static String summary(List<Finding> findings) {
    return Arrays.stream(Severity.values())
        .sorted((one, other) -> other.compareTo(one))
        .map(
            severity ->
                findings.stream().filter(finding -> finding.severity() == severity).count()
                    + " "
                    + severity)
        .collect(Collectors.joining(", "));
  }

  private static PastReview.Finding finding(Finding finding) {
    var claim = finding.claim();
    return new PastReview.Finding(
        finding.id(),
        claim.place().file().orElse(""),
        claim.place() instanceof Place.Lines lines ? lines.line() : 0,
        claim.severity().toString(),
        claim.category().toString(),
        String.join(",", claim.lenses()),
        claim.title(),
        claim.message(),
        claim.confidence(),
        claim.evidence().orElse(""));
  }
}
