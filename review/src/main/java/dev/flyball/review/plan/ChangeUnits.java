package dev.flyball.review.plan;

import dev.flyball.review.finding.SourceText;
import dev.flyball.review.lens.Lens.Context;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.relation.ChangeNeighbours;
import dev.flyball.review.relation.FileClusters;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The units of a change. What changed is packed into windows by what has to do with what, each with
 * the code around it that a reader would look up; the windows are the same for all lenses. Where
 * there are several, a pass across them follows.
 */
final class ChangeUnits {
  private static final int FILES_OF_A_WINDOW = 24;
  private static final long SMALLEST = 4_000;

  /** Of a window, for definitions and callers. */
  private static final int BESIDES = 20;

  private static final int WINDOWS_IN_A_BUDGET = 4;

  private final Subject subject;
  private final Map<String, TextDigest> digests;
  private final ReviewMode mode;
  private final UnitBuilder units;
  private final PlanRequest request;
  private final DigestStore store;
  private final TestsOf brought;
  private final TestsOf there;

  ChangeUnits(
      Subject subject,
      Map<String, TextDigest> digests,
      ReviewMode mode,
      UnitBuilder units,
      DigestStore store) {
    this.subject = subject;
    this.digests = digests;
    this.mode = mode;
    this.units = units;
    this.request = units.request();
    this.store = store;
    var paths = new TreeSet<>(subject.items().stream().map(Subject.Item::path).toList());
    this.brought = TestsOf.of(List.copyOf(paths));
    paths.addAll(subject.pathsNow());
    this.there = TestsOf.of(List.copyOf(paths));
  }

  /** By what is asked together, the most important first. */
  Map<LensGroup, List<Unit>> byGroup() throws SourceUnavailable {
    var groups = groups();
    var changed = changed();
    var around = around(changed);
    var windows = windows(groups, around);
    var all = new LinkedHashMap<LensGroup, List<Unit>>();
    for (var group : groups) {
      all.put(group, units.sampled(units(group, windows, around)));
    }
    if (windows.size() > 1) {
      var group = units.across();
      var material = new AcrossMaterial(subject, changed, request);
      var facts = material.facts();
      long room = units.left(group, List.of()) - request.measure().about(facts).of(Tier.LEAD);
      long output = 2 * (UnitBuilder.OUTPUT_OF_A_LENS + UnitBuilder.OUTPUT_OF_SYMBOLS);
      all.put(
          group, List.of(units.unit(group, material.excerpts(room), List.of(), facts, output, 0)));
    }
    return all;
  }

  /**
   * The lenses that are asked together: those that need thought each by itself, the others in one
   * question; where a change is complex, all by themselves.
   */
  private List<LensGroup> groups() {
    var lenses = request.lenses();
    if (mode == ReviewMode.PARALLEL) {
      return lenses.stream().map(lens -> units.group(List.of(lens), lens.tier())).toList();
    }
    var groups = new ArrayList<LensGroup>();
    lenses.stream()
        .filter(lens -> lens.tier() == Tier.DEEP)
        .forEach(lens -> groups.add(units.group(List.of(lens), Tier.DEEP)));
    var fast = lenses.stream().filter(lens -> lens.tier() == Tier.FAST).toList();
    if (!fast.isEmpty()) {
      groups.add(units.group(fast, Tier.FAST));
    }
    return groups;
  }

  private List<Unit> units(
      LensGroup group,
      List<List<Excerpt>> windows,
      Map<String, ChangeNeighbours.Surroundings> around) {
    var all = new ArrayList<Unit>();
    for (var window : windows) {
      var excerpts =
          window.stream().filter(it -> it.reference() || group.looksAt(it.path())).toList();
      var judged = excerpts.stream().filter(it -> !it.reference()).toList();
      if (!judged.isEmpty()) {
        long output = UnitBuilder.findingsOutput(group, judged);
        var facts = facts(group, judged, around);
        all.add(units.unit(group, excerpts, List.of(), facts, output, all.size()));
      }
    }
    return all;
  }

  /** What changed, packed, with the code around it. */
  private List<List<Excerpt>> windows(
      List<LensGroup> groups, Map<String, ChangeNeighbours.Surroundings> around)
      throws SourceUnavailable {
    Set<Tier> tiers = EnumSet.noneOf(Tier.class);
    groups.forEach(group -> tiers.add(group.tier()));
    Map<Tier, Long> whole = new LinkedHashMap<>();
    Map<Tier, Long> rooms = new LinkedHashMap<>();
    tiers.forEach(tier -> whole.put(tier, budgeted(units.room(groups, tier, 4))));
    tiers.forEach(tier -> rooms.put(tier, budgeted(units.room(groups, tier, BESIDES))));
    var narrow = rooms.entrySet().stream().min(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    if (narrow.isEmpty()) {
      return List.of();
    }
    var room = new PromptRoom(rooms.getOrDefault(narrow.get(), 1L), 1, FILES_OF_A_WINDOW);
    var cutter = new ExcerptCutter(request.measure(), narrow.get(), room, 0);
    Map<String, List<Excerpt>> excerpts = new TreeMap<>();
    for (var item : subject.items()) {
      if (request.tests().asksAny() || !TestsOf.isTest(item.path())) {
        excerpts.put(item.path(), cutter.of(item.path(), windows(item)));
      }
    }
    var keys = related(excerpts.keySet());
    var all = new ArrayList<Excerpt>();
    excerpts.values().forEach(all::addAll);
    all.sort(
        Comparator.comparing((Excerpt it) -> keys.getOrDefault(it.path(), it.path()))
            .thenComparingInt(Excerpt::line));
    return Halving.of(all, it -> keys.getOrDefault(it.path(), it.path()), run -> fits(run, rooms))
        .stream()
        .map(run -> withNeighbours(run, whole, around))
        .toList();
  }

  /** A budget that is small in all makes for small windows, so that some of it is seen at least. */
  private long budgeted(long room) {
    return request.budget().isPresent()
        ? Math.min(room, Math.max(SMALLEST, request.budget().getAsLong() / WINDOWS_IN_A_BUDGET))
        : room;
  }

  private Map<String, String> related(Set<String> paths) {
    Map<String, Outline> outlines = new TreeMap<>();
    digests.forEach((path, digest) -> outlines.put(path, digest.outline()));
    return FileClusters.keys(List.copyOf(paths), outlines);
  }

  private static boolean fits(List<Excerpt> run, Map<Tier, Long> rooms) {
    return rooms.entrySet().stream().allMatch(room -> tokens(run, room.getKey()) <= room.getValue())
        && run.stream().map(Excerpt::path).distinct().count() <= FILES_OF_A_WINDOW;
  }

  private static long tokens(List<Excerpt> run, Tier tier) {
    return run.stream().mapToLong(each -> each.size().of(tier) + ExcerptCutter.TOKENS_AROUND).sum();
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

  /** What each file has become. */
  private Map<String, ChangeNeighbours.ChangedFile> changed() {
    Map<String, ChangeNeighbours.ChangedFile> changed = new TreeMap<>();
    for (var item : subject.items()) {
      var digest = digests.get(item.path());
      if (item.change().isPresent()) {
        Map<Integer, String> lines = new TreeMap<>();
        var gone = new ArrayList<String>();
        for (var hunk : item.change().get().hunks()) {
          for (var line : hunk.lines()) {
            switch (line.kind()) {
              case ADDED -> lines.put(line.newNumber(), line.text());
              case DELETED -> {
                lines.putIfAbsent(Math.max(1, line.newNumber()), "");
                gone.add(line.text());
              }
              case CONTEXT -> {}
            }
          }
        }
        var outline = digest == null ? Outline.of("", "") : digest.outline();
        changed.put(item.path(), new ChangeNeighbours.ChangedFile(outline, lines, gone));
      }
    }
    return changed;
  }

  /** The code that a reader of each changed file would look up. */
  private Map<String, ChangeNeighbours.Surroundings> around(
      Map<String, ChangeNeighbours.ChangedFile> changed) {
    return ChangeNeighbours.of(
        changed,
        words ->
            subject.mentions(words).stream()
                .map(it -> new ChangeNeighbours.Mention(it.path(), it.text()))
                .toList(),
        this::read);
  }

  /** A file as it is now, and what it declares. */
  private Optional<ChangeNeighbours.ReadFile> read(String path) {
    try {
      var digest = digests.get(path);
      return subject
          .reference(path)
          .map(
              text ->
                  new ChangeNeighbours.ReadFile(
                      digest == null
                          ? store.of(path, text, request.measure()).outline()
                          : digest.outline(),
                      text));
    } catch (SourceUnavailable gone) {
      return Optional.empty();
    }
  }

  /** With definitions and callers that are not shown yet, as far as there is room. */
  private List<Excerpt> withNeighbours(
      List<Excerpt> run, Map<Tier, Long> rooms, Map<String, ChangeNeighbours.Surroundings> around) {
    var all = new ArrayList<>(run);
    var spots = new ArrayList<ChangeNeighbours.Spot>();
    var paths =
        run.stream()
            .map(Excerpt::path)
            .distinct()
            .sorted(Comparator.comparing(TestsOf::isTest))
            .toList();
    for (var path : paths) {
      Optional.ofNullable(around.get(path)).ifPresent(it -> spots.addAll(it.uses()));
    }
    for (var path : paths) {
      Optional.ofNullable(around.get(path)).ifPresent(it -> spots.addAll(it.definitions()));
    }
    for (var spot : joined(spots)) {
      var found = reference(spot);
      if (found.isPresent() && all.stream().noneMatch(it -> has(it, found.get()))) {
        all.add(found.get());
        if (rooms.entrySet().stream()
            .anyMatch(room -> tokens(all, room.getKey()) > room.getValue())) {
          all.removeLast();
          break;
        }
      }
    }
    return all;
  }

  /** Whether most of it is there already. */
  private static boolean has(Excerpt shown, Excerpt part) {
    int first = Math.max(shown.line(), part.line());
    int last = Math.min(shown.endLine(), part.endLine());
    return shown.path().equals(part.path())
        && 2 * (last - first + 1) > part.endLine() - part.line() + 1;
  }

  /** Of one file those that meet are one, where the first of them was. */
  private static List<ChangeNeighbours.Spot> joined(List<ChangeNeighbours.Spot> spots) {
    var joined = new ArrayList<ChangeNeighbours.Spot>();
    for (var spot : spots) {
      boolean met = false;
      for (int i = 0; i < joined.size() && !met; i++) {
        var other = joined.get(i);
        met =
            other.path().equals(spot.path())
                && spot.line() <= other.endLine() + 1
                && other.line() <= spot.endLine() + 1;
        if (met) {
          joined.set(
              i,
              new ChangeNeighbours.Spot(
                  spot.path(),
                  Math.min(other.line(), spot.line()),
                  Math.max(other.endLine(), spot.endLine())));
        }
      }
      if (!met) {
        joined.add(spot);
      }
    }
    return joined;
  }

  private Optional<Excerpt> reference(ChangeNeighbours.Spot spot) {
    try {
      var text = subject.reference(spot.path());
      if (text.isEmpty()) {
        return Optional.empty();
      }
      var file = SourceText.of(spot.path(), text.get());
      int last = Math.min(spot.endLine(), file.lines());
      if (spot.line() > last) {
        return Optional.empty();
      }
      var said = new StringBuilder();
      for (int line = spot.line(); line <= last; line++) {
        said.append(file.line(line)).append('\n');
      }
      return Optional.of(
          new Excerpt(
              spot.path(),
              spot.line(),
              last,
              request.measure().numbered(said.toString()),
              List.of(),
              ExcerptCutter.print(said.toString()),
              Optional.empty(),
              true));
    } catch (SourceUnavailable gone) {
      return Optional.empty();
    }
  }

  /** Who uses what changed, and, for those who ask about them, which tests there are. */
  private String facts(
      LensGroup group, List<Excerpt> excerpts, Map<String, ChangeNeighbours.Surroundings> around) {
    var facts = new StringBuilder();
    var paths = new TreeSet<>(excerpts.stream().map(Excerpt::path).toList());
    paths.forEach(
        path -> Optional.ofNullable(around.get(path)).ifPresent(it -> facts.append(it.callers())));
    if (group.lenses().stream().anyMatch(lens -> lens.context().contains(Context.TESTS))) {
      for (var path : paths) {
        if (!TestsOf.isTest(path) && Language.of(path).isPresent()) {
          facts.append("tests of ").append(PromptText.name(path)).append(": ");
          facts.append(tests(brought.tests(path), there.tests(path))).append('\n');
        }
      }
    }
    return facts.toString();
  }

  private static String tests(List<String> brought, List<String> there) {
    var other = there.stream().filter(path -> !brought.contains(path)).toList();
    var said = new ArrayList<String>();
    if (!brought.isEmpty()) {
      said.add("this change has " + PromptText.names(brought));
    }
    if (!other.isEmpty()) {
      said.add("unchanged are " + PromptText.names(other));
    }
    return said.isEmpty() ? "none found by name" : String.join("; ", said);
  }
}
