package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.UnitPrompts;
import dev.flyball.review.relation.TestsOf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The making of units out of excerpts: the question, the tokens, and which files go together. */
final class UnitBuilder {
  static final long OUTPUT_OF_A_LENS = 200;
  static final long OUTPUT_OF_SYMBOLS = 300;
  static final long OUTPUT_OF_A_SYMBOL = 80;
  private static final long OUTPUT_OF_A_FILE = 60;

  private final PlanRequest request;
  private final DigestStore store;
  private final Map<String, String> keys = new ConcurrentHashMap<>();

  UnitBuilder(PlanRequest request, DigestStore store) {
    this.request = request;
    this.store = store;
  }

  PlanRequest request() {
    return request;
  }

  LensGroup group(List<Lens> lenses, Tier tier) {
    return group(lenses, tier, UnitPrompts.question(lenses));
  }

  /** The pass across all parts of a change. */
  LensGroup across() {
    return group(List.of(), Tier.DEEP, UnitPrompts.across());
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
    long shown =
        Stream.concat(excerpts.stream(), beside.stream())
            .mapToLong(each -> each.size().of(tier) + ExcerptCutter.TOKENS_AROUND)
            .sum();
    long said = request.measure().about(facts).of(tier);
    long prefix = group.size().of(tier);
    long most = request.room(tier).output();
    return new Unit(
        group.name() + " " + (number + 1),
        group.lenses(),
        tier,
        excerpts,
        beside,
        facts,
        group.question(),
        prefix + shown + said,
        prefix,
        Math.min(output, most),
        most,
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
}
