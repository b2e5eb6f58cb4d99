package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.relation.References;
import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.Symbol;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Code that nothing uses, where that is certain. */
final class UnusedCode {
  private static final double SURE = 0.9;
  private static final Optional<Language> PYTHON = Optional.of(Language.PYTHON);
  private static final Set<Language> SURE_OF =
      Set.of(
          Language.JAVA, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX, Language.PYTHON);

  private UnusedCode() {}

  static boolean knows(String path) {
    return Language.of(path).filter(SURE_OF::contains).isPresent();
  }

  /**
   * In some texts.
   *
   * @param complete whether these are all there are; if not, only what no other file can use is
   *     said to be unused
   */
  static List<Claim> in(Collection<SourceText> texts, boolean complete, CheckListener progress) {
    var known =
        texts.stream()
            .filter(text -> knows(text.path()))
            .filter(text -> complete || !Language.of(text.path()).equals(PYTHON))
            .toList();
    var outlines = new ConcurrentHashMap<String, Outline>();
    var done = new AtomicInteger();
    known.parallelStream()
        .forEach(
            text -> {
              outlines.put(text.path(), Outline.of(text.path(), text.content()));
              progress.at(CheckListener.Step.USES, done.incrementAndGet(), known.size());
            });
    Map<String, Outline> sorted = new TreeMap<>(outlines);
    var references = References.of(sorted);
    var claims = new ArrayList<Claim>();
    for (var text : known) {
      for (var symbol : Objects.requireNonNull(outlines.get(text.path())).symbols()) {
        if (references.answer(text.path(), symbol) instanceof References.Answer.Unused(var why)) {
          claims.add(claim(text, symbol, why));
        }
      }
    }
    return claims;
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
        SURE);
  }
}
