package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Reply;
import dev.flyball.review.lens.Lens.Tier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The units of a repository: each lens on every file, with what is known around it. */
final class RepositoryUnits {
  private final Map<String, TextDigest> digests;
  private final UnitBuilder units;
  private final PlanRequest request;

  RepositoryUnits(Map<String, TextDigest> digests, UnitBuilder units) {
    this.digests = digests;
    this.units = units;
    this.request = units.request();
  }

  /** By lens, the most important first. */
  Map<LensGroup, List<Unit>> byGroup() {
    var context = new FileContext(digests, request.measure());
    var groups =
        request.lenses().stream().map(lens -> units.group(List.of(lens), lens.tier())).toList();
    var ofEach =
        groups.parallelStream()
            .map(group -> units(group, group.lenses().getFirst(), context))
            .toList();
    var all = new LinkedHashMap<LensGroup, List<Unit>>();
    for (int i = 0; i < groups.size(); i++) {
      all.put(groups.get(i), units.sampled(ofEach.get(i)));
    }
    return all;
  }

  private List<Unit> units(LensGroup group, Lens lens, FileContext context) {
    var tier = group.tier();
    var whole = request.room(tier);
    var room = whole.input(whole.input() - group.size().of(tier));
    long each = lens.reply() == Reply.SYMBOLS ? UnitBuilder.OUTPUT_OF_A_SYMBOL : 0;
    // What is shown beside the code takes room as well.
    var own = lens.context().isEmpty() ? room : room.input(room.input() / 2);
    var cutter =
        new ExcerptCutter(
            request.measure(),
            tier,
            own.output(Math.max(1, room.output() - UnitBuilder.OUTPUT_OF_SYMBOLS)),
            each);
    var loaded = new ArrayList<FileContext.ExcerptInContext>();
    digests.entrySet().stream()
        .filter(entry -> lens.looksAt(entry.getKey()))
        .filter(entry -> each == 0 || !entry.getValue().symbols().isEmpty())
        .sorted(Map.Entry.comparingByKey(units.order()))
        .forEach(
            entry ->
                cutter.of(entry.getKey(), entry.getValue()).stream()
                    .flatMap(excerpt -> context.of(lens, excerpt).stream())
                    .forEach(loaded::add));
    var all = new ArrayList<Unit>();
    for (var run :
        Halving.of(
            loaded, one -> units.key(one.path()), some -> fitsLoaded(some, tier, room, each))) {
      var excerpts = run.stream().map(FileContext.ExcerptInContext::excerpt).toList();
      var beside = new LinkedHashSet<Excerpt>();
      run.forEach(one -> beside.addAll(one.beside()));
      var facts =
          run.stream().map(FileContext.ExcerptInContext::facts).collect(Collectors.joining());
      long symbols = excerpts.stream().mapToLong(one -> one.symbols().size()).sum();
      long output =
          each == 0
              ? UnitBuilder.findingsOutput(group, excerpts)
              : UnitBuilder.OUTPUT_OF_SYMBOLS + symbols * UnitBuilder.OUTPUT_OF_A_SYMBOL;
      all.add(units.unit(group, excerpts, List.copyOf(beside), facts, output, all.size()));
    }
    return all;
  }

  private static boolean fitsLoaded(
      List<FileContext.ExcerptInContext> some, Tier tier, PromptRoom room, long outputOfSymbol) {
    long symbols = some.stream().mapToLong(one -> one.excerpt().symbols().size()).sum();
    return some.stream().mapToLong(one -> one.size().of(tier)).sum() <= room.input()
        && UnitBuilder.OUTPUT_OF_SYMBOLS + symbols * outputOfSymbol <= room.output()
        && some.size() <= room.files();
  }
}
