package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.relation.References;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.Symbol;
import dev.flyball.review.symbol.SymbolKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Code that nothing uses, where that is certain. Tests are not looked at: they keep things for
 * later.
 */
final class UnusedCode {
  private static final double SURE = 0.9;
  private static final Optional<Language> JAVA = Optional.of(Language.JAVA);
  private static final Optional<Language> PYTHON = Optional.of(Language.PYTHON);
  private static final Set<Language> SURE_OF =
      Set.of(
          Language.JAVA, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX, Language.PYTHON);

  private static final Set<Language> SCRIPTS =
      Set.of(Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX);

  private UnusedCode() {}

  static boolean knows(String path) {
    return Language.of(path).filter(SURE_OF::contains).isPresent();
  }

  /**
   * In some texts.
   *
   * @param outlines of texts, by path
   * @param complete whether these are all there are; if not, only what no other file can use is
   *     said to be unused
   */
  static List<Claim> in(
      Collection<SourceText> texts, Map<String, Outline> outlines, boolean complete) {
    var known =
        texts.stream()
            .filter(text -> knows(text.path()) && outlines.containsKey(text.path()))
            .filter(text -> complete || !Language.of(text.path()).equals(PYTHON))
            .toList();
    Map<String, Outline> sorted = new TreeMap<>();
    known.forEach(
        text -> sorted.put(text.path(), Objects.requireNonNull(outlines.get(text.path()))));
    var references = References.of(sorted);
    var claims = new ArrayList<Claim>();
    for (var text : known) {
      var outline = Objects.requireNonNull(sorted.get(text.path()));
      boolean test = TestsOf.isTest(text.path());
      for (var symbol : outline.symbols()) {
        if (counts(symbol)
            && !isHandedOver(outline, symbol)
            && !test
            && references.answer(text.path(), symbol) instanceof References.Answer.Unused(var why)
            && !isCalled(text, symbol)) {
          claims.add(claim(text, symbol, why));
        }
      }
    }
    return claims;
  }

  /**
   * Whether it is a function in an object of a script, such as the options of a library or the
   * parts of a page, or a method of a class without a name: whoever is given the object calls it,
   * and no file says so.
   */
  private static boolean isHandedOver(Outline outline, Symbol symbol) {
    boolean script = outline.language().filter(SCRIPTS::contains).isPresent();
    return (symbol.kind() == SymbolKind.METHOD || (script && !symbol.owner().isEmpty()))
        && (script || outline.language().equals(JAVA))
        && outline.symbols().stream()
            .noneMatch(each -> each.kind().holds() && each.path().equals(symbol.owner()));
  }

  /**
   * Whether a line outside of it calls something of its name: a parser that takes the name for a
   * word of its language does not say so.
   */
  private static boolean isCalled(SourceText text, Symbol symbol) {
    var call = Pattern.compile("(?<![\\w$])" + Pattern.quote(symbol.name()) + "\\(");
    return IntStream.rangeClosed(1, text.lines())
        .filter(line -> line < symbol.line() || line > symbol.endLine())
        .anyMatch(line -> call.matcher(text.line(line)).find());
  }

  /** Whether it does something: a value that nobody reads costs nothing, and linters know it. */
  private static boolean counts(Symbol symbol) {
    return symbol.kind() != SymbolKind.CONSTANT && symbol.kind() != SymbolKind.VARIABLE;
  }

  private static Claim claim(SourceText text, Symbol symbol, String why) {
    int line = Math.min(symbol.line(), text.lines());
    int end = Math.min(symbol.endLine(), text.lines());
    return Rulebook.claim(
        Rulebook.UNUSED_SYMBOL,
        Place.lines(text, line, end),
        "%s is used nowhere.".formatted(symbol.path()),
        why,
        "usage graph",
        Rulebook.confidence(Rulebook.UNUSED_SYMBOL, SURE));
  }
}
