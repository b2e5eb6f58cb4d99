package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens.Reply;
import dev.flyball.review.select.SkipReason;
import dev.flyball.review.select.Subject;
import dev.flyball.review.select.TreeEntry;
import dev.flyball.review.source.Commit;
import dev.flyball.review.source.SourceUnavailable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The way from a subject to a plan: it is read and measured, cut into units, and these are held
 * against the budget. Nothing is sent.
 */
public final class Planner {
  private static final long ROUND = 10_000;

  private final Subject subject;
  private final PlanRequest request;
  private final Map<String, TextDigest> digests;
  private final UnitBuilder units;

  private Planner(
      Subject subject, PlanRequest request, Map<String, TextDigest> digests, DigestStore store) {
    this.subject = subject;
    this.request = request;
    this.digests = digests;
    this.units = new UnitBuilder(request, store);
  }

  public static ReviewPlan plan(
      Subject subject, PlanRequest request, DigestStore store, SubjectReading.Progress progress)
      throws SourceUnavailable, InterruptedException {
    var digests = SubjectReading.of(subject, store, request.measure(), progress);
    var planner = new Planner(subject, request, digests, store);
    return subject.isChange() ? planner.change() : planner.repository();
  }

  private ReviewPlan change() throws SourceUnavailable {
    long lines =
        subject.items().stream()
            .map(item -> item.change().orElseThrow())
            .mapToLong(each -> each.added() + each.deleted())
            .sum();
    var paths = subject.items().stream().map(Subject.Item::path).toList();
    var words = subject.commits().stream().map(Commit::subject).collect(Collectors.joining("\n"));
    int complexity = Complexity.of(paths, words);
    var mode =
        request
            .mode()
            .orElseGet(
                () ->
                    ReviewMode.of(
                        paths.size(), (int) Math.min(Integer.MAX_VALUE, lines), complexity));
    var groups = new ChangeUnits(subject, digests, mode, units).byGroup();
    var advice = new ArrayList<String>();
    if (mode == ReviewMode.CHUNKED) {
      advice.add(
          "%d files and %d lines are much for one change: reviewed in parts, each is seen well and"
                  .formatted(paths.size(), lines)
              + " what is between them less so; split it, if you can");
    }
    return budgeted(groups, Optional.of(mode), complexity, lines, advice);
  }

  private ReviewPlan repository() {
    var groups = new RepositoryUnits(digests, units).byGroup();
    long lines = digests.values().stream().mapToLong(each -> each.outline().lines()).sum();
    return budgeted(groups, Optional.empty(), 0, lines, List.of());
  }

  private ReviewPlan budgeted(
      Map<LensGroup, List<Unit>> groups,
      Optional<ReviewMode> mode,
      int complexity,
      long lines,
      List<String> advice) {
    var units = new ArrayList<Unit>();
    var beyond = new ArrayList<Unit>();
    var dropped = new ArrayList<String>();
    if (request.budget().isEmpty()) {
      groups.values().forEach(units::addAll);
    } else {
      var byShare = new LinkedHashMap<BudgetShares.Group, Map.Entry<LensGroup, List<Unit>>>();
      groups
          .entrySet()
          .forEach(entry -> byShare.put(share(entry.getKey(), entry.getValue()), entry));
      var shares =
          BudgetShares.of(
              BudgetShares.usable(request.budget().getAsLong(), request.reserve()),
              List.copyOf(byShare.keySet()));
      byShare.forEach(
          (share, entry) -> {
            if (shares.dropped().contains(share)) {
              entry.getKey().lenses().forEach(lens -> dropped.add(lens.name()));
              return;
            }
            long left = shares.granted().getOrDefault(share, 0L);
            for (var unit : entry.getValue()) {
              boolean fits = unit.tokens() <= left;
              (fits ? units : beyond).add(unit);
              left -= fits ? unit.tokens() : 0;
            }
          });
    }
    var asked = new HashSet<String>();
    units.forEach(unit -> asked.addAll(unit.files()));
    beyond.forEach(unit -> asked.addAll(unit.files()));
    return new ReviewPlan(
        scope(groups, asked, mode, complexity, lines),
        units,
        beyond,
        dropped,
        request.budget(),
        dropped.isEmpty() && beyond.isEmpty() ? OptionalLong.empty() : enough(groups),
        advice);
  }

  private PlanScope scope(
      Map<LensGroup, List<Unit>> groups,
      Set<String> asked,
      Optional<ReviewMode> mode,
      int complexity,
      long lines) {
    var skipped = skipped(groups, asked);
    return new PlanScope(
        subject.title(),
        mode,
        complexity,
        subject.items().size() + subject.skipped().size() - skipped.size(),
        lines,
        digests.values().stream().mapToInt(each -> each.symbols().size()).sum(),
        skipped,
        sizes());
  }

  /** The files that the subject leaves out, and those that no lens asks about. */
  private List<TreeEntry.Skipped> skipped(Map<LensGroup, List<Unit>> groups, Set<String> asked) {
    if (subject.isChange()) {
      return Stream.concat(
              subject.skipped().stream(),
              subject.items().stream()
                  .map(Subject.Item::path)
                  .filter(path -> !asked.contains(path))
                  .map(
                      path ->
                          new TreeEntry.Skipped(
                              path, SkipReason.NOT_ASKED, subject.isSource(path))))
          .sorted(Comparator.comparing(TreeEntry.Skipped::path))
          .toList();
    }
    boolean onlySymbols =
        groups.keySet().stream()
            .flatMap(group -> group.lenses().stream())
            .allMatch(lens -> lens.reply() == Reply.SYMBOLS);
    var skipped = new ArrayList<>(subject.skipped());
    digests.forEach(
        (path, digest) -> {
          if (onlySymbols && digest.symbols().isEmpty()) {
            skipped.add(new TreeEntry.Skipped(path, SkipReason.NO_SYMBOLS));
          }
        });
    skipped.sort(Comparator.comparing(TreeEntry.Skipped::path));
    return skipped;
  }

  /**
   * A budget so large that what it leaves after the reserve is all that is needed, in round
   * figures.
   */
  private OptionalLong enough(Map<LensGroup, List<Unit>> groups) {
    long need = groups.values().stream().flatMap(List::stream).mapToLong(Unit::tokens).sum();
    long whole = Math.ceilDiv(need * 100, 100 - request.reserve());
    return OptionalLong.of(Math.ceilDiv(whole, ROUND) * ROUND);
  }

  private static BudgetShares.Group share(LensGroup group, List<Unit> units) {
    long need = units.stream().mapToLong(Unit::tokens).sum();
    return new BudgetShares.Group(group.name(), group.required(), group.share(), need);
  }

  private List<PlanScope.FileSize> sizes() {
    return digests.entrySet().stream()
        .map(
            entry ->
                new PlanScope.FileSize(
                    entry.getKey(),
                    request
                        .measure()
                        .of(entry.getValue().counts(), entry.getValue().characters())
                        .deep(),
                    entry.getValue().symbols().size()))
        .toList();
  }
}
