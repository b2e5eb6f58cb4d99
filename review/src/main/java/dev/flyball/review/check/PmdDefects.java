package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.finding.Suppression;
import dev.flyball.review.rule.DefectRule;
import dev.flyball.review.rule.RuleMatcher;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import net.sourceforge.pmd.PMDConfiguration;
import net.sourceforge.pmd.PmdAnalysis;
import net.sourceforge.pmd.lang.LanguageRegistry;
import net.sourceforge.pmd.lang.ast.FileAnalysisException;
import net.sourceforge.pmd.lang.document.FileId;
import net.sourceforge.pmd.lang.document.TextFile;
import net.sourceforge.pmd.lang.rule.Rule;
import net.sourceforge.pmd.reporting.FileAnalysisListener;
import net.sourceforge.pmd.reporting.GlobalAnalysisListener;
import net.sourceforge.pmd.reporting.Report;
import net.sourceforge.pmd.reporting.RuleViolation;
import net.sourceforge.pmd.util.log.PmdReporter;

/**
 * Known defects, found by PMD by the rules that say so in their files.
 *
 * <p>PMD sees the classes of the JDK and no others, so that what it finds depends on the texts and
 * not on what happens to be on our class path. A text that it stumbles over, be it by recursing too
 * deeply, is noted and the others go on; PMD only does that when a system property says so.
 */
final class PmdDefects implements GlobalAnalysisListener {
  private static final String REMARKS =
      "category/java/bestpractices.xml/UnnecessaryWarningSuppression";
  private static final String UNUSED_SUPPRESSION = "UnnecessaryWarningSuppression";
  private static final String GO_ON_AFTER_ERRORS = "pmd.error_recovery";
  private static final int LONGEST_JAVA = 1_000_000;

  private static final int LONGEST_REASON = 200;
  private final Map<String, SourceText> texts = new HashMap<>();
  private final List<DefectRule> rules;
  private final CheckListener progress;
  private final Set<String> finished = ConcurrentHashMap.newKeySet();
  private final AtomicInteger done = new AtomicInteger();
  private final ConcurrentLinkedQueue<Claim> claims = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<CheckNote> notes = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Suppression> suppressions = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Silenced> silenced = new ConcurrentLinkedQueue<>();

  private PmdDefects(List<DefectRule> rules, CheckListener progress) {
    this.rules = rules;
    this.progress = progress;
  }

  /** The result, in no order. */
  record Found(
      List<Claim> claims,
      List<CheckNote> notes,
      List<Suppression> suppressions,
      List<Silenced> silenced) {}

  /** What would have been claimed, had a remark or an annotation not suppressed it. */
  record Silenced(Claim claim, Suppression by) {}

  /** By these rules, of which those that are none of PMD's do not count. */
  static Found in(
      Collection<SourceText> all,
      Collection<DefectRule> rules,
      int threads,
      CheckListener progress) {
    var defects =
        new PmdDefects(
            rules.stream()
                .filter(rule -> rule.matcher() instanceof RuleMatcher.Pmd)
                .sorted(Comparator.comparing(DefectRule::id))
                .toList(),
            progress);
    for (var text : all) {
      if (!knows(text.path())) {
        continue;
      }
      if (text.content().length() > LONGEST_JAVA) {
        defects.notes.add(
            new CheckNote.Unparsed(text.path(), "longer than " + LONGEST_JAVA + " characters"));
      } else if (Monotony.of(text)) {
        defects.notes.add(new CheckNote.Unparsed(text.path(), "too repetitive"));
      } else {
        defects.texts.put(text.path(), text);
      }
    }
    if (!defects.texts.isEmpty()) {
      defects.run(threads);
    }
    return new Found(
        List.copyOf(defects.claims),
        List.copyOf(defects.notes),
        List.copyOf(defects.suppressions),
        List.copyOf(defects.silenced));
  }

  static boolean knows(String path) {
    return path.toLowerCase(Locale.ROOT).endsWith(".java");
  }

  /** The rules as PMD reads them. */
  private String ruleset() {
    var xml =
        new StringBuilder("<?xml version=\"1.0\"?>\n<ruleset name=\"Flyball\" xmlns=\"")
            .append("http://pmd.sourceforge.net/ruleset/2.0.0\"><description>-</description>\n");
    for (var rule : rules) {
      if (rule.matcher() instanceof RuleMatcher.Pmd(var reference, var properties)) {
        xml.append("<rule ref=\"").append(escaped(reference)).append("\"><properties>");
        properties.forEach(
            (name, value) ->
                xml.append("<property name=\"")
                    .append(escaped(name))
                    .append("\" value=\"")
                    .append(escaped(value))
                    .append("\"/>"));
        xml.append("</properties></rule>\n");
      }
    }
    return xml.append("<rule ref=\"").append(REMARKS).append("\"/></ruleset>").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  private void run(int threads) {
    if (System.getProperty(GO_ON_AFTER_ERRORS) == null) {
      System.setProperty(GO_ON_AFTER_ERRORS, "");
    }
    var settings = new PMDConfiguration();
    settings.setThreads(threads);
    settings.setClassLoader(ClassLoader.getPlatformClassLoader());
    settings.setReporter(PmdReporter.quiet());
    settings.setIgnoreIncrementalAnalysis(true);
    try (var analysis = PmdAnalysis.create(settings)) {
      analysis.addRuleSet(
          analysis
              .newRuleSetLoader()
              .loadResourcesWith(PmdDefects.class.getClassLoader())
              .loadFromString("flyball.xml", ruleset()));
      texts.values().forEach(text -> analysis.files().addFile(file(text)));
      analysis.addListener(this);
      analysis.performAnalysis();
    } catch (StackOverflowError | AssertionError | RuntimeException broken) {
      texts.keySet().stream()
          .filter(path -> !finished.contains(path))
          .forEach(path -> notes.add(new CheckNote.Unfinished(path, reason(broken))));
    }
  }

  @Override
  public FileAnalysisListener startFileAnalysis(TextFile file) {
    var path = file.getFileId().getOriginalPath();
    return new FileAnalysisListener() {
      @Override
      public void onRuleViolation(RuleViolation violation) {
        if (violation.getRule().getName().equals(UNUSED_SUPPRESSION)) {
          suppressions.add(unused(path, violation));
        } else {
          claims.add(claim(path, violation));
        }
      }

      @Override
      public void onSuppressedRuleViolation(Report.SuppressedViolation suppressed) {
        kind(suppressed.getSuppressor().getId())
            .map(
                kind ->
                    new Suppression(
                        path,
                        suppressed.getRuleViolation().getBeginLine(),
                        kind,
                        id(suppressed.getRuleViolation().getRule()),
                        Optional.ofNullable(suppressed.getUserMessage()).orElse("").strip(),
                        true))
            .ifPresent(
                by -> {
                  suppressions.add(by);
                  silenced.add(new Silenced(claim(path, suppressed.getRuleViolation()), by));
                });
      }

      @Override
      public void onError(Report.ProcessingError error) {
        notes.add(note(path, error.getError()));
      }

      @Override
      public void close() {
        finished.add(path);
        progress.at(CheckListener.Step.DEFECTS, done.incrementAndGet(), texts.size());
      }
    };
  }

  @Override
  public void close() {}

  private static Suppression unused(String path, RuleViolation violation) {
    var words = violation.getDescription();
    return new Suppression(
        path,
        violation.getBeginLine(),
        words.contains("NOPMD") ? Suppression.Kind.NOPMD : Suppression.Kind.ANNOTATION,
        "",
        words,
        false);
  }

  private static Claim claim(String path, RuleViolation violation) {
    var rule = violation.getRule();
    return Rulebook.claim(
        id(rule),
        place(path, violation),
        "",
        violation.getDescription(),
        "pmd",
        Rulebook.rule(id(rule)).confidence());
  }

  private static Place place(String path, RuleViolation violation) {
    int line = Math.max(1, violation.getBeginLine());
    int column = Math.max(1, violation.getBeginColumn());
    int endLine = Math.max(line, violation.getEndLine());
    int endColumn = Math.max(endLine == line ? column : 1, violation.getEndColumn());
    return new Place.Lines(path, line, column, endLine, endColumn, DiffSide.RIGHT);
  }

  private static CheckNote note(String path, Throwable error) {
    return error instanceof FileAnalysisException || error instanceof StackOverflowError
        ? new CheckNote.Unparsed(path, reason(error))
        : new CheckNote.Unfinished(path, reason(error));
  }

  private static String reason(Throwable error) {
    if (error instanceof StackOverflowError) {
      return "nested too deeply";
    }
    var message = Optional.ofNullable(error.getMessage()).orElse(error.getClass().getSimpleName());
    var first = message.lines().findFirst().orElse("");
    return first.length() <= LONGEST_REASON ? first : first.substring(0, LONGEST_REASON);
  }

  private static String id(Rule rule) {
    return "java/" + rule.getName();
  }

  private static Optional<Suppression.Kind> kind(String suppressor) {
    return switch (suppressor) {
      case "//NOPMD" -> Optional.of(Suppression.Kind.NOPMD);
      case "@SuppressWarnings" -> Optional.of(Suppression.Kind.ANNOTATION);
      default -> Optional.empty();
    };
  }

  private static TextFile file(SourceText text) {
    return TextFile.forCharSeq(
        text.content(),
        FileId.fromPathLikeString(text.path()),
        Objects.requireNonNull(LanguageRegistry.PMD.getLanguageById("java")).getDefaultVersion());
  }
}
