package dev.flyball.review.run;

import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PastReview;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.report.StoredReview;
import dev.flyball.run.HistoryHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The last complete review of a pull request: of which commit, and what it has found.
 *
 * @param findings those that were open then
 */
public record EarlierReview(String head, Verdict verdict, List<Finding> findings) {
  private static final Set<Verdict> COMPLETE =
      Set.of(
          Verdict.APPROVED,
          Verdict.APPROVED_WITH_COMMENTS,
          Verdict.NEEDS_WORK,
          Verdict.CHANGES_REQUESTED,
          Verdict.NOTHING_TO_REVIEW);

  public EarlierReview {
    findings = List.copyOf(findings);
  }

  /**
   * The one that the history has.
   *
   * @param kept the same run in full, if it is still kept; the history knows less of a finding
   */
  public static Optional<EarlierReview> of(
      HistoryHandle history, ReviewedPull pull, Optional<StoredReview> kept)
      throws HistoryUnavailable, InterruptedException {
    var past = past(history, pull);
    return past.map(
        review ->
            new EarlierReview(
                review.sha(),
                verdict(review).orElse(Verdict.INCOMPLETE),
                kept.filter(it -> it.review().verdict() == verdict(review).orElse(null))
                    .map(it -> it.review().findings())
                    .orElseGet(
                        () -> review.findings().stream().map(EarlierReview::finding).toList())));
  }

  /** The commit of the last complete review of a pull request. */
  public static Optional<String> head(HistoryHandle history, ReviewedPull pull)
      throws HistoryUnavailable, InterruptedException {
    return past(history, pull).map(PastReview::sha);
  }

  private static Optional<PastReview> past(HistoryHandle history, ReviewedPull pull)
      throws HistoryUnavailable, InterruptedException {
    var store = history.read();
    if (store.isEmpty()) {
      return Optional.empty();
    }
    return store.get().reviews(pull.platform(), pull.repository(), pull.number()).stream()
        .filter(review -> verdict(review).filter(COMPLETE::contains).isPresent())
        .findFirst();
  }

  private static Optional<Verdict> verdict(PastReview review) {
    return Arrays.stream(Verdict.values())
        .filter(each -> each.toString().equals(review.decision()))
        .findFirst();
  }

  private static Finding finding(PastReview.Finding past) {
    Place place =
        past.file().isEmpty()
            ? new Place.Whole()
            : past.line() < 1
                ? Place.ofFile(past.file())
                : new Place.Lines(past.file(), past.line(), 1, past.line(), 1, DiffSide.RIGHT);
    var title = past.title().isBlank() ? past.id() : past.title();
    var lens = past.lens().isBlank() ? "earlier" : past.lens();
    return new Finding(
        past.id(),
        new Claim(
            lens,
            place,
            Severity.of(past.severity()).orElse(Severity.MINOR),
            Category.of(past.category()),
            List.of(lens.split(",", -1)),
            title,
            past.text().isBlank() ? title : past.text(),
            Optional.empty(),
            Optional.empty(),
            List.of("an earlier review"),
            Math.clamp(past.confidence(), 0, 1)),
        false);
  }

  /** What it has found in files that are as they were then, and in no file at all. */
  public List<Finding> outside(Set<String> changed) {
    return findings.stream()
        .filter(finding -> finding.place().file().filter(changed::contains).isEmpty())
        .toList();
  }
}
