package dev.flyball.bench;

import dev.flyball.review.check.CheckListener;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.rule.RuleLanguage;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.sourceforge.pmd.PMDConfiguration;
import net.sourceforge.pmd.PmdAnalysis;
import net.sourceforge.pmd.util.log.PmdReporter;

/**
 * What the checks without a model say of folders of code that people wrote: how fast, how many of
 * which rule, how many in a thousand lines; and, with a seed, some of them drawn by chance with the
 * line they are about, to be judged one by one. {@code --list} names all of them.
 */
final class StaticFindings {
  private static final int OF_A_RULE = 15;
  private static final int OF_A_LANGUAGE = 10;
  private static final int DRAWN = 120;
  private static final int LONGEST_LINE = 140;
  private static final int THREADS = Runtime.getRuntime().availableProcessors();

  /** A claim, the folder it is from and the line that it is about. */
  private record Found(String folder, Claim claim, String line) {
    String place() {
      return folder
          + "/"
          + claim.place().file().orElse("")
          + (claim.place() instanceof Place.Lines lines ? ":" + lines.line() : "");
    }

    String language() {
      return claim
          .place()
          .file()
          .flatMap(RuleLanguage::of)
          .map(RuleLanguage::title)
          .orElse("other");
    }
  }

  private static final Comparator<Found> IN_ORDER =
      Comparator.comparing(Found::folder).thenComparing(Found::claim, Claim.BY_PLACE);

  private final List<Found> all = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();
  private final RuleChoices choices;
  private final String only;

  private StaticFindings(String only) {
    this.only = only;
    choices =
        only.isEmpty()
            ? RuleChoices.NONE
            : RuleChoices.of(
                List.of(
                    new RuleChoices.Choice(
                        only.contains("*") ? only : only + "*",
                        Optional.of(true),
                        Optional.empty(),
                        List.of(),
                        List.of())));
  }

  static Optional<BenchReport> run(String[] args) throws SourceUnavailable {
    var words = new ArrayList<>(Arrays.asList(args));
    var seed = taken(words, "--sample");
    var drawn = taken(words, "--draw").map(Integer::parseInt).orElse(DRAWN);
    var only = taken(words, "--rule").orElse("");
    boolean alone = words.remove("--no-pmd");
    boolean listed = words.remove("--list");
    if (words.isEmpty()) {
      System.err.println("bench: static wants folders of source code");
      return Optional.empty();
    }
    var findings = new StaticFindings(only);
    for (var each : words) {
      findings.folder(Path.of(each), !alone && seed.isEmpty() && only.isEmpty());
    }
    var report = findings.report();
    if (seed.isPresent() || !only.isEmpty()) {
      findings.sample(report, seed.map(Long::parseLong).orElse(1L), drawn);
    }
    if (listed) {
      findings.list(report);
    }
    return Optional.of(report);
  }

  private static Optional<String> taken(List<String> words, String option) {
    int at = words.indexOf(option);
    if (at < 0 || at + 1 == words.size()) {
      return Optional.empty();
    }
    words.remove(at);
    return Optional.of(words.remove(at));
  }

  private void folder(Path folder, boolean beside) throws SourceUnavailable {
    var name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
    long started = System.nanoTime();
    StaticReview review;
    try (var subject = Subject.folder(folder)) {
      review = StaticReview.on(subject, choices, THREADS, CheckListener.NONE);
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    int found = 0;
    for (var claim : review.claims()) {
      if (claim.rule().startsWith(only.replace("*", ""))) {
        all.add(new Found(name, claim, line(review, claim)));
        found++;
      }
    }
    long bytes = review.texts().values().stream().mapToLong(text -> text.content().length()).sum();
    long lines = review.texts().values().stream().mapToLong(text -> text.lines()).sum();
    rows.add(
        List.of(
            name,
            "%,d".formatted(review.texts().size()),
            "%,d".formatted(lines),
            "%.1f".formatted(seconds),
            "%.0f".formatted(review.texts().size() / seconds),
            "%.2f".formatted(bytes / 1e6 / seconds),
            beside ? "%.1f".formatted(pmd(folder)) : "-",
            "%,d".formatted(found),
            "%.2f".formatted(1_000.0 * found / Math.max(1, lines))));
  }

  private static String line(StaticReview review, Claim claim) {
    return claim.place() instanceof Place.Lines lines
        ? review
            .text(lines)
            .filter(text -> lines.line() <= text.lines())
            .map(text -> text.line(lines.line()).strip())
            .orElse("")
        : "";
  }

  /** The seconds that PMD alone takes for the Java files of a folder, with its quick start. */
  private static double pmd(Path folder) {
    var settings = new PMDConfiguration();
    settings.setThreads(THREADS);
    settings.setReporter(PmdReporter.quiet());
    settings.setIgnoreIncrementalAnalysis(true);
    settings.addInputPath(folder);
    settings.addRuleSet("rulesets/java/quickstart.xml");
    long started = System.nanoTime();
    try (var analysis = PmdAnalysis.create(settings)) {
      analysis.performAnalysisAndCollectReport();
    }
    return (System.nanoTime() - started) / 1e9;
  }

  private BenchReport report() {
    Map<String, List<Found>> byRule =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    found -> found.claim().rule(), TreeMap::new, Collectors.toList()));
    return new BenchReport("Findings without a model")
        .say(
            "On %d threads. PMD alone: its quick start rules on the Java files of the folder."
                .formatted(THREADS))
        .table(
            List.of(
                "folder",
                "files",
                "lines",
                "seconds",
                "files a second",
                "MB a second",
                "PMD alone",
                "findings",
                "of 1,000 lines"),
            rows)
        .table(
            List.of("rule", "severity", "findings", "folders"),
            byRule.entrySet().stream()
                .sorted(
                    Comparator.comparingInt(
                            (Map.Entry<String, List<Found>> each) -> each.getValue().size())
                        .reversed())
                .map(
                    each ->
                        List.of(
                            each.getKey(),
                            each.getValue().getFirst().claim().severity().toString(),
                            "%,d".formatted(each.getValue().size()),
                            each.getValue().stream()
                                .map(Found::folder)
                                .distinct()
                                .collect(Collectors.joining(", "))))
                .toList());
  }

  /** Draws some by chance: at most so many of a rule, and at first so many of each language. */
  private void sample(BenchReport report, long seed, int most) {
    var mixed = new ArrayList<>(all);
    mixed.sort(IN_ORDER);
    Collections.shuffle(mixed, new Random(seed));
    Map<String, Integer> ofRule = new HashMap<>();
    Map<String, Integer> ofLanguage = new HashMap<>();
    var drawn = new ArrayList<Found>();
    var later = new ArrayList<Found>();
    for (var each : mixed) {
      boolean wanted = ofLanguage.getOrDefault(each.language(), 0) < OF_A_LANGUAGE;
      if (only.isEmpty() && ofRule.getOrDefault(each.claim().rule(), 0) >= OF_A_RULE) {
        continue;
      }
      if (wanted) {
        ofLanguage.merge(each.language(), 1, Integer::sum);
        ofRule.merge(each.claim().rule(), 1, Integer::sum);
        drawn.add(each);
      } else {
        later.add(each);
      }
    }
    for (var each : later) {
      if (drawn.size() < most
          && (!only.isEmpty() || ofRule.merge(each.claim().rule(), 1, Integer::sum) <= OF_A_RULE)) {
        drawn.add(each);
      }
    }
    drawn.sort(Comparator.comparing(Found::language).thenComparing(found -> found.claim().rule()));
    report
        .say(
            "To be judged: %d of %d findings, drawn with the seed %d: at most %d of a rule, and of each language at least %d or all it has."
                .formatted(drawn.size(), all.size(), seed, OF_A_RULE, OF_A_LANGUAGE))
        .table(
            List.of("language", "rule", "severity", "place", "line", "verdict", "reason"),
            drawn.stream()
                .map(
                    each ->
                        List.of(
                            each.language(),
                            each.claim().rule(),
                            each.claim().severity().toString(),
                            each.place(),
                            cell(each.line()),
                            "",
                            ""))
                .toList());
  }

  private void list(BenchReport report) {
    all.sort(IN_ORDER);
    report
        .say("All of them:")
        .table(
            List.of("language", "rule", "severity", "place", "line"),
            all.stream()
                .map(
                    each ->
                        List.of(
                            each.language(),
                            each.claim().rule(),
                            each.claim().severity().toString(),
                            each.place(),
                            cell(each.line())))
                .toList());
  }

  private static String cell(String line) {
    var cut = line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "…" : line;
    return "`" + cut.replace("|", "¦").replace("`", "'").replaceAll("\\p{Cntrl}", " ") + "`";
  }
}
