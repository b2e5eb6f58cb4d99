package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens.Reply;
import dev.flyball.review.relation.TestsOf;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The way from a subject to a plan: it is read and measured, cut into units, and these are held
 * against the budget. Nothing is sent.
 */
public final class Planner {
  private static final long ROUND = 10_000;
  private static final int LONGEST_PURPOSE = 6_000;

  /**
   * Lines of a commit that say who signed it, ticked boxes of a form, and what programs write that
   * raise versions: the subject says it all.
   */
  private static final Pattern FORMAL =
      Pattern.compile(
          "(?im)^(?:(?:signed-off|co-authored|reviewed|acked|tested|reported|suggested|helped)-by"
              + "|change-id|cc)\\s*+:.*+\\R?"
              + "|^[ \\t]*+[-*] \\[[ x]\\].*+\\R?(?:^[ \\t]*+[^-*#\\s].*+\\R?)*+"
              + "|^bumps \\[.*+\\R?"
              + "|^[-*] \\[[^\\]\\n]*+\\]\\([^)\\n]*+\\)[ \\t]*+$\\R?"
              + "|^updated-dependencies:.*+\\R?(?:^[- ].*+\\R?)*+"
              + "|^(?:-{3,}+|\\.\\.\\.)[ \\t]*+$\\R?");

  private final Subject subject;
  private final PlanRequest request;
  private final Map<String, TextDigest> digests;
  private final DigestStore store;
  private final UnitBuilder units;

  private Planner(
      Subject subject, PlanRequest request, Map<String, TextDigest> digests, DigestStore store) {
    this.subject = subject;
    this.request = request;
    this.digests = digests;
    this.store = store;
    this.units = new UnitBuilder(request, store, subject.isChange() ? purpose() : "");
  }

  /** What the authors of a change say that it is for; the first of it, where that is long. */
  private String purpose() {
    var text = new StringBuilder(request.purpose().strip());
    if (!text.isEmpty()) {
      text.append("\n\n");
    }
    subject.commits().forEach(it -> text.append("commit: ").append(it.subject()).append('\n'));
    for (var commit : subject.commits()) {
      var body = meant(commit.body());
      if (!body.isEmpty()) {
        text.append('\n');
        if (subject.commits().size() > 1) {
          text.append(commit.subject()).append("\n\n");
        }
        text.append(body).append('\n');
      }
    }
    return text.length() <= LONGEST_PURPOSE
        ? text.toString()
        : text.substring(0, text.lastIndexOf("\n", LONGEST_PURPOSE) + 1) + "...\n";
  }

  /** What somebody wrote there for whoever reads it. */
  static String meant(String body) {
    return FORMAL.matcher(body).replaceAll("").strip();
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
    var groups = units.shared(new ChangeUnits(subject, digests, mode, units, store).byGroup());
    var advice = new ArrayList<String>();
    if (mode == ReviewMode.CHUNKED) {
      advice.add(
          "%,d files and %,d lines are a lot for one change: it is reviewed in parts, and what happens"
                  .formatted(paths.size(), lines)
              + " between the parts is easier to miss; split it if you can");
    }
    return budgeted(groups, Optional.of(mode), complexity, lines, advice);
  }

  private ReviewPlan repository() {
    var groups = units.shared(new RepositoryUnits(subject, digests, units).byGroup());
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
    var budget = mode.isPresent() ? budget(groups) : request.budget();
    if (budget.isEmpty()) {
      groups.values().forEach(units::addAll);
    } else {
      long most = budget.getAsLong();
      long left = most - divided(groups, true, most, units, beyond, dropped);
      long kept = most - BudgetShares.usable(most, request.reserve());
      divided(groups, false, Math.max(0, left - kept), units, beyond, dropped);
    }
    var asked = new HashSet<String>();
    units.forEach(unit -> asked.addAll(unit.files()));
    beyond.forEach(unit -> asked.addAll(unit.files()));
    return new ReviewPlan(
        scope(groups, asked, mode, complexity, lines),
        units,
        beyond,
        dropped,
        budget,
        dropped.isEmpty() && beyond.isEmpty() ? OptionalLong.empty() : enough(groups),
        advice);
  }

  /** What was said, else enough for the longest answers and for asking some of it again. */
  private OptionalLong budget(Map<LensGroup, List<Unit>> groups) {
    if (request.budget().isPresent()) {
      return request.budget();
    }
    long need = groups.values().stream().flatMap(List::stream).mapToLong(Unit::mostTokens).sum();
    return OptionalLong.of(
        Math.clamp(need * 5 / 4, BudgetShares.SMALLEST_USUAL, BudgetShares.LARGEST_USUAL));
  }

  /** Divides tokens among the groups that are required, or those that are not; what they take. */
  private static long divided(
      Map<LensGroup, List<Unit>> groups,
      boolean required,
      long tokens,
      List<Unit> units,
      List<Unit> beyond,
      List<String> dropped) {
    var byShare = new LinkedHashMap<BudgetShares.Group, Map.Entry<LensGroup, List<Unit>>>();
    groups.entrySet().stream()
        .filter(entry -> entry.getKey().required() == required)
        .forEach(entry -> byShare.put(share(entry.getKey(), entry.getValue()), entry));
    var shares = BudgetShares.of(tokens, List.copyOf(byShare.keySet()));
    long taken = 0;
    for (var each : byShare.entrySet()) {
      var share = each.getKey();
      var group = each.getValue();
      if (shares.dropped().contains(share)) {
        group.getKey().lenses().forEach(lens -> dropped.add(lens.name()));
        beyond.addAll(group.getValue());
        continue;
      }
      long left = shares.granted().getOrDefault(share, 0L);
      for (var unit : group.getValue()) {
        boolean fits = unit.tokens() <= left;
        (fits ? units : beyond).add(unit);
        left -= fits ? unit.tokens() : 0;
        taken += fits ? unit.tokens() : 0;
      }
    }
    return taken;
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
    boolean onlySymbols =
        groups.keySet().stream()
            .flatMap(group -> group.lenses().stream())
            .allMatch(lens -> lens.reply() == Reply.SYMBOLS);
    var skipped = new ArrayList<>(subject.skipped());
    for (var item : subject.items()) {
      var path = item.path();
      if (asked.contains(path)) {
        continue;
      }
      var digest = digests.get(path);
      if (!request.tests().asksAny() && TestsOf.isTest(path)) {
        skipped.add(new TreeEntry.Skipped(path, SkipReason.A_TEST));
      } else if (subject.isChange()) {
        skipped.add(new TreeEntry.Skipped(path, SkipReason.NOT_ASKED, subject.isSource(path)));
      } else if (digest != null) {
        boolean none =
            onlySymbols && digest.symbols().isEmpty() && digest.outline().language().isEmpty();
        skipped.add(
            new TreeEntry.Skipped(path, none ? SkipReason.NO_SYMBOLS : SkipReason.NOT_ASKED));
      }
    }
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
