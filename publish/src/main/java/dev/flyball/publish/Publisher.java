package dev.flyball.publish;

import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.report.FindingComment;
import dev.flyball.review.report.MarkdownReport;
import dev.flyball.review.report.StoredReview;
import dev.flyball.review.select.SkipReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Posts a review where its pull request is discussed: once, however often that is tried.
 *
 * <p>What is there is read first, and only what is missing is posted. A finding is known by its id,
 * which outlives a push that moves its lines; each comment has that id in a hidden first line. So a
 * second review of the same code adds nothing, one that was killed between two requests goes on
 * where it was, and of a request whose reply was lost it is looked at whether it was done. A
 * comment whose finding is no longer found by a complete review is resolved. What a person has
 * resolved is not said again beside the code.
 *
 * <p>At most ten comments stand open at a time; the gravest come first, and the summary has the
 * rest. There is one summary, which is written again at each review, unless a review of a newer
 * commit has written it meanwhile.
 */
final class Publisher {
  private static final int MOST_COMMENTS = 10;
  private static final int TRIES = 3;
  private static final int LONGEST = MarkdownReport.LONGEST - 1_000;
  private static final int SHORT = 7;

  private final CodeHost host;
  private final boolean approves;

  Publisher(CodeHost host, boolean approves) {
    this.host = host;
    this.approves = approves;
  }

  Posting post(StoredReview stored, Discussion where) throws HostTrouble, InterruptedException {
    needToken(host.place());
    var now = host.read(where.name());
    if (now.state() != PullRequest.State.OPEN) {
      throw new HostTrouble(
          HostTrouble.Reason.CLOSED,
          "%s is %s: nothing is posted there".formatted(where.name(), now.state()));
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return new Round(stored, where, now).post();
      } catch (HostTrouble trouble) {
        if (trouble.reason() != HostTrouble.Reason.UNCERTAIN || attempt == TRIES) {
          throw trouble;
        }
      }
    }
  }

  static void needToken(HostPlace place) throws HostTrouble {
    if (place.token().isEmpty()) {
      throw new HostTrouble(
          HostTrouble.Reason.NO_TOKEN,
          "posting to %s needs a token: put one into %s".formatted(place, place.kind().variable()));
    }
  }

  /** One look at what is there, and what follows from it. */
  private final class Round {
    private final StoredReview stored;
    private final Discussion where;
    private final PullRequest now;
    private final PullRequest then;
    private final Posted posted;
    private final List<String> remarks = new ArrayList<>();

    Round(StoredReview stored, Discussion where, PullRequest now)
        throws HostTrouble, InterruptedException {
      this.stored = stored;
      this.where = where;
      this.now = now;
      this.then = now.at(where.base(), where.start(), where.head());
      this.posted = host.posted(where.name());
    }

    Posting post() throws HostTrouble, InterruptedException {
      boolean moved = !now.head().equals(where.head());
      if (moved
          && posted.summary().filter(it -> it.marker().head().equals(now.head())).isPresent()) {
        remarks.add("a newer commit has been reviewed already: nothing was posted");
        return new Posting(0, 0, 0, false, remarks, now.page());
      }
      if (moved) {
        remarks.add(
            "the branch has newer commits than %s: they are not in this review"
                .formatted(brief(where.head())));
      }
      var known =
          posted.comments().stream().map(Posted.Comment::finding).collect(Collectors.toSet());
      var open =
          posted.comments().stream()
              .filter(it -> !it.resolved())
              .map(Posted.Comment::finding)
              .collect(Collectors.toSet());
      var standing = stored.review().findings().stream().filter(Publisher::stands).toList();
      var ids = standing.stream().map(Finding::id).collect(Collectors.toSet());
      var fixed = fixed(ids);
      var told = new HashSet<>(open);
      told.retainAll(ids);
      var fresh =
          standing.stream()
              .filter(it -> where.anchors().containsKey(it.id()) && !known.contains(it.id()))
              .limit(Math.max(0, MOST_COMMENTS - told.size()))
              .map(this::comment)
              .toList();
      boolean first = posted.summary().isEmpty();
      Set<String> placed = Set.of();
      if (first || !fresh.isEmpty()) {
        placed =
            host.post(
                then, fresh, now -> first ? summary(union(told, now)) : line(now.size()), first);
        if (placed.size() < fresh.size()) {
          remarks.add(
              "%s did not take %d comments beside the code: they are in the summary"
                  .formatted(host.place().kind().title(), fresh.size() - placed.size()));
        }
      }
      for (var comment : fixed) {
        host.resolve(where.name(), comment);
      }
      if (!first) {
        var body = summary(union(told, placed));
        if (!body.equals(posted.summary().get().body())) {
          host.edit(where.name(), posted.summary().get(), body);
        }
      }
      int there = (int) ids.stream().filter(known::contains).count();
      return new Posting(placed.size(), there, fixed.size(), approval(moved), remarks, now.page());
    }

    /** Only a complete review knows that something is gone. */
    private List<Posted.Comment> fixed(Set<String> standing) {
      return isComplete()
          ? posted.comments().stream()
              .filter(it -> !it.resolved() && !standing.contains(it.finding()))
              .toList()
          : List.of();
    }

    private boolean isComplete() {
      return switch (stored.review().verdict()) {
        case APPROVED, APPROVED_WITH_COMMENTS, NEEDS_WORK, CHANGES_REQUESTED, NOTHING_TO_REVIEW ->
            stored.review().coverage().complete();
        case INCOMPLETE, SIMULATED, STATIC_ONLY -> false;
      };
    }

    private NewComment comment(Finding finding) {
      var at = where.anchors().get(finding.id());
      if (at == null) {
        throw new IllegalStateException("a comment has its lines");
      }
      var text =
          FindingComment.of(
              finding,
              Optional.ofNullable(where.replacements().get(finding.id())),
              host.suggestion(at.line() - at.startLine() + 1));
      return new NewComment(
          finding.id(), at, Marker.of(finding.id(), where.head(), stored.run()).before(text));
    }

    private String summary(Set<String> beside) {
      var text =
          MarkdownReport.of(stored.review(), beside, LONGEST)
              + "\n<sub>commit "
              + brief(where.head())
              + " · run "
              + stored.run()
              + "</sub>\n";
      return Marker.ofSummary(where.head(), stored.run(), isComplete()).before(text);
    }

    private String line(int comments) {
      return comments == 1
          ? "One more finding at %s; the summary is in the first review."
              .formatted(brief(where.head()))
          : "%d more findings at %s; the summary is in the first review."
              .formatted(comments, brief(where.head()));
    }

    /** Gives an approval, or takes an earlier one back. */
    private boolean approval(boolean moved) throws HostTrouble, InterruptedException {
      var against = moved ? Optional.of("the branch has newer commits") : against(stored);
      if (against.isPresent()) {
        if (approves) {
          remarks.add("not approved: " + against.get());
        }
        if (posted.approval().isPresent() && !moved) {
          host.takeBack(where.name(), posted.approval().get());
          remarks.add("the approval of an earlier review was withdrawn");
        }
        return false;
      }
      if (!approves) {
        return false;
      }
      if (posted.approval().isPresent()) {
        return true;
      }
      try {
        host.approve(then, "Flyball has reviewed all of %s.".formatted(brief(where.head())));
        return true;
      } catch (HostTrouble refused) {
        if (refused.reason() == HostTrouble.Reason.INVALID
            || refused.reason() == HostTrouble.Reason.READ_ONLY) {
          remarks.add("not approved: " + refused.getMessage());
          return false;
        }
        throw refused;
      }
    }
  }

  /** Why a review approves nothing; empty if it may. */
  static Optional<String> against(StoredReview stored) {
    var review = stored.review();
    if (review.verdict() != Verdict.APPROVED) {
      return Optional.of("the verdict is " + review.verdict().words());
    }
    var left =
        review.coverage().skipped().stream()
            .filter(it -> !it.reason().equals(SkipReason.REVIEWED_BEFORE.text()))
            .count();
    if (left > 0 || !review.coverage().complete()) {
      return Optional.of(left == 1 ? "1 file was left out" : left + " files were left out");
    }
    boolean whole =
        review
            .usage()
            .filter(
                it ->
                    it.dropped().isEmpty()
                        && it.lost() == 0
                        && it.ending() == ReviewUsage.Ending.COMPLETION)
            .isPresent();
    return whole ? Optional.empty() : Optional.of("not everything was asked");
  }

  private static boolean stands(Finding finding) {
    return !finding.baseline() && finding.refuted().isEmpty();
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    var all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }

  private static String brief(String commit) {
    return commit.substring(0, Math.min(SHORT, commit.length()));
  }
}
