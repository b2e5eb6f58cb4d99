package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Reply;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.review.symbol.Symbol;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The units of a repository: its files are packed into windows, which are the same for all lenses,
 * so that each model reads the code once and then from its cache. Each lens is asked about every
 * window in which something is open for it, with what is known around that.
 */
final class RepositoryUnits {
  /** Of a window, where lenses are shown something beside the code. */
  private static final int BESIDES = 25;

  private static final long ANSWER = 6_000;
  private static final int SIGNATURES = 60;
  private static final int LONGEST_SIGNATURE = 120;

  private final Subject subject;
  private final Map<String, TextDigest> digests;
  private final UnitBuilder units;
  private final PlanRequest request;

  RepositoryUnits(Subject subject, Map<String, TextDigest> digests, UnitBuilder units) {
    this.subject = subject;
    this.digests = digests;
    this.units = units;
    this.request = units.request();
  }

  /** By lens, the most important first. */
  Map<LensGroup, List<Unit>> byGroup() {
    var context = new FileContext(digests, request.measure());
    var groups =
        request.lenses().stream().map(lens -> units.group(List.of(lens), lens.tier())).toList();
    var code = windows(groups, path -> !TestsOf.isTest(path));
    var tests = windows(groups, path -> TestsOf.isTest(path));
    var ofEach =
        groups.parallelStream()
            .map(
                group -> {
                  var lens = group.lenses().getFirst();
                  var all = new ArrayList<>(code);
                  if (request.tests().asks(lens)) {
                    all.addAll(tests);
                  }
                  return units(group, lens, all, context);
                })
            .toList();
    var all = new LinkedHashMap<LensGroup, List<Unit>>();
    for (int i = 0; i < groups.size(); i++) {
      all.put(groups.get(i), units.sampled(ofEach.get(i)));
    }
    return all;
  }

  /** Some of the files, packed. */
  private List<List<Excerpt>> windows(List<LensGroup> groups, Predicate<String> some) {
    Set<Tier> tiers = EnumSet.noneOf(Tier.class);
    groups.forEach(group -> tiers.add(group.tier()));
    boolean shows = request.lenses().stream().anyMatch(lens -> !lens.context().isEmpty());
    var rooms = new LinkedHashMap<Tier, Long>();
    tiers.forEach(tier -> rooms.put(tier, units.room(groups, tier, shows ? BESIDES : 2)));
    var narrow = rooms.entrySet().stream().min(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    if (narrow.isEmpty()) {
      return List.of();
    }
    boolean symbols = request.lenses().stream().anyMatch(lens -> lens.reply() == Reply.SYMBOLS);
    long each = symbols ? UnitBuilder.OUTPUT_OF_A_SYMBOL : 0;
    long answer = Math.min(ANSWER, request.room(narrow.get()).output());
    var room =
        new PromptRoom(
            rooms.getOrDefault(narrow.get(), 1L),
            Math.max(1, answer - UnitBuilder.OUTPUT_OF_SYMBOLS),
            Integer.MAX_VALUE);
    var cutter = new ExcerptCutter(request.measure(), narrow.get(), room, each);
    var excerpts = new ArrayList<Excerpt>();
    digests.entrySet().stream()
        .filter(entry -> some.test(entry.getKey()))
        .filter(entry -> !symbols || isCode(entry.getKey(), entry.getValue()))
        .sorted(Map.Entry.comparingByKey(units.order()))
        .forEach(
            entry ->
                excerpts.addAll(
                    cutter.of(entry.getKey(), entry.getValue(), () -> text(entry.getKey()))));
    return Halving.of(
            excerpts, excerpt -> units.key(excerpt.path()), run -> fits(run, rooms, answer, each))
        .stream()
        .map(run -> withOutlines(run, rooms))
        .toList();
  }

  /** Whether anything of a file runs, builds or configures: a licence does not. */
  private boolean isCode(String path, TextDigest digest) {
    return digest.isAskable()
        && (digest.outline().language().isPresent()
            || !digest.symbols().isEmpty()
            || subject.isSource(path)
            || text(path).map(it -> it.startsWith("#!")).orElse(true));
  }

  private static boolean fits(
      List<Excerpt> run, Map<Tier, Long> rooms, long answer, long outputOfSymbol) {
    long symbols = run.stream().mapToLong(one -> one.symbols().size()).sum();
    return rooms.entrySet().stream().allMatch(room -> tokens(run, room.getKey()) <= room.getValue())
        && UnitBuilder.OUTPUT_OF_SYMBOLS + symbols * outputOfSymbol <= answer;
  }

  private static long tokens(List<Excerpt> run, Tier tier) {
    return run.stream().mapToLong(one -> one.size().of(tier) + ExcerptCutter.TOKENS_AROUND).sum();
  }

  /** What a file is shown a part of has besides, in short, as far as there is room. */
  private List<Excerpt> withOutlines(List<Excerpt> run, Map<Tier, Long> rooms) {
    var all = new ArrayList<>(run);
    for (var excerpt : run) {
      var digest = digests.get(excerpt.path());
      if (digest == null || excerpt.endLine() - excerpt.line() + 1 >= digest.outline().lines()) {
        continue;
      }
      var outline = outline(excerpt, digest);
      all.add(outline);
      if (rooms.entrySet().stream()
          .anyMatch(room -> tokens(all, room.getKey()) > room.getValue())) {
        all.removeLast();
      }
    }
    return all;
  }

  private Excerpt outline(Excerpt excerpt, TextDigest digest) {
    var lines = text(excerpt.path()).map(it -> it.lines().toList()).orElse(List.of());
    var said = new StringBuilder("This file is too long to be shown whole. It also has:\n");
    digest.symbols().stream()
        .filter(it -> it.endLine() < excerpt.line() || it.line() > excerpt.endLine())
        .sorted((one, other) -> Integer.compare(distance(one, excerpt), distance(other, excerpt)))
        .limit(SIGNATURES)
        .sorted((one, other) -> Integer.compare(one.line(), other.line()))
        .forEach(
            symbol ->
                said.append("lines ")
                    .append(symbol.line())
                    .append(" to ")
                    .append(symbol.endLine())
                    .append(": ")
                    .append(signature(symbol, lines))
                    .append('\n'));
    var text = said.toString();
    return new Excerpt(
        excerpt.path(),
        1,
        Math.max(1, digest.outline().lines()),
        request.measure().about(text),
        List.of(),
        ExcerptCutter.print(text),
        Optional.of(text),
        true);
  }

  private static int distance(Symbol symbol, Excerpt excerpt) {
    return Math.max(excerpt.line() - symbol.endLine(), symbol.line() - excerpt.endLine());
  }

  /** The line that names it. */
  private static String signature(Symbol symbol, List<String> lines) {
    int last = Math.min(symbol.endLine(), lines.size());
    for (int line = symbol.line(); line <= last; line++) {
      var text = lines.get(line - 1).strip();
      if (text.contains(symbol.name()) && !text.startsWith("*") && !text.startsWith("/")) {
        return text.substring(0, Math.min(LONGEST_SIGNATURE, text.length()));
      }
    }
    return symbol.path();
  }

  private List<Unit> units(
      LensGroup group, Lens lens, List<List<Excerpt>> windows, FileContext context) {
    var all = new ArrayList<Unit>();
    for (var window : windows) {
      var shown = new ArrayList<Excerpt>();
      var found = new ArrayList<FileContext.ExcerptInContext>();
      for (var excerpt : window) {
        if (excerpt.reference()) {
          shown.add(excerpt);
        } else if (lens.looksAt(excerpt.path())) {
          var asked = context.of(lens, excerpt);
          asked.ifPresent(found::add);
          shown.add(asked.map(it -> it.excerpt()).orElse(excerpt.about(List.of())));
        } else if (lens.reply() == Reply.SYMBOLS) {
          shown.add(excerpt.about(List.of()));
        }
      }
      if (found.isEmpty()) {
        continue;
      }
      all.add(unit(group, lens, shown, found, all.size()));
    }
    return all;
  }

  private Unit unit(
      LensGroup group,
      Lens lens,
      List<Excerpt> shown,
      List<FileContext.ExcerptInContext> found,
      int number) {
    var facts =
        found.stream().map(FileContext.ExcerptInContext::facts).collect(Collectors.joining());
    long left = units.left(group, shown);
    while (request.measure().about(facts).of(group.tier()) > left && facts.indexOf('\n') >= 0) {
      facts = facts.substring(0, Math.max(0, facts.lastIndexOf('\n', facts.length() / 2)));
    }
    left -= request.measure().about(facts).of(group.tier());
    var beside = new LinkedHashSet<Excerpt>();
    for (var each : found) {
      for (var more : each.beside()) {
        long tokens = more.size().of(group.tier()) + ExcerptCutter.TOKENS_AROUND;
        if (tokens <= left && !isShown(more, shown) && beside.add(more)) {
          left -= tokens;
        }
      }
    }
    long symbols = shown.stream().mapToLong(one -> one.symbols().size()).sum();
    long output =
        lens.reply() == Reply.SYMBOLS
            ? UnitBuilder.OUTPUT_OF_SYMBOLS + symbols * UnitBuilder.OUTPUT_OF_A_SYMBOL
            : UnitBuilder.findingsOutput(group, shown);
    return units.unit(group, shown, List.copyOf(beside), facts, output, number);
  }

  private static boolean isShown(Excerpt excerpt, List<Excerpt> shown) {
    return shown.stream()
        .anyMatch(
            it ->
                !it.reference()
                    && it.path().equals(excerpt.path())
                    && it.line() <= excerpt.line()
                    && excerpt.endLine() <= it.endLine());
  }

  /** What a file says; where that cannot be had any more, its lines are taken for alike. */
  private Optional<String> text(String path) {
    try {
      return subject.text(path);
    } catch (SourceUnavailable gone) {
      return Optional.empty();
    }
  }
}
