package dev.flyball.review.plan;

import dev.flyball.llm.Sha256;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.Lenses;
import dev.flyball.review.lens.UnitPrompts;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.review.symbol.Symbol;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One question about some excerpts: what is planned, asked, kept and taken up again.
 *
 * @param name for people
 * @param lenses what is asked; none in what spans all parts of a change
 * @param rules what is said before everything else, the same in all units
 * @param purpose what a change is said to be for, if anything
 * @param excerpts what is asked about, and what is shown with it for reference, the same for all
 *     lenses
 * @param beside what is shown for reference to these lenses only
 * @param facts what was computed here and is said with it
 * @param question what is asked, after all that is shown
 * @param sample 1 for the first time that it is asked; where everything is asked twice, 2 for the
 *     second
 */
public record Unit(
    String name,
    List<Lens> lenses,
    Tier tier,
    String rules,
    String purpose,
    List<Excerpt> excerpts,
    List<Excerpt> beside,
    String facts,
    String question,
    UnitSize size,
    int sample) {
  /** Between what is asked about and what is beside it, where a key is made: no print is empty. */
  private static final String SEPARATOR = "";

  public Unit {
    lenses = List.copyOf(lenses);
    excerpts = List.copyOf(excerpts);
    beside = List.copyOf(beside);
  }

  /** What will be asked of the leading model, where only its size is known so far. */
  public static Unit planned(String name, long input, long output, long most) {
    return new Unit(
        name,
        List.of(),
        Tier.LEAD,
        "",
        "",
        List.of(),
        List.of(),
        "",
        "",
        new UnitSize(input, 0, Math.min(output, most), most),
        1);
  }

  /** What is expected to be said. */
  public long input() {
    return size.input();
  }

  /** What others begin with too. */
  public long prefix() {
    return size.prefix();
  }

  /** What is expected of an answer. */
  public long output() {
    return size.output();
  }

  /** What an answer may have. */
  public long mostOutput() {
    return size.mostOutput();
  }

  /** The same question about a part of what it is about. */
  public Unit about(List<Excerpt> part) {
    var shown = new ArrayList<>(part);
    excerpts.stream().filter(Excerpt::reference).forEach(shown::add);
    long all = excerpts.stream().mapToLong(it -> it.size().of(tier)).sum();
    long some = shown.stream().mapToLong(it -> it.size().of(tier)).sum();
    return with(shown, beside, facts, size.input(Math.max(1, input() - all + some)).alone());
  }

  /** The same with more for reference. */
  public Unit beside(List<Excerpt> more) {
    var all = new ArrayList<>(beside);
    all.addAll(more);
    long tokens = more.stream().mapToLong(it -> it.size().of(tier)).sum();
    return with(excerpts, all, facts, size.input(input() + tokens));
  }

  /** The same, and more that is known. */
  public Unit knowing(String more) {
    long tokens = Math.ceilDiv(more.length(), TokenMeasure.CHARACTERS_A_TOKEN);
    return with(excerpts, beside, facts + more, size.input(input() + tokens));
  }

  /** The same with room for so long an answer. */
  public Unit room(long most) {
    return with(excerpts, beside, facts, size.mostOutput(most));
  }

  /** The same where nobody else begins alike. */
  Unit alone() {
    return with(excerpts, beside, facts, size.alone());
  }

  private Unit with(List<Excerpt> shown, List<Excerpt> more, String known, UnitSize tokens) {
    return new Unit(
        name, lenses, tier, rules, purpose, shown, more, known, question, tokens, sample);
  }

  /** The same question, asked for another time. */
  Unit sample(int number) {
    return new Unit(
        name + ", sample " + number,
        lenses,
        tier,
        rules,
        purpose,
        excerpts,
        beside,
        facts,
        question,
        size,
        number);
  }

  /** The excerpts that are to be judged. */
  public List<Excerpt> judged() {
    return excerpts.stream().filter(it -> !it.reference()).toList();
  }

  /** Whether a review without its answer is incomplete. */
  public boolean required() {
    return lenses.isEmpty() || lenses.stream().anyMatch(Lens::required);
  }

  /** The files that it asks about, each once. */
  public List<String> files() {
    boolean symbols = !lenses.isEmpty() && lenses.getFirst().reply() == Lens.Reply.SYMBOLS;
    return excerpts.stream()
        .filter(it -> !it.reference() && (!symbols || !it.symbols().isEmpty()))
        .map(Excerpt::path)
        .distinct()
        .toList();
  }

  /** What its lenses are called together, or what else it is. */
  public String part() {
    return lenses.isEmpty() ? name.replaceFirst("[ ,].*", "") : Lenses.name(lenses);
  }

  /** What a budget is expected to need for it. */
  public long tokens() {
    return input() + output();
  }

  /** What a budget has to have for it when it is sent. */
  public long mostTokens() {
    return input() + mostOutput();
  }

  /** Stands for the question and everything that is shown: another unit has another one. */
  public String key() {
    var parts = new ArrayList<>(List.of(rules, purpose, question, facts));
    parts.addAll(prints(excerpts));
    parts.add(SEPARATOR);
    parts.addAll(prints(beside));
    excerpts.forEach(it -> parts.add(symbols(it)));
    return hash(sample, parts);
  }

  /** Stands for what is said before what is only for its lenses. */
  public String sharedKey() {
    var parts = new ArrayList<>(List.of(rules, purpose));
    parts.addAll(prints(excerpts));
    return hash(1, parts);
  }

  private static String hash(int sample, List<String> parts) {
    var hash = Sha256.digest();
    hash.update((byte) UnitPrompts.VERSION);
    if (sample > 1) {
      hash.update((byte) sample);
    }
    for (var part : parts) {
      hash.update(part.getBytes(StandardCharsets.UTF_8));
      hash.update((byte) 0);
    }
    return HexFormat.of().formatHex(hash.digest(), 0, 16);
  }

  private static List<String> prints(List<Excerpt> excerpts) {
    return excerpts.isEmpty()
        ? List.of("")
        : excerpts.stream().map(it -> it.path() + " " + it.print()).toList();
  }

  private static String symbols(Excerpt excerpt) {
    return String.join(",", excerpt.symbols().stream().map(Symbol::path).toList());
  }

  /** What is said after the rules, as it is. */
  public UnitMaterial material(Subject subject) throws SourceUnavailable {
    return material(subject, UnaryOperator.identity());
  }

  /**
   * What is said after the rules.
   *
   * @param cleaned a part as it may be shown: nothing in one part changes another, or a mark
   */
  public UnitMaterial material(Subject subject, UnaryOperator<String> cleaned)
      throws SourceUnavailable {
    return UnitMaterial.of(this, subject, cleaned);
  }

  /**
   * The tokens of a unit.
   *
   * @param input all that is said
   * @param prefix of it, what other units for the same model begin with too; 0 if there are none
   * @param output what an answer is expected to have
   * @param mostOutput what it may have, with whatever a model thinks before it
   */
  public record UnitSize(long input, long prefix, long output, long mostOutput) {
    public UnitSize {
      if (input < 0 || prefix < 0 || output < 0 || mostOutput < 1 || prefix > input) {
        throw new IllegalArgumentException(
            "a unit has 0 tokens or more of each kind, room for an answer and no more prefix than input, but had %d, %d, %d and %d"
                .formatted(input, prefix, output, mostOutput));
      }
    }

    UnitSize input(long other) {
      return new UnitSize(other, Math.min(prefix, other), output, mostOutput);
    }

    UnitSize mostOutput(long other) {
      return new UnitSize(input, prefix, Math.min(output, other), other);
    }

    /** The same where nobody begins alike. */
    UnitSize alone() {
      return new UnitSize(input, 0, output, mostOutput);
    }
  }
}
