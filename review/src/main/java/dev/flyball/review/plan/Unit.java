package dev.flyball.review.plan;

import dev.flyball.llm.Sha256;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.Lenses;
import dev.flyball.review.lens.PromptText;
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
 * @param lenses what is asked; none in the pass across all parts of a change
 * @param excerpts what is asked about
 * @param beside what is shown for reference
 * @param facts what was computed here and is said with it
 * @param question what is said first, the same in all units of these lenses
 * @param input tokens of all of it, the question among them
 * @param prefix tokens of the question
 * @param output tokens that an answer is expected to have
 * @param mostOutput tokens that it may have
 * @param sample 1 for the first time that it is asked; where everything is asked twice, 2 for the
 *     second
 */
public record Unit(
    String name,
    List<Lens> lenses,
    Tier tier,
    List<Excerpt> excerpts,
    List<Excerpt> beside,
    String facts,
    String question,
    long input,
    long prefix,
    long output,
    long mostOutput,
    int sample) {
  /** Between what is asked about and what is beside it, where a key is made: no print is empty. */
  private static final String SEPARATOR = "";

  public Unit {
    lenses = List.copyOf(lenses);
    excerpts = List.copyOf(excerpts);
    beside = List.copyOf(beside);
  }

  /** The same question about a part of what it is about. */
  public Unit about(List<Excerpt> part) {
    long all = Math.max(1, excerpts.stream().mapToLong(it -> it.size().of(tier)).sum());
    long some = part.stream().mapToLong(it -> it.size().of(tier)).sum();
    long rest = input - prefix;
    return new Unit(
        name,
        lenses,
        tier,
        part,
        beside,
        facts,
        question,
        prefix + Math.ceilDiv(rest * Math.min(some, all), all),
        prefix,
        output,
        mostOutput,
        sample);
  }

  /** The same with more for reference. */
  public Unit beside(List<Excerpt> more) {
    var all = new ArrayList<>(beside);
    all.addAll(more);
    long tokens = more.stream().mapToLong(it -> it.size().of(tier)).sum();
    return new Unit(
        name,
        lenses,
        tier,
        excerpts,
        all,
        facts,
        question,
        input + tokens,
        prefix,
        output,
        mostOutput,
        sample);
  }

  /** The same question, asked for another time. */
  Unit sample(int number) {
    return new Unit(
        name + ", sample " + number,
        lenses,
        tier,
        excerpts,
        beside,
        facts,
        question,
        input,
        prefix,
        output,
        mostOutput,
        number);
  }

  /** The files that it is about, each once. */
  public List<String> files() {
    return excerpts.stream().map(Excerpt::path).distinct().toList();
  }

  /** What its lenses are called together, or what else it is. */
  public String part() {
    return lenses.isEmpty() ? name.replaceFirst("[ ,].*", "") : Lenses.name(lenses);
  }

  /** What a budget has to have for it. */
  public long tokens() {
    return input + output;
  }

  /** Stands for the question and everything that is shown: another unit has another one. */
  public String key() {
    var hash = Sha256.digest();
    hash.update((byte) UnitPrompts.VERSION);
    if (sample > 1) {
      hash.update((byte) sample);
    }
    var parts = new ArrayList<>(List.of(question, facts));
    parts.addAll(prints(excerpts));
    parts.add(SEPARATOR);
    parts.addAll(prints(beside));
    for (var part : parts) {
      hash.update(part.getBytes(StandardCharsets.UTF_8));
      hash.update((byte) 0);
    }
    return HexFormat.of().formatHex(hash.digest(), 0, 16);
  }

  private static List<String> prints(List<Excerpt> excerpts) {
    return excerpts.isEmpty() ? List.of("") : excerpts.stream().map(Unit::print).toList();
  }

  private static String print(Excerpt excerpt) {
    var symbols = excerpt.symbols().stream().map(Symbol::path).toList();
    return excerpt.path() + " " + excerpt.print() + " " + String.join(",", symbols);
  }

  /** What is said after the question, as it is. */
  public String material(Subject subject) throws SourceUnavailable {
    return material(subject, UnaryOperator.identity());
  }

  /**
   * What is said after the question: what is known, and the code, each file between two lines that
   * begin with a mark. The mark is made of what is shown, so that nobody can write it into that
   * beforehand; should it be there all the same, there is another.
   *
   * @param cleaned a part as it may be shown: nothing in one part changes another, or a mark
   */
  public String material(Subject subject, UnaryOperator<String> cleaned) throws SourceUnavailable {
    var parts = new ArrayList<String>();
    for (var excerpt : excerpts) {
      parts.add(cleaned.apply(shown(subject, excerpt)));
    }
    for (var excerpt : beside) {
      parts.add(cleaned.apply(shown(subject, excerpt)));
    }
    var known = PromptText.content(cleaned.apply(facts));
    var heads = new ArrayList<String>();
    for (int i = 0; i < parts.size(); i++) {
      boolean asked = i < excerpts.size();
      heads.add(head(asked ? excerpts.get(i) : beside.get(i - excerpts.size()), asked));
    }
    var all = new ArrayList<>(parts);
    all.addAll(heads);
    all.add(known);
    var mark = PromptText.mark(key(), all);
    var text = new StringBuilder();
    if (!known.isEmpty()) {
      text.append(mark).append(" known\n").append(known).append(ended(known));
      text.append(mark).append(" end\n\n");
    }
    for (int i = 0; i < parts.size(); i++) {
      text.append(mark).append(heads.get(i)).append('\n').append(parts.get(i));
      text.append(ended(parts.get(i))).append(mark).append(" end\n\n");
    }
    return text.toString();
  }

  private static String head(Excerpt excerpt, boolean asked) {
    var head = new StringBuilder(asked ? " review " : " reference ");
    head.append(PromptText.name(excerpt.path()));
    head.append(" lines ").append(excerpt.line()).append(" to ").append(excerpt.endLine());
    if (!excerpt.symbols().isEmpty() && asked) {
      var symbols = excerpt.symbols().stream().map(it -> PromptText.symbol(it.path())).toList();
      head.append("\nsymbols: ").append(String.join(", ", symbols));
    }
    return head.toString();
  }

  /** A mark begins a line, whatever stands before it. */
  private static String ended(String text) {
    return text.isEmpty() || text.endsWith("\n") ? "" : "\n";
  }

  private static String shown(Subject subject, Excerpt excerpt) throws SourceUnavailable {
    if (excerpt.text().isPresent()) {
      return PromptText.content(excerpt.text().get());
    }
    var file = SourceText.of(excerpt.path(), subject.text(excerpt.path()).orElse(""));
    var text = new StringBuilder();
    for (int line = excerpt.line(); line <= Math.min(file.lines(), excerpt.endLine()); line++) {
      text.append(file.line(line)).append('\n');
    }
    return PromptText.content(text.toString());
  }
}
