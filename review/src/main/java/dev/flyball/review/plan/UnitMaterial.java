package dev.flyball.review.plan;

import dev.flyball.review.finding.SourceText;
import dev.flyball.review.lens.Lens.Reply;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.review.symbol.Symbol;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The words of a unit after its rules. What many units have in common stands first, so that
 * providers can cache it, with the names that can be answered for; what is known for one lens, and
 * its question, come last.
 *
 * <p>Everything from outside stands between two lines that begin with a mark. The mark is made of
 * what is shown, so that nobody can write it into that beforehand; should it be there all the same,
 * there is another.
 *
 * @param shared the purpose of a change, and the code
 * @param own what is shown beside it, and the question
 */
public record UnitMaterial(String shared, String own) {
  private static final String WITH_NAMES =
      "\nAnswer for all symbols that are listed, but not for " + Symbol.MODULE_LEVEL + ".\n";

  /** All of it. */
  public String text() {
    return shared + own;
  }

  /**
   * Of a unit.
   *
   * @param cleaned a part as it may be shown: nothing in one part changes another, or a mark
   */
  static UnitMaterial of(Unit unit, Subject subject, UnaryOperator<String> cleaned)
      throws SourceUnavailable {
    var first = new ArrayList<Block>();
    if (!unit.purpose().isBlank()) {
      first.add(new Block(" purpose", PromptText.content(cleaned.apply(unit.purpose()))));
    }
    for (var excerpt : unit.excerpts()) {
      first.add(Block.of(excerpt, !excerpt.reference(), subject, cleaned));
    }
    var last = new ArrayList<Block>();
    if (!unit.facts().isBlank()) {
      last.add(new Block(" known", PromptText.content(cleaned.apply(unit.facts()))));
    }
    for (var excerpt : unit.beside()) {
      last.add(Block.of(excerpt, false, subject, cleaned));
    }
    var texts = new ArrayList<String>();
    first.forEach(block -> texts.add(block.head + block.text));
    last.forEach(block -> texts.add(block.head + block.text));
    var mark = PromptText.mark(unit.sharedKey(), texts);
    var own = written(last, mark) + unit.question() + "\n" + asked(unit);
    return new UnitMaterial(written(first, mark) + listed(unit), own);
  }

  private static String written(List<Block> blocks, String mark) {
    var text = new StringBuilder();
    for (var block : blocks) {
      text.append(mark).append(block.head).append('\n').append(block.text);
      // A mark begins a line, whatever stands before it.
      text.append(block.text.isEmpty() || block.text.endsWith("\n") ? "" : "\n");
      text.append(mark).append(" end\n\n");
    }
    return text.toString();
  }

  /** Everything that can be answered for: the same for all who are shown the same. */
  private static String listed(Unit unit) {
    return answersForSymbols(unit) ? symbols(unit, Excerpt::listed) + "\n" : "";
  }

  /** What is answered for, where that is not just everything that is shown. */
  private static String asked(Unit unit) {
    if (!answersForSymbols(unit) || unit.excerpts().stream().allMatch(Excerpt::asksAll)) {
      return "";
    }
    return isShort(unit.excerpts()) ? WITH_NAMES : symbols(unit, Excerpt::symbols);
  }

  /** Whether what is asked about needs no list of its own. */
  static boolean isShort(List<Excerpt> excerpts) {
    return excerpts.stream().allMatch(Excerpt::asksAll)
        || excerpts.stream().allMatch(Excerpt::asksAllWithNames);
  }

  private static boolean answersForSymbols(Unit unit) {
    return !unit.lenses().isEmpty() && unit.lenses().getFirst().reply() == Reply.SYMBOLS;
  }

  private static String symbols(Unit unit, Function<Excerpt, List<Symbol>> some) {
    var text = new StringBuilder("## Symbols\n\n");
    for (var excerpt : unit.excerpts()) {
      var symbols = some.apply(excerpt);
      if (!symbols.isEmpty()) {
        text.append("- ").append(PromptText.name(excerpt.path())).append(": ");
        text.append(
            String.join(", ", symbols.stream().map(it -> PromptText.symbol(it.path())).toList()));
        text.append('\n');
      }
    }
    return text.toString();
  }

  /** What stands between two marks. */
  private record Block(String head, String text) {
    static Block of(Excerpt excerpt, boolean review, Subject subject, UnaryOperator<String> cleaned)
        throws SourceUnavailable {
      var head =
          "%s %s lines %d to %d"
              .formatted(
                  review ? " review" : " reference",
                  PromptText.name(excerpt.path()),
                  excerpt.line(),
                  excerpt.endLine());
      if (excerpt.text().isPresent()) {
        var shown = cleaned.apply(PromptText.content(excerpt.text().get()));
        return new Block(head, ChangeWindows.numbered(shown));
      }
      var file = SourceText.of(excerpt.path(), subject.text(excerpt.path()).orElse(""));
      var text = new StringBuilder();
      int last = Math.min(file.lines(), excerpt.endLine());
      for (int line = excerpt.line(); line <= last; line++) {
        text.append(file.line(line)).append('\n');
      }
      var shown = cleaned.apply(PromptText.content(text.toString()));
      var numbered = new StringBuilder(shown.length() + 5 * (last - excerpt.line() + 1));
      int line = excerpt.line();
      for (var each : shown.split("\n", -1)) {
        numbered.append(line++).append('|').append(each).append('\n');
      }
      // What follows the last line end is no line.
      int end = numbered.lastIndexOf("\n", Math.max(0, numbered.length() - 2));
      return new Block(
          head, shown.endsWith("\n") ? numbered.substring(0, end + 1) : numbered.toString());
    }
  }
}
