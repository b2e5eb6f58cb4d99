package dev.flyball.review.plan;

import dev.flyball.review.finding.SourceText;
import dev.flyball.review.plan.Lens.Context;
import dev.flyball.review.plan.Lens.Reply;
import dev.flyball.review.plan.Lens.Tier;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.select.SkipReason;
import dev.flyball.review.select.Subject;
import dev.flyball.review.select.TreeEntry;
import dev.flyball.review.source.Commit;
import dev.flyball.review.source.FileChange;
import dev.flyball.review.source.SourceUnavailable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes plans: reads and measures, chooses how a subject is gone through, packs what is shown into
 * units, and holds these against the budget. Nothing is sent.
 */
public final class Planner {
  private static final int FILES_OF_A_BATCH = 10;
  private static final long OUTPUT_OF_A_LENS = 200;
  private static final long OUTPUT_OF_A_FILE = 60;
  private static final long OUTPUT_OF_SYMBOLS = 300;
  private static final long OUTPUT_OF_A_SYMBOL = 80;
  private static final long ROUND = 10_000;
  private static final long SMALLEST = 4_000;
  private static final String ACROSS = "across";
  private static final int MOST_SAMPLES = 2;

  /**
   * How a plan is to be.
   *
   * @param lenses those that are asked, the most important first
   * @param mode instead of the one that fits
   * @param budget tokens in all, if they are limited
   * @param reserve the part of it that is kept back, in hundredths
   * @param samples how often everything is asked
   * @param deep what the model for deep lenses has room for, the question included
   * @param fast the same of the other
   */
  public record Wish(
      TokenMeasure measure,
      List<Lens> lenses,
      Optional<ReviewMode> mode,
      OptionalLong budget,
      int reserve,
      int samples,
      PromptRoom deep,
      PromptRoom fast) {
    public Wish {
      lenses = List.copyOf(lenses);
      if (lenses.isEmpty()) {
        throw new IllegalArgumentException("a review has at least one lens, but there was none");
      }
      if (samples < 1 || samples > MOST_SAMPLES) {
        throw new IllegalArgumentException(
            "everything is asked once or twice, but was to be %d times".formatted(samples));
      }
    }

    PromptRoom room(Tier tier) {
      return switch (tier) {
        case DEEP -> deep;
        case FAST -> fast;
      };
    }
  }

  /** Lenses that are asked in one question. */
  private record Asking(List<Lens> lenses, Tier tier, String question, TierTokens size) {
    String name() {
      return Lenses.name(lenses);
    }

    boolean required() {
      return lenses.stream().anyMatch(Lens::required);
    }

    int share() {
      return lenses.stream().mapToInt(Lens::share).sum();
    }

    boolean looksAt(String path) {
      return lenses.stream().anyMatch(lens -> lens.looksAt(path));
    }
  }

  private final Subject subject;
  private final Wish wish;
  private final Map<String, TextDigest> digests;
  private final Map<String, String> keys = new ConcurrentHashMap<>();

  private final DigestStore shelf;

  private Planner(Subject subject, Wish wish, Map<String, TextDigest> digests, DigestStore shelf) {
    this.subject = subject;
    this.shelf = shelf;
    this.wish = wish;
    this.digests = digests;
  }

  public static ReviewPlan plan(
      Subject subject, Wish wish, DigestStore digests, SubjectReading.Progress told)
      throws SourceUnavailable, InterruptedException {
    var read = SubjectReading.of(subject, digests, wish.measure(), told);
    var planner = new Planner(subject, wish, read, digests);
    return subject.isChange() ? planner.change() : planner.repository();
  }

  // Changes

  private ReviewPlan change() throws SourceUnavailable {
    var changes = subject.items().stream().map(item -> item.change().orElseThrow()).toList();
    long lines = changes.stream().mapToLong(each -> each.added() + each.deleted()).sum();
    var paths = subject.items().stream().map(Subject.Item::path).toList();
    var words = subject.commits().stream().map(Commit::subject).collect(Collectors.joining("\n"));
    int complexity = Complexity.of(paths, words);
    var mode =
        wish.mode()
            .orElseGet(
                () ->
                    ReviewMode.of(
                        paths.size(), (int) Math.min(Integer.MAX_VALUE, lines), complexity));
    var groups = new LinkedHashMap<Asking, List<Unit>>();
    var parts = parts(mode);
    for (var asking : askings(mode)) {
      groups.put(asking, sampled(units(asking, mode, parts)));
    }
    int batches = groups.values().stream().mapToInt(List::size).max().orElse(0) / wish.samples();
    if (batches > 1 && (mode == ReviewMode.INCREMENTAL || mode == ReviewMode.CHUNKED)) {
      var across = across(changes);
      groups.put(
          new Asking(List.of(), Tier.DEEP, across.question(), TierTokens.NONE),
          sampled(List.of(across)));
    }
    var advice = new ArrayList<String>();
    if (mode == ReviewMode.CHUNKED) {
      advice.add(
          "%d files and %d lines are much for one change: reviewed in parts, each is seen well and"
                  .formatted(paths.size(), lines)
              + " what is between them less so; split it, if you can");
    }
    return budgeted(groups, Optional.of(mode), complexity, lines, advice);
  }

  /** What is asked together, in a mode. */
  private List<Asking> askings(ReviewMode mode) {
    var lenses = wish.lenses();
    return switch (mode) {
      case SEQUENTIAL -> List.of(asking(lenses, Tier.DEEP));
      case PARALLEL -> lenses.stream().map(lens -> asking(List.of(lens), lens.tier())).toList();
      case INCREMENTAL, CHUNKED -> {
        var askings = new ArrayList<Asking>();
        lenses.stream()
            .filter(lens -> lens.tier() == Tier.DEEP)
            .forEach(lens -> askings.add(asking(List.of(lens), Tier.DEEP)));
        var fast = lenses.stream().filter(lens -> lens.tier() == Tier.FAST).toList();
        if (!fast.isEmpty()) {
          askings.add(asking(fast, Tier.FAST));
        }
        yield askings;
      }
    };
  }

  private Asking asking(List<Lens> lenses, Tier tier) {
    var question = UnitPrompts.question(lenses);
    return new Asking(lenses, tier, question, shelf.size(question, wish.measure()));
  }

  /** What is reviewed by itself: commits, if a large change has more than one. */
  private List<List<Subject.Item>> parts(ReviewMode mode) {
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

  private List<Unit> units(Asking asking, ReviewMode mode, List<List<Subject.Item>> parts)
      throws SourceUnavailable {
    var room = room(asking, mode);
    var pieces = new ExcerptCutter(wish.measure(), asking.tier(), room, 0);
    var units = new ArrayList<List<Excerpt>>();
    for (var part : parts) {
      var excerpts = new ArrayList<Excerpt>();
      for (var item : part) {
        if (asking.looksAt(item.path())) {
          excerpts.addAll(pieces.of(item.path(), windows(item)));
        }
      }
      excerpts.sort(Comparator.comparing(Excerpt::path, order()).thenComparingInt(Excerpt::line));
      units.addAll(
          Halving.of(
              excerpts, excerpt -> key(excerpt.path()), run -> fits(run, asking.tier(), room)));
    }
    var all = new ArrayList<Unit>();
    for (var excerpts : units) {
      var facts = facts(asking, excerpts);
      all.add(
          unit(asking, excerpts, List.of(), facts, findingsOutput(asking, excerpts), all.size()));
    }
    return all;
  }

  private PromptRoom room(Asking asking, ReviewMode mode) {
    var room = wish.room(asking.tier());
    room = room.input(room.input() - asking.size().of(asking.tier()));
    if (mode == ReviewMode.INCREMENTAL || mode == ReviewMode.CHUNKED) {
      room = room.files(FILES_OF_A_BATCH);
    }
    if (wish.budget().isPresent()) {
      long shares = Math.max(1, wish.lenses().stream().mapToLong(Lens::share).sum());
      long usable = BudgetShares.usable(wish.budget().getAsLong(), wish.reserve());
      long all = mode == ReviewMode.SEQUENTIAL ? usable : usable / shares * asking.share();
      long own = all / wish.samples();
      // What others do not need passes down, so a small share is not all that there will be.
      room =
          room.input(Math.max(SMALLEST, own - asking.size().of(asking.tier()) - OUTPUT_OF_A_LENS));
    }
    return room;
  }

  private static boolean fits(List<Excerpt> run, Tier tier, PromptRoom room) {
    return run.stream().mapToLong(each -> each.size().of(tier)).sum() <= room.input()
        && run.stream().map(Excerpt::path).distinct().count() <= room.files();
  }

  private List<ChangeWindows.Window> windows(Subject.Item item) throws SourceUnavailable {
    var change = item.change().orElseThrow();
    var text = item.gone() ? Optional.<String>empty() : subject.text(item.path());
    return ChangeWindows.of(
        change,
        text.map(content -> SourceText.of(item.path(), content)),
        Optional.ofNullable(digests.get(item.path())).map(TextDigest::outline),
        Complexity.isCritical(item.path()));
  }

  private static long findingsOutput(Asking asking, List<Excerpt> excerpts) {
    long files = excerpts.stream().map(Excerpt::path).distinct().count();
    return asking.lenses().size() * OUTPUT_OF_A_LENS + files * OUTPUT_OF_A_FILE;
  }

  /** What a change says of tests: which of its files are some, and for which. */
  private String facts(Asking asking, List<Excerpt> excerpts) {
    if (asking.lenses().stream().noneMatch(lens -> lens.context().contains(Context.TESTS))) {
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
              facts.append(path).append(": ");
              facts.append(
                  found.isEmpty()
                      ? "no test of it is part of this change\n"
                      : "this change has " + String.join(", ", found) + "\n");
            });
    return facts.toString();
  }

  /** The pass across all parts: every file with the symbols that changed in it. */
  private Unit across(List<FileChange> changes) {
    var facts = new StringBuilder();
    for (var change : changes) {
      facts.append(
          "%s %s +%d -%d"
              .formatted(change.kind(), change.path(), change.added(), change.deleted()));
      change
          .oldPath()
          .filter(old -> !old.equals(change.path()))
          .ifPresent(old -> facts.append(" from ").append(old));
      facts.append('\n');
      change.hunks().stream()
          .map(hunk -> hunk.heading().strip())
          .filter(heading -> !heading.isEmpty())
          .distinct()
          .forEach(heading -> facts.append("  ").append(heading).append('\n'));
    }
    var question = UnitPrompts.across();
    var asking = new Asking(List.of(), Tier.DEEP, question, shelf.size(question, wish.measure()));
    long most = wish.deep().input() - asking.size().deep();
    var said = facts.toString();
    while (wish.measure().of(said).deep() > most && said.length() > 1) {
      said = said.substring(0, said.length() / 2);
    }
    return unit(asking, List.of(), List.of(), said, OUTPUT_OF_A_LENS + OUTPUT_OF_SYMBOLS, 0);
  }

  // Repositories

  private ReviewPlan repository() {
    var surroundings = new FileContext(digests, wish.measure());
    var askings = wish.lenses().stream().map(lens -> asking(List.of(lens), lens.tier())).toList();
    var units =
        askings.parallelStream()
            .map(asking -> units(asking, asking.lenses().getFirst(), surroundings))
            .toList();
    var groups = new LinkedHashMap<Asking, List<Unit>>();
    for (int i = 0; i < askings.size(); i++) {
      groups.put(askings.get(i), sampled(units.get(i)));
    }
    long lines = digests.values().stream().mapToLong(each -> each.outline().lines()).sum();
    return budgeted(groups, Optional.empty(), 0, lines, List.of());
  }

  private List<Unit> units(Asking asking, Lens lens, FileContext surroundings) {
    var tier = asking.tier();
    var whole = wish.room(tier);
    var room = whole.input(whole.input() - asking.size().of(tier));
    long each = lens.reply() == Reply.SYMBOLS ? OUTPUT_OF_A_SYMBOL : 0;
    // What is shown beside the code takes room as well.
    var own = lens.context().isEmpty() ? room : room.input(room.input() / 2);
    var pieces =
        new ExcerptCutter(
            wish.measure(), tier, own.output(Math.max(1, room.output() - OUTPUT_OF_SYMBOLS)), each);
    var loaded = new ArrayList<FileContext.Loaded>();
    digests.entrySet().stream()
        .filter(entry -> lens.looksAt(entry.getKey()))
        .filter(entry -> each == 0 || !entry.getValue().symbols().isEmpty())
        .sorted(Map.Entry.comparingByKey(order()))
        .forEach(
            entry ->
                pieces.of(entry.getKey(), entry.getValue()).stream()
                    .flatMap(excerpt -> surroundings.of(lens, excerpt).stream())
                    .forEach(loaded::add));
    var units = new ArrayList<Unit>();
    for (var run :
        Halving.of(loaded, one -> key(one.path()), some -> fitsLoaded(some, tier, room, each))) {
      var excerpts = run.stream().map(FileContext.Loaded::excerpt).toList();
      var beside = new LinkedHashSet<Excerpt>();
      run.forEach(one -> beside.addAll(one.beside()));
      var facts = run.stream().map(FileContext.Loaded::facts).collect(Collectors.joining());
      long symbols = excerpts.stream().mapToLong(one -> one.symbols().size()).sum();
      long output =
          each == 0
              ? findingsOutput(asking, excerpts)
              : OUTPUT_OF_SYMBOLS + symbols * OUTPUT_OF_A_SYMBOL;
      units.add(unit(asking, excerpts, List.copyOf(beside), facts, output, units.size()));
    }
    return units;
  }

  private static boolean fitsLoaded(
      List<FileContext.Loaded> some, Tier tier, PromptRoom room, long outputOfSymbol) {
    long symbols = some.stream().mapToLong(one -> one.excerpt().symbols().size()).sum();
    return some.stream().mapToLong(one -> one.size().of(tier)).sum() <= room.input()
        && OUTPUT_OF_SYMBOLS + symbols * outputOfSymbol <= room.output()
        && some.size() <= room.files();
  }

  // Both

  /** Files that belong together stand together. */
  private Comparator<String> order() {
    return Comparator.comparing(this::key).thenComparing(Comparator.naturalOrder());
  }

  private String key(String path) {
    return keys.computeIfAbsent(path, TestsOf::kinship);
  }

  private Unit unit(
      Asking asking,
      List<Excerpt> excerpts,
      List<Excerpt> beside,
      String facts,
      long output,
      int number) {
    var tier = asking.tier();
    long shown =
        Stream.concat(excerpts.stream(), beside.stream())
            .mapToLong(each -> each.size().of(tier) + ExcerptCutter.TOKENS_AROUND)
            .sum();
    long said = wish.measure().about(facts).of(tier);
    long prefix = asking.size().of(tier);
    long most = wish.room(tier).output();
    var name = asking.lenses().isEmpty() ? ACROSS : asking.name();
    return new Unit(
        name + " " + (number + 1),
        asking.lenses(),
        tier,
        excerpts,
        beside,
        facts,
        asking.question(),
        prefix + shown + said,
        prefix,
        Math.min(output, most),
        most,
        1);
  }

  /** Each as often as it is asked, the second time after all have been asked once. */
  private List<Unit> sampled(List<Unit> units) {
    var all = new ArrayList<>(units);
    for (int i = 2; i <= wish.samples(); i++) {
      int sample = i;
      units.forEach(unit -> all.add(unit.sample(sample)));
    }
    return all;
  }

  private ReviewPlan budgeted(
      Map<Asking, List<Unit>> groups,
      Optional<ReviewMode> mode,
      int complexity,
      long lines,
      List<String> advice) {
    var units = new ArrayList<Unit>();
    var beyond = new ArrayList<Unit>();
    var dropped = new ArrayList<String>();
    if (wish.budget().isEmpty()) {
      groups.values().forEach(units::addAll);
    } else {
      var byGroup = new LinkedHashMap<BudgetShares.Group, Map.Entry<Asking, List<Unit>>>();
      groups
          .entrySet()
          .forEach(entry -> byGroup.put(group(entry.getKey(), entry.getValue()), entry));
      var shares =
          BudgetShares.of(
              BudgetShares.usable(wish.budget().getAsLong(), wish.reserve()),
              List.copyOf(byGroup.keySet()));
      byGroup.forEach(
          (group, entry) -> {
            if (shares.dropped().contains(group)) {
              entry.getKey().lenses().forEach(lens -> dropped.add(lens.name()));
              return;
            }
            long left = shares.granted().getOrDefault(group, 0L);
            for (var unit : entry.getValue()) {
              boolean fits = unit.tokens() <= left;
              (fits ? units : beyond).add(unit);
              left -= fits ? unit.tokens() : 0;
            }
          });
    }
    return new ReviewPlan(
        subject.title(),
        mode,
        complexity,
        subject.items().size() + subject.skipped().size() - skipped(groups).size(),
        lines,
        digests.values().stream().mapToInt(each -> each.symbols().size()).sum(),
        units,
        beyond,
        dropped,
        skipped(groups),
        wish.budget(),
        dropped.isEmpty() && beyond.isEmpty() ? OptionalLong.empty() : enough(groups),
        advice,
        sizes());
  }

  /** What the subject leaves out, and of a repository what no lens has anything to ask about. */
  private List<TreeEntry.Skipped> skipped(Map<Asking, List<Unit>> groups) {
    if (subject.isChange()) {
      return subject.skipped();
    }
    boolean onlySymbols =
        groups.keySet().stream()
            .flatMap(asking -> asking.lenses().stream())
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

  /** So much that what it leaves after the reserve is all that is needed, in round figures. */
  private OptionalLong enough(Map<Asking, List<Unit>> groups) {
    long need = groups.values().stream().flatMap(List::stream).mapToLong(Unit::tokens).sum();
    long whole = Math.ceilDiv(need * 100, 100 - wish.reserve());
    return OptionalLong.of(Math.ceilDiv(whole, ROUND) * ROUND);
  }

  private static BudgetShares.Group group(Asking asking, List<Unit> units) {
    long need = units.stream().mapToLong(Unit::tokens).sum();
    return asking.lenses().isEmpty()
        ? new BudgetShares.Group(ACROSS, false, Lenses.SYNTHESIS, need)
        : new BudgetShares.Group(asking.name(), asking.required(), asking.share(), need);
  }

  private List<ReviewPlan.FileSize> sizes() {
    return digests.entrySet().stream()
        .map(
            entry ->
                new ReviewPlan.FileSize(
                    entry.getKey(),
                    wish.measure()
                        .of(entry.getValue().counts(), entry.getValue().characters())
                        .deep(),
                    entry.getValue().symbols().size()))
        .toList();
  }
}
