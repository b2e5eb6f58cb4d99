package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Reply;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.UnitPrompts;
import dev.flyball.review.relation.TestsOf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The making of units out of excerpts: the question, the tokens, and which files go together. */
final class UnitBuilder {
  static final long OUTPUT_OF_A_LENS = 200;
  static final long OUTPUT_OF_SYMBOLS = 300;
  static final long OUTPUT_OF_A_SYMBOL = 80;
  private static final long OUTPUT_OF_A_FILE = 60;
  private static final long NAME_OF_A_SYMBOL = 8;

  private final PlanRequest request;
  private final DigestStore store;
  private final String purpose;
  private final Map<Reply, TierTokens> rules = new EnumMap<>(Reply.class);
  private final Map<String, String> keys = new ConcurrentHashMap<>();

  UnitBuilder(PlanRequest request, DigestStore store, String purpose) {
    this.request = request;
    this.store = store;
    this.purpose = purpose;
    for (var reply : Reply.values()) {
      rules.put(
          reply,
          store
              .size(UnitPrompts.rules(reply), request.measure())
              .plus(request.measure().about(purpose)));
    }
  }

  PlanRequest request() {
    return request;
  }

  LensGroup group(List<Lens> lenses, Tier tier) {
    return group(lenses, tier, UnitPrompts.question(lenses));
  }

  /** The pass across all parts of a change. */
  LensGroup across() {
    return group(List.of(), Tier.LEAD, UnitPrompts.across());
  }

  private LensGroup group(List<Lens> lenses, Tier tier, String question) {
    return new LensGroup(lenses, tier, question, store.size(question, request.measure()));
  }

  /** Files that belong together stand together. */
  Comparator<String> order() {
    return Comparator.comparing(this::key).thenComparing(Comparator.naturalOrder());
  }

  /** The same for files that belong together. */
  String key(String path) {
    return keys.computeIfAbsent(path, TestsOf::kinship);
  }

  /**
   * The room that code has, whichever of some groups asks about it.
   *
   * @param besides the hundredths of it that are kept for what is shown beside it
   */
  long room(List<LensGroup> groups, Tier tier, int besides) {
    long asked =
        groups.stream()
            .filter(group -> group.tier() == tier)
            .mapToLong(group -> group.size().of(tier))
            .max()
            .orElse(0);
    long said = groups.stream().mapToLong(this::rules).max().orElse(0);
    long all = request.room(tier).input() - said - asked;
    return Math.max(1, all - all * besides / 100);
  }

  /** The tokens that are left in a window beside some excerpts. */
  long left(LensGroup group, List<Excerpt> excerpts) {
    var tier = group.tier();
    return request.room(tier).input()
        - rules(group)
        - group.size().of(tier)
        - shown(excerpts, tier)
        - listed(excerpts)
        - named(excerpts);
  }

  private long rules(LensGroup group) {
    return rules.getOrDefault(group.reply(), TierTokens.NONE).of(group.tier());
  }

  private static long shown(List<Excerpt> excerpts, Tier tier) {
    return excerpts.stream()
        .mapToLong(each -> each.size().of(tier) + ExcerptCutter.TOKENS_AROUND)
        .sum();
  }

  /** The names of all that can be answered for. */
  private static long listed(List<Excerpt> excerpts) {
    return NAME_OF_A_SYMBOL * excerpts.stream().mapToLong(each -> each.listed().size()).sum();
  }

  /** Those of what is asked about, where they have to be said again. */
  private static long named(List<Excerpt> excerpts) {
    return UnitMaterial.isShort(excerpts)
        ? 0
        : NAME_OF_A_SYMBOL * excerpts.stream().mapToLong(each -> each.symbols().size()).sum();
  }

  /** Tokens of an answer that says what is wrong. */
  static long findingsOutput(LensGroup group, List<Excerpt> excerpts) {
    long files = excerpts.stream().map(Excerpt::path).distinct().count();
    return group.lenses().size() * OUTPUT_OF_A_LENS + files * OUTPUT_OF_A_FILE;
  }

  /**
   * One unit.
   *
   * @param number of those before it in the group
   */
  Unit unit(
      LensGroup group,
      List<Excerpt> excerpts,
      List<Excerpt> beside,
      String facts,
      long output,
      int number) {
    var tier = group.tier();
    long shared = rules(group) + shown(excerpts, tier) + listed(excerpts);
    long own =
        shown(beside, tier)
            + named(excerpts)
            + request.measure().about(facts).of(tier)
            + group.size().of(tier);
    long most = request.room(tier).output();
    long thinks = request.room(tier).thinking();
    return new Unit(
        group.name() + " " + (number + 1),
        group.lenses(),
        tier,
        UnitPrompts.rules(group.reply()),
        purpose,
        excerpts,
        beside,
        facts,
        group.question(),
        new Unit.UnitSize(shared + own, shared, Math.min(output + thinks, most), most),
        1);
  }

  /** Each as often as it is asked, the second time after all have been asked once. */
  List<Unit> sampled(List<Unit> units) {
    var all = new ArrayList<>(units);
    for (int i = 2; i <= request.samples(); i++) {
      int sample = i;
      units.forEach(unit -> all.add(unit.sample(sample)));
    }
    return all;
  }

  /** The same, where what nobody else begins with is known to be alone. */
  Map<LensGroup, List<Unit>> shared(Map<LensGroup, List<Unit>> groups) {
    Map<String, Integer> sharing = new HashMap<>();
    groups
        .values()
        .forEach(units -> units.forEach(it -> sharing.merge(cache(it), 1, Integer::sum)));
    var all = new LinkedHashMap<LensGroup, List<Unit>>();
    groups.forEach(
        (group, units) ->
            all.put(
                group,
                units.stream()
                    .map(it -> sharing.getOrDefault(cache(it), 0) > 1 ? it : it.alone())
                    .toList()));
    return all;
  }

  /** What a provider keeps: for each model its own. */
  private String cache(Unit unit) {
    var model = request.measure().isOneModel() ? "" : unit.tier() + " ";
    return model + unit.sharedKey();
  }
}
