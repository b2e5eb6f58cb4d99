package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Context;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.relation.LookAlikes;
import dev.flyball.review.relation.References;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.Symbol;
import dev.flyball.review.symbol.SymbolKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The knowledge of files from the files around them: computed, so that no model has to guess it or
 * is asked what is certain already.
 */
final class FileContext {
  private static final double ALIKE = 0.8;
  private static final int LINES_OF_A_LOOK_ALIKE = 50;
  private static final int LINES_OF_TESTS = 500;
  private static final int USERS_NAMED = 5;

  /** An excerpt with what is shown and said beside it. */
  record ExcerptInContext(Excerpt excerpt, List<Excerpt> beside, String facts) {}

  private record LineRange(String path, int line, int endLine) {}

  private final Map<String, TextDigest> digests;
  private final TokenMeasure measure;
  private final References references;
  private final TestsOf tests;
  private final CompletableFuture<Map<LineRange, List<LookAlikes.Stretch>>> alike;

  FileContext(Map<String, TextDigest> digests, TokenMeasure measure) {
    this.digests = digests;
    this.measure = measure;
    this.tests = TestsOf.of(digests.keySet());
    Map<String, Outline> outlines = new TreeMap<>();
    digests.forEach((path, digest) -> outlines.put(path, digest.outline()));
    // Most lenses do not need it, and are not to wait for it.
    this.alike = CompletableFuture.supplyAsync(() -> alike(outlines));
    this.references = References.of(outlines);
  }

  private static Map<LineRange, List<LookAlikes.Stretch>> alike(Map<String, Outline> outlines) {
    var stretches = new ArrayList<LookAlikes.Stretch>();
    outlines.forEach((path, outline) -> stretches.addAll(stretches(path, outline)));
    Map<LineRange, List<LookAlikes.Stretch>> alike = new HashMap<>();
    for (var pair : LookAlikes.of(stretches, ALIKE)) {
      alike.computeIfAbsent(lineRange(pair.one()), range -> new ArrayList<>()).add(pair.other());
      alike.computeIfAbsent(lineRange(pair.other()), range -> new ArrayList<>()).add(pair.one());
    }
    return alike;
  }

  private static LineRange lineRange(LookAlikes.Stretch stretch) {
    return new LineRange(stretch.path(), stretch.line(), stretch.endLine());
  }

  private static List<LookAlikes.Stretch> stretches(String path, Outline outline) {
    return outline.symbols().stream()
        .filter(symbol -> symbol.sketch().isPresent())
        .map(
            symbol ->
                new LookAlikes.Stretch(
                    path,
                    symbol.path(),
                    symbol.line(),
                    symbol.endLine(),
                    symbol.sketch().orElseThrow()))
        .toList();
  }

  /** What a lens is to be asked about an excerpt; empty if all of it is certain already. */
  Optional<ExcerptInContext> of(Lens lens, Excerpt excerpt) {
    var asked =
        excerpt.symbols().stream().filter(symbol -> isOpen(lens, excerpt.path(), symbol)).toList();
    if (asked.isEmpty() && !excerpt.symbols().isEmpty()) {
      return Optional.empty();
    }
    if (asked.isEmpty() && lens.context().contains(Context.LOOK_ALIKES)) {
      return Optional.empty();
    }
    var about = excerpt.about(asked);
    var beside = new LinkedHashSet<Excerpt>();
    var facts = new StringBuilder();
    for (var symbol : asked) {
      if (lens.context().contains(Context.USES)) {
        facts.append(PromptText.name(excerpt.path())).append(' ');
        facts.append(PromptText.symbol(symbol.path()));
        facts.append(": ").append(uses(excerpt.path(), symbol)).append('\n');
      }
      if (lens.context().contains(Context.LOOK_ALIKES)) {
        partners(excerpt.path(), symbol).forEach(each -> beside.addAll(shown(each)));
      }
    }
    if (lens.context().contains(Context.TESTS)) {
      facts
          .append(PromptText.name(excerpt.path()))
          .append(": ")
          .append(tested(excerpt))
          .append('\n');
      tests.tests(excerpt.path()).stream()
          .limit(1)
          .forEach(path -> part(path, 1, LINES_OF_TESTS).ifPresent(beside::add));
    }
    return Optional.of(new ExcerptInContext(about, List.copyOf(beside), facts.toString()));
  }

  /** Whether a lens has to be asked, because what it would say is not certain. */
  private boolean isOpen(Lens lens, String path, Symbol symbol) {
    if (symbol.kind() == SymbolKind.MODULE) {
      return lens.reach().moduleLevel();
    }
    if (lens.onlyUnknown()) {
      return references.answer(path, symbol) instanceof References.Answer.Unknown;
    }
    return !lens.context().contains(Context.LOOK_ALIKES) || !partners(path, symbol).isEmpty();
  }

  private List<LookAlikes.Stretch> partners(String path, Symbol symbol) {
    return alike
        .join()
        .getOrDefault(new LineRange(path, symbol.line(), symbol.endLine()), List.of());
  }

  private List<Excerpt> shown(LookAlikes.Stretch other) {
    int end = Math.min(other.endLine(), other.line() + LINES_OF_A_LOOK_ALIKE - 1);
    return part(other.path(), other.line(), end).map(List::of).orElse(List.of());
  }

  private Optional<Excerpt> part(String path, int line, int endLine) {
    var digest = digests.get(path);
    if (digest == null) {
      return Optional.empty();
    }
    int lines = Math.max(1, digest.outline().lines());
    int end = Math.clamp(endLine, 1, lines);
    int first = Math.min(line, end);
    var size =
        measure
            .of(digest.counts(), digest.characters())
            .part(end - first + 1L, lines)
            .plus(TokenMeasure.numbers(end - first + 1));
    var print = digest.print() + ":" + first + "-" + end;
    return Optional.of(
        new Excerpt(path, first, end, size, List.of(), print, Optional.empty(), true));
  }

  private String uses(String path, Symbol symbol) {
    return switch (references.answer(path, symbol)) {
      case References.Answer.Used used ->
          "used in "
              + PromptText.names(used.by().stream().limit(USERS_NAMED).toList())
              + (used.total() > USERS_NAMED
                  ? " and " + (used.total() - USERS_NAMED) + " more"
                  : "");
      case References.Answer.Unused unused -> "used nowhere: " + unused.why();
      case References.Answer.Unknown unknown -> "unknown: " + unknown.why();
    };
  }

  private String tested(Excerpt excerpt) {
    var found = tests.tests(excerpt.path());
    return found.isEmpty()
        ? "no test of it in what is reviewed"
        : "tests in " + PromptText.names(found);
  }
}
