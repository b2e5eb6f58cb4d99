package dev.flyball.review.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.file.UnlinkedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A review that asked no model, and approves nothing.
 *
 * @param known what the baseline had to say about it
 */
public record UnaskedReview(Review review, Baseline.Applied known) {
  /** Of what the checks have found. */
  public static UnaskedReview of(Subject subject, StaticReview looked)
      throws SourceUnavailable, Baseline.Damaged {
    var known = baseline(subject).apply(looked.findings(), looked.texts()::containsKey);
    return new UnaskedReview(
        new Review(
            subject.isEmpty() ? Verdict.NOTHING_TO_REVIEW : Verdict.STATIC_ONLY,
            "static",
            looked.coverage(),
            known.findings(),
            List.of(),
            Optional.empty()),
        known);
  }

  /** What is known and put up with: of a change, as it stood before it. */
  public static Baseline baseline(Subject subject) throws SourceUnavailable, Baseline.Damaged {
    var text = subject.before(Baseline.PATH);
    return text.isPresent() ? Baseline.read(text.get(), Baseline.PATH) : Baseline.EMPTY;
  }

  /** Makes what was found known from now on; returns where that is kept. */
  public static Path keep(Subject subject, StaticReview looked) throws IOException {
    return UnlinkedFile.replace(
        subject.root(), Baseline.PATH, Baseline.of(looked.findings()).json().getBytes(UTF_8));
  }
}
