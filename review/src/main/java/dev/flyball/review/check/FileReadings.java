package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.rule.DefectRule;
import dev.flyball.review.rule.RuleHit;
import dev.flyball.review.rule.RuleLanguage;
import dev.flyball.review.rule.RuleSearch;
import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.SyntaxTree;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What is seen of files that are each parsed once: the places that break rules, outlines, and what
 * they ask other tools not to say.
 */
final class FileReadings {
  private static final int LONGEST_EVIDENCE = 160;

  /** A place of more lines is told by its first, or a change of any of them would be one of it. */
  private static final int MOST_LINES = 6;

  /** What a header has that is of C++ and not of C. */
  private static final Pattern CPP =
      Pattern.compile(
          "(?m)^[ \\t]*(namespace [\\w:]*\\s*\\{|class \\w|template"
              + " ?<|(public|private|protected):|using \\w)|\\bstd::\\w");

  private final RuleSearch search;
  private final BiPredicate<DefectRule, String> counts;
  private final ConcurrentLinkedQueue<Claim> claims = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<CheckNote> notes = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<LinterRemarks.Remark> remarks = new ConcurrentLinkedQueue<>();
  private final Map<String, Outline> outlines = new ConcurrentHashMap<>();

  private FileReadings(RuleSearch search, BiPredicate<DefectRule, String> counts) {
    this.search = search;
    this.counts = counts;
  }

  /** The result, in no order. */
  record Found(
      List<Claim> claims,
      List<CheckNote> notes,
      List<LinterRemarks.Remark> remarks,
      Map<String, Outline> outlines) {}

  /**
   * Reads texts.
   *
   * @param counts whether a rule counts in a file
   * @param outlined whether a file's outline is wanted
   */
  static Found in(
      Collection<SourceText> texts,
      Collection<DefectRule> rules,
      BiPredicate<DefectRule, String> counts,
      Predicate<String> outlined,
      CheckListener progress) {
    var readings = new FileReadings(RuleSearch.of(rules), counts);
    var known = texts.stream().filter(text -> RuleLanguage.of(text.path()).isPresent()).toList();
    var done = new AtomicInteger();
    known.parallelStream()
        .forEach(
            text -> {
              readings.read(text, outlined.test(text.path()));
              progress.at(CheckListener.Step.RULES, done.incrementAndGet(), known.size());
            });
    return new Found(
        List.copyOf(readings.claims),
        List.copyOf(readings.notes),
        List.copyOf(readings.remarks),
        Map.copyOf(readings.outlines));
  }

  private void read(SourceText text, boolean outlined) {
    var kind = RuleLanguage.of(text.path()).orElseThrow();
    boolean test = TestsOf.isTest(text.path());
    Predicate<DefectRule> wanted =
        rule ->
            rule.where().includes(test)
                && counts.test(rule, text.path())
                && !text.path().endsWith(".d.ts");
    if (kind.grammar().isEmpty()) {
      hits(text, search.in(kind, text.content(), wanted));
      remarks.addAll(LinterRemarks.in(text));
      return;
    }
    var language = language(kind.grammar().get(), text);
    if (!outlined && !search.asks(language) && !LinterRemarks.has(text)) {
      return;
    }
    var parsed = SyntaxTree.of(language, text.content());
    if (parsed.isEmpty()) {
      var reason = "it takes too long to parse";
      notes.add(
          kind == RuleLanguage.JAVA
              ? new CheckNote.Unfinished(text.path(), reason)
              : new CheckNote.Unparsed(text.path(), reason));
      remarks.addAll(LinterRemarks.in(text));
      if (outlined) {
        outlines.put(text.path(), Outline.unparsed(language, text.path(), text.content()));
      }
      return;
    }
    try (var tree = parsed.get()) {
      hits(text, search.in(tree, wanted));
      remarks.addAll(LinterRemarks.in(text, tree));
      if (outlined) {
        outlines.put(text.path(), Outline.of(tree));
      }
    }
  }

  /** A header may be of either language, and its name does not say of which. */
  private static Language language(Language byName, SourceText text) {
    return byName == Language.C && text.path().endsWith(".h") && CPP.matcher(text.content()).find()
        ? Language.CPP
        : byName;
  }

  private void hits(SourceText text, RuleSearch.Found found) {
    found.hits().forEach(hit -> claims.add(claim(text, hit)));
    if (!found.complete()) {
      notes.add(new CheckNote.Unfinished(text.path(), "it takes too long to look through"));
    }
  }

  private static Claim claim(SourceText text, RuleHit hit) {
    int line = text.lineAt(hit.start());
    int last = text.lineAt(Math.max(hit.start(), hit.end() - 1));
    var place =
        last - line >= MOST_LINES
            ? lines(text, hit.start(), text.startOf(line) + text.line(line).length())
            : lines(text, hit.start(), hit.end());
    var evidence = text.content().substring(hit.start(), hit.end()).lines().findFirst().orElse("");
    return Rulebook.claim(
        hit.rule().id(),
        place,
        "",
        SafeText.cut(evidence.strip(), LONGEST_EVIDENCE),
        "rules",
        hit.rule().about().confidence());
  }

  private static Place.Lines lines(SourceText text, int start, int end) {
    int line = text.lineAt(start);
    int last = text.lineAt(Math.max(start, end - 1));
    int column = start - text.startOf(line) + 1;
    int after = Math.max(1, end - text.startOf(last) + 1);
    return new Place.Lines(
        text.path(),
        line,
        column,
        last,
        last == line ? Math.max(column, after) : after,
        DiffSide.RIGHT);
  }
}
