package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.finding.Suppression;
import dev.flyball.review.finding.Suppressions;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.rule.DefectRule;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.rule.RuleFiles;
import dev.flyball.review.rule.RuleLanguage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All checks that need no model, on some texts. */
final class StaticChecks {
  /** Sentences for users in other languages: whoever reads them is told to do this or that. */
  private static final Pattern TRANSLATION =
      Pattern.compile(
          "(?i)(^|/)(_?locales?|langs?|i18n|l10n|translations?|LC_MESSAGES)/|\\.(pot?|xlf|xliff|arb)$");

  /**
   * What shows, measures or builds a product and is none of it: folders, and files by the names
   * that tools look for. What is behind the name of a domain is a package.
   */
  private static final Pattern ASIDE =
      Pattern.compile(
          "^(?!(com|org|net|io|dev)/)([^/]++/){0,3}(([^/]+[-_])?([eE]xamples?|[sS]amples?|[dD]emos?|[bB]ench(marks?)?|[tT]utorials?)"
              + "|Testing|testing|contrib|docs?|scripts?|fuzz|perf|ci|\\.[^/]+)/"
              + "|^([^/]++/){0,2}(setup|conf|noxfile|fabfile|demo|example|waf|wscript|build|gulpfile|Gruntfile|rollup\\.config|webpack\\.config)\\.[a-z]{2,4}$");

  private final int threads;
  private final RuleChoices choices;
  private final List<DefectRule> rules;

  private StaticChecks(int threads, RuleChoices choices) {
    this.threads = threads;
    this.choices = choices;
    rules = RuleFiles.all().stream().filter(rule -> choices.on(rule.about())).toList();
  }

  /** On at most so many threads at once. */
  static StaticChecks on(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("at least 1 thread checks, but were " + threads);
    }
    return new StaticChecks(threads, RuleChoices.NONE);
  }

  /** The same by other rules. */
  StaticChecks by(RuleChoices other) {
    return new StaticChecks(threads, other);
  }

  /**
   * The result, each list in an order that depends on the texts alone.
   *
   * @param notes what was not checked as it should have been
   */
  record Checked(List<Claim> claims, List<Suppression> suppressions, List<CheckNote> notes) {
    Checked {
      claims = List.copyOf(claims);
      suppressions = List.copyOf(suppressions);
      notes = List.copyOf(notes);
    }
  }

  /** Whether a file of this name is looked through for defects, and not only for copies. */
  boolean knowsDefects(String path) {
    return RuleLanguage.of(path)
        .filter(
            language ->
                rules.stream()
                    .anyMatch(rule -> rule.languages().contains(language) && counts(rule, path)))
        .isPresent();
  }

  /** Whether anything here can look at a file of this name. */
  boolean knows(String path) {
    return knowsDefects(path)
        || (isOn(Rulebook.DUPLICATE_CODE) && CopiedCode.knows(path))
        || (isOn(Rulebook.UNUSED_SYMBOL) && UnusedCode.knows(path));
  }

  private boolean isOn(String rule) {
    return choices.on(Rulebook.rule(rule));
  }

  private boolean counts(DefectRule rule, String path) {
    return choices.on(rule.about(), path);
  }

  /** Checks texts of which no line is known to be new. */
  Checked run(Collection<SourceText> texts, boolean complete, CheckListener progress) {
    return run(texts, complete, complete, Map.of(), progress);
  }

  /**
   * Checks texts, wherever they come from; each path once.
   *
   * @param complete whether all of each is looked at, and not a change
   * @param whole whether there are no others: then what none of them uses is not used
   * @param added the lines that a change has added, by file: no remark on these suppresses anything
   */
  Checked run(
      Collection<SourceText> texts,
      boolean complete,
      boolean whole,
      Map<String, BitSet> added,
      CheckListener progress) {
    Map<String, SourceText> byPath =
        texts.stream().collect(Collectors.toMap(SourceText::path, Function.identity()));
    var defects = PmdDefects.in(byPath.values(), rules, threads, progress);
    var readings =
        FileReadings.in(
            byPath.values(),
            rules,
            (rule, path) -> counts(rule, path) && !(complete && isAside(rule, path)),
            UnusedCode::knows,
            progress);
    var duplicates =
        CopiedCode.in(
            isOn(Rulebook.DUPLICATE_CODE) ? byPath.values() : List.<SourceText>of(), progress);
    var claims = new ArrayList<>(defects.claims());
    defects.silenced().stream()
        .filter(each -> isBrought(each, byPath, added))
        .map(PmdDefects.Silenced::claim)
        .forEach(claims::add);
    claims.removeIf(claim -> !isFor(claim, complete));
    claims.addAll(readings.claims());
    claims.addAll(duplicates.claims());
    claims.addAll(UnusedCode.in(byPath.values(), readings.outlines(), whole));
    var silenced =
        new LinterRemarks.InForce(
            readings.remarks().stream()
                .filter(remark -> !isAdded(added, remark.file(), remark.line()))
                .toList());
    claims.removeIf(silenced::covers);
    var written =
        byPath.values().stream()
            .filter(text -> !complete || !TRANSLATION.matcher(text.path()).find())
            .toList();
    // What speaks to a model is news where somebody brings it; a product may be full of it.
    OrdersToReviewer.in(written, !complete).stream()
        .filter(claim -> !complete || !claim.rule().equals(Rulebook.ADDRESSED))
        .map(claim -> complete && TestsOf.isTest(path(claim)) ? claim.as(Severity.MINOR) : claim)
        .forEach(claims::add);
    claims.addAll(HiddenCharacters.in(written, complete));
    claims.addAll(WrittenSecrets.in(byPath.values(), complete));
    claims.removeIf(claim -> chosen(claim).isEmpty());
    claims.replaceAll(claim -> chosen(claim).orElse(claim));
    claims.sort(Claim.BY_PLACE);
    var lasting = claims.stream().filter(OrdersToReviewer::isLasting).toList();
    claims.removeAll(lasting);
    var applied =
        Suppressions.in(byPath.values(), (file, line) -> !isAdded(added, file, line)).apply(claims);
    var left = new ArrayList<>(applied.left());
    left.addAll(lasting);
    left.sort(Claim.BY_PLACE);
    var suppressions = new ArrayList<>(defects.suppressions());
    suppressions.addAll(applied.suppressions());
    suppressions.addAll(silenced.used());
    suppressions.sort(
        Comparator.comparing(Suppression::file)
            .thenComparingInt(Suppression::line)
            .thenComparing(Suppression::kind)
            .thenComparing(Suppression::rule)
            .thenComparing(Suppression::reason));
    var notes = new ArrayList<>(defects.notes());
    notes.addAll(readings.notes());
    notes.addAll(duplicates.notes());
    notes.sort(
        Comparator.comparing(CheckNote::file)
            .thenComparing(note -> note.getClass().getSimpleName())
            .thenComparing(CheckNote::reason));
    return new Checked(left, suppressions, notes);
  }

  /** Whether a rule of PMD is for tests or for what they test. */
  private boolean isFor(Claim claim, boolean complete) {
    boolean test = TestsOf.isTest(path(claim));
    return rules.stream()
        .filter(rule -> rule.id().equals(claim.rule()))
        .anyMatch(rule -> rule.where().includes(test) && !(complete && isAside(rule, path(claim))));
  }

  /** Whether a rule is for what people run, and a file shows or measures it. */
  private static boolean isAside(DefectRule rule, String path) {
    return rule.where() == DefectRule.CodeRole.MAIN && ASIDE.matcher(path).lookingAt();
  }

  private static String path(Claim claim) {
    return claim.place().file().orElse("");
  }

  /** A claim as somebody wants it: not at all, or as grave as that. */
  Optional<Claim> chosen(Claim claim) {
    return choices.on(Rulebook.rule(claim.rule()), path(claim))
        ? Optional.of(choices.chosen(claim.rule()).map(claim::as).orElse(claim))
        : Optional.empty();
  }

  private static boolean isAdded(Map<String, BitSet> added, String file, int line) {
    var lines = added.get(file);
    return lines != null && lines.get(line);
  }

  /** Whether what silences PMD may be part of the change. An annotation may be far above. */
  private static boolean isBrought(
      PmdDefects.Silenced silenced, Map<String, SourceText> texts, Map<String, BitSet> added) {
    var by = silenced.by();
    return switch (by.kind()) {
      case NOPMD, IGNORE, IGNORE_NEXT_LINE -> isAdded(added, by.file(), by.line());
      case ANNOTATION, LINTER -> {
        var text = texts.get(by.file());
        yield text != null
            && added.getOrDefault(by.file(), new BitSet()).stream()
                .filter(line -> line <= text.lines())
                .anyMatch(line -> text.line(line).contains("SuppressWarnings"));
      }
    };
  }
}
