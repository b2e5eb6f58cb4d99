package dev.flyball.review.plan;

import dev.flyball.review.finding.SourceText;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Context;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The units of a change: windows of its files, and where these are many, a pass across them. */
final class ChangeUnits {
  private static final int FILES_OF_A_BATCH = 10;
  private static final long SMALLEST = 4_000;

  private final Subject subject;
  private final Map<String, TextDigest> digests;
  private final ReviewMode mode;
  private final UnitBuilder units;
  private final PlanRequest request;

  ChangeUnits(
      Subject subject, Map<String, TextDigest> digests, ReviewMode mode, UnitBuilder units) {
    this.subject = subject;
    this.digests = digests;
    this.mode = mode;
    this.units = units;
    this.request = units.request();
  }

  /** By what is asked together, the most important first. */
  Map<LensGroup, List<Unit>> byGroup() throws SourceUnavailable {
    var all = new LinkedHashMap<LensGroup, List<Unit>>();
    var parts = parts();
    for (var group : groups()) {
      all.put(group, units.sampled(units(group, parts)));
    }
    int batches = all.values().stream().mapToInt(List::size).max().orElse(0) / request.samples();
    if (batches > 1 && isBatched()) {
      var across = units.across();
      all.put(across, units.sampled(List.of(across(across))));
    }
    return all;
  }

  private boolean isBatched() {
    return mode == ReviewMode.INCREMENTAL || mode == ReviewMode.CHUNKED;
  }

  private List<FileChange> changes() {
    return subject.items().stream().map(item -> item.change().orElseThrow()).toList();
  }

  /** The lenses that are asked together in this mode. */
  private List<LensGroup> groups() {
    var lenses = request.lenses();
    return switch (mode) {
      case SEQUENTIAL -> List.of(units.group(lenses, Tier.DEEP));
      case PARALLEL ->
          lenses.stream().map(lens -> units.group(List.of(lens), lens.tier())).toList();
      case INCREMENTAL, CHUNKED -> {
        var groups = new ArrayList<LensGroup>();
        lenses.stream()
            .filter(lens -> lens.tier() == Tier.DEEP)
            .forEach(lens -> groups.add(units.group(List.of(lens), Tier.DEEP)));
        var fast = lenses.stream().filter(lens -> lens.tier() == Tier.FAST).toList();
        if (!fast.isEmpty()) {
          groups.add(units.group(fast, Tier.FAST));
        }
        yield groups;
      }
    };
  }

  /** The parts that are reviewed by themselves: commits, if a large change has more than one. */
  private List<List<Subject.Item>> parts() {
    if (mode != ReviewMode.CHUNKED || subject.commits().size() < 2) {
      return List.of(subject.items());
    }
    Map<String, Integer> last = new HashMap<>();
    for (int i = 0; i < subject.commits().size(); i++) {
      for (var path : subject.commits().get(i).paths()) {
        last.put(path, i);
      }
    }
    Map<Integer, List<Subject.Item>> parts = new TreeMap<>();
    for (var item : subject.items()) {
      parts
          .computeIfAbsent(
              last.getOrDefault(item.path(), Integer.MAX_VALUE), part -> new ArrayList<>())
          .add(item);
    }
    return List.copyOf(parts.values());
  }

  private List<Unit> units(LensGroup group, List<List<Subject.Item>> parts)
      throws SourceUnavailable {
    var room = room(group);
    var cutter = new ExcerptCutter(request.measure(), group.tier(), room, 0);
    var runs = new ArrayList<List<Excerpt>>();
    for (var part : parts) {
      var excerpts = new ArrayList<Excerpt>();
      for (var item : part) {
        if (group.looksAt(item.path())) {
          excerpts.addAll(cutter.of(item.path(), windows(item)));
        }
      }
      excerpts.sort(
          Comparator.comparing(Excerpt::path, units.order()).thenComparingInt(Excerpt::line));
      runs.addAll(
          Halving.of(
              excerpts,
              excerpt -> units.key(excerpt.path()),
              run -> fits(run, group.tier(), room)));
    }
    var all = new ArrayList<Unit>();
    for (var excerpts : runs) {
      var facts = facts(group, excerpts);
      long output = UnitBuilder.findingsOutput(group, excerpts);
      all.add(units.unit(group, excerpts, List.of(), facts, output, all.size()));
    }
    return all;
  }

  private PromptRoom room(LensGroup group) {
    var room = request.room(group.tier());
    room = room.input(room.input() - group.size().of(group.tier()));
    if (isBatched()) {
      room = room.files(FILES_OF_A_BATCH);
    }
    if (request.budget().isPresent()) {
      long shares = Math.max(1, request.lenses().stream().mapToLong(Lens::share).sum());
      long usable = BudgetShares.usable(request.budget().getAsLong(), request.reserve());
      long all = mode == ReviewMode.SEQUENTIAL ? usable : usable / shares * group.share();
      long own = all / request.samples();
      // What others do not need passes down, so a small share is not all that there will be.
      room =
          room.input(
              Math.max(
                  SMALLEST, own - group.size().of(group.tier()) - UnitBuilder.OUTPUT_OF_A_LENS));
    }
    return room;
  }

  private static boolean fits(List<Excerpt> run, Tier tier, PromptRoom room) {
    return run.stream().mapToLong(each -> each.size().of(tier)).sum() <= room.input()
        && run.stream().map(Excerpt::path).distinct().count() <= room.files();
  }

  private List<ChangeWindows.Window> windows(Subject.Item item) throws SourceUnavailable {
    var change = item.change().orElseThrow();
    // Of a large file its hunks are enough, and all that there is room for.
    var text =
        item.gone() || !digests.containsKey(item.path())
            ? Optional.<String>empty()
            : subject.text(item.path());
    return ChangeWindows.of(
        change,
        text.map(content -> SourceText.of(item.path(), content)),
        Optional.ofNullable(digests.get(item.path())).map(TextDigest::outline),
        Complexity.isCritical(item.path()));
  }

  /** The tests among the files of the change, and for which of them. */
  private String facts(LensGroup group, List<Excerpt> excerpts) {
    if (group.lenses().stream().noneMatch(lens -> lens.context().contains(Context.TESTS))) {
      return "";
    }
    var tests = TestsOf.of(subject.items().stream().map(Subject.Item::path).toList());
    var facts = new StringBuilder();
    excerpts.stream()
        .map(Excerpt::path)
        .distinct()
        .filter(path -> !TestsOf.isTest(path))
        .forEach(
            path -> {
              var found = tests.tests(path);
              facts.append(PromptText.name(path)).append(": ");
              facts.append(
                  found.isEmpty()
                      ? "no test of it is part of this change\n"
                      : "this change has " + PromptText.names(found) + "\n");
            });
    return facts.toString();
  }

  /** The pass across all parts: every file with the symbols that changed in it. */
  private Unit across(LensGroup group) {
    var facts = new StringBuilder();
    for (var change : changes()) {
      facts.append(
          "%s %s +%d -%d"
              .formatted(
                  change.kind(), PromptText.name(change.path()), change.added(), change.deleted()));
      change
          .oldPath()
          .filter(old -> !old.equals(change.path()))
          .ifPresent(old -> facts.append(" from ").append(PromptText.name(old)));
      facts.append('\n');
      change.hunks().stream()
          .map(hunk -> PromptText.line(hunk.heading().strip()))
          .filter(heading -> !heading.isEmpty())
          .distinct()
          .forEach(heading -> facts.append("  ").append(heading).append('\n'));
    }
    long most = request.deep().input() - group.size().deep();
    var said = facts.toString();
    while (request.measure().of(said).deep() > most && said.length() > 1) {
      said = said.substring(0, said.length() / 2);
    }
    long output = UnitBuilder.OUTPUT_OF_A_LENS + UnitBuilder.OUTPUT_OF_SYMBOLS;
    return units.unit(group, List.of(), List.of(), said, output, 0);
  }
}
