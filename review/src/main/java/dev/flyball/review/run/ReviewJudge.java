package dev.flyball.review.run;

import dev.flyball.review.ask.ModelClient;
import dev.flyball.review.ask.UnitRunner;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.ClaimMerge;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.select.TreeEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Puts together what checks and models have said, and how much of the subject that is about. */
final class ReviewJudge {
  /**
   * The findings of all, merged.
   *
   * @param unsure how many were left out because nobody was sure enough of them
   */
  record Judged(List<Finding> findings, long unsure) {}

  private final ReviewPlan plan;
  private final SubjectTexts texts;

  ReviewJudge(ReviewPlan plan, SubjectTexts texts) {
    this.plan = plan;
    this.texts = texts;
  }

  Judged findings(StaticReview looked, UnitRunner.Answers answers, Baseline baseline) {
    var claims = new ArrayList<>(looked.claims());
    claims.addAll(answers.claims());
    var merged = ClaimMerge.of(claims);
    var sure = merged.stream().filter(ClaimMerge::isSureEnough).toList();
    var identified = Finding.identify(sure, texts::of);
    return new Judged(
        baseline.apply(identified, path -> true).findings(), merged.size() - sure.size());
  }

  /** Those that were not overruled. */
  static List<Finding> standing(List<Finding> findings, List<Contradiction> settled) {
    var overruled = new HashSet<String>();
    settled.forEach(pair -> pair.overruled().forEach(finding -> overruled.add(finding.id())));
    return findings.stream().filter(finding -> !overruled.contains(finding.id())).toList();
  }

  /** Of how much every unit has its answer. */
  ReviewCoverage coverage(List<Unit> units, UnitRunner.Answers answers) {
    var skipped =
        plan.scope().skipped().stream()
            .map(file -> new ReviewCoverage.Skipped(file.path(), file.why().text()))
            .toList();
    var unanswered = new ArrayList<String>();
    plan.scope().skipped().stream()
        .filter(TreeEntry.Skipped::missed)
        .forEach(
            file ->
                unanswered.add(
                    "%s (changed source that was not shown: %s)"
                        .formatted(file.path(), file.why().text())));
    var open = new TreeSet<String>();
    for (var each : answers.unanswered()) {
      if (each.cause() == ModelClient.Cause.BUDGET && !each.unit().required()) {
        continue;
      }
      for (var what : each.what()) {
        open.add(what.replaceFirst("#.*", ""));
        unanswered.add(each.unit().part() + ": " + what + " (" + each.why() + ")");
      }
    }
    var files =
        units.stream()
            .flatMap(unit -> unit.files().stream())
            .distinct()
            .collect(Collectors.toSet());
    files.removeAll(open);
    int all = plan.scope().files() + skipped.size();
    return new ReviewCoverage(all, Math.min(all, files.size()), skipped, unanswered);
  }
}
