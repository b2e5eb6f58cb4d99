package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import net.sourceforge.pmd.cpd.AnyCpdLexer;
import net.sourceforge.pmd.cpd.CPDConfiguration;
import net.sourceforge.pmd.cpd.CPDReport;
import net.sourceforge.pmd.cpd.CpdAnalysis;
import net.sourceforge.pmd.cpd.CpdLexer;
import net.sourceforge.pmd.cpd.Mark;
import net.sourceforge.pmd.cpd.Match;
import net.sourceforge.pmd.lang.Language;
import net.sourceforge.pmd.lang.LanguagePropertyBundle;
import net.sourceforge.pmd.lang.LanguageRegistry;
import net.sourceforge.pmd.lang.document.FileId;
import net.sourceforge.pmd.lang.document.FileLocation;
import net.sourceforge.pmd.lang.document.TextFile;
import net.sourceforge.pmd.lang.impl.CpdOnlyLanguageModuleBase;
import net.sourceforge.pmd.util.log.PmdReporter;

/**
 * Code that is there twice, found by CPD, language by language. Java, JavaScript and TypeScript are
 * read by their own rules; for other languages words, numbers, strings and signs are told apart,
 * which is enough to compare.
 */
final class CopiedCode {
  private static final int LEAST_TOKENS = 100;
  private static final int LONGEST_TEXT = 1_000_000;
  private static final long MOST_CHARACTERS = 40_000_000;
  private static final int MOST_COPIES = 20;
  private static final int PLACES_NAMED = 5;
  private static final double SURE = 0.9;
  private static final double SURE_OF_WORDS = 0.75;

  private static final Map<String, Language> LANGUAGES = languages();

  private final List<Claim> claims = new ArrayList<>();
  private final List<CheckNote> notes = new ArrayList<>();

  private CopiedCode() {}

  record Found(List<Claim> claims, List<CheckNote> notes) {}

  static Found in(Collection<SourceText> texts, CheckListener progress) {
    Map<String, List<SourceText>> byLanguage =
        texts.stream()
            .sorted(Comparator.comparing(SourceText::path))
            .filter(text -> language(text.path()).isPresent())
            .collect(
                Collectors.groupingBy(
                    text -> language(text.path()).orElseThrow().getId(),
                    TreeMap::new,
                    Collectors.toList()));
    int all = byLanguage.values().stream().mapToInt(List::size).sum();
    var copies = new CopiedCode();
    int done = 0;
    for (var group : byLanguage.values()) {
      copies.compare(copies.comparable(group));
      done += group.size();
      progress.at(CheckListener.Step.DUPLICATES, done, all);
    }
    return new Found(List.copyOf(copies.claims), List.copyOf(copies.notes));
  }

  static boolean knows(String path) {
    return language(path).isPresent();
  }

  private List<SourceText> comparable(List<SourceText> texts) {
    Map<String, Integer> copies = new HashMap<>();
    var comparable = new ArrayList<SourceText>();
    long characters = 0;
    for (var text : texts) {
      if (text.content().length() > LONGEST_TEXT) {
        refuse(text, "longer than " + LONGEST_TEXT + " characters");
      } else if (Monotony.of(text)) {
        refuse(text, "says the same thing too often");
      } else if (copies.merge(text.content(), 1, Integer::sum) > MOST_COPIES) {
        refuse(text, "one of more than " + MOST_COPIES + " files that are the same");
      } else if (characters + text.content().length() > MOST_CHARACTERS) {
        refuse(text, "more than " + MOST_CHARACTERS + " characters of this language");
      } else {
        characters += text.content().length();
        comparable.add(text);
      }
    }
    return comparable;
  }

  private void compare(List<SourceText> texts) {
    if (texts.isEmpty()) {
      return;
    }
    var language = language(texts.getFirst().path()).orElseThrow();
    var settings = new CPDConfiguration(LanguageRegistry.singleton(language));
    settings.setOnlyRecognizeLanguage(language);
    settings.setMinimumTileSize(LEAST_TOKENS);
    settings.setFailOnError(false);
    settings.setReporter(PmdReporter.quiet());
    try (var analysis = CpdAnalysis.create(settings)) {
      for (var text : texts) {
        analysis
            .files()
            .addFile(
                TextFile.forCharSeq(
                    text.content(),
                    FileId.fromPathLikeString(text.path()),
                    language.getDefaultVersion()));
      }
      analysis.performAnalysis(this::collect);
    } catch (IOException | StackOverflowError | AssertionError | RuntimeException broken) {
      texts.forEach(text -> refuse(text, "the comparison broke: " + broken));
    }
  }

  private void collect(CPDReport report) {
    for (var error : report.getProcessingErrors()) {
      notes.add(
          new CheckNote.NotCompared(
              error.getFileId().getOriginalPath(),
              error.getMsg().lines().findFirst().orElse("it cannot be read")));
    }
    report.getMatches().forEach(match -> claims.add(claim(match)));
  }

  private static Claim claim(Match match) {
    var places =
        StreamSupport.stream(match.spliterator(), false)
            .map(Mark::getLocation)
            .sorted(
                Comparator.comparing((FileLocation at) -> path(at))
                    .thenComparingInt(FileLocation::getStartLine))
            .toList();
    var first = places.getFirst();
    var others =
        places.stream()
            .skip(1)
            .limit(PLACES_NAMED)
            .map(at -> path(at) + ":" + at.getStartLine() + "-" + at.getEndLine())
            .collect(Collectors.joining(", "));
    int more = places.size() - 1 - PLACES_NAMED;
    return Rulebook.claim(
        Rulebook.DUPLICATE_CODE,
        new Place.Lines(
            path(first),
            first.getStartLine(),
            first.getStartColumn(),
            first.getEndLine(),
            first.getEndColumn(),
            DiffSide.RIGHT),
        "%d lines (%d tokens) are also at %s%s."
            .formatted(
                match.getLineCount(),
                match.getTokenCount(),
                others,
                more > 0 ? " and " + more + " more places" : ""),
        others,
        "cpd",
        language(path(first)).filter(Words.class::isInstance).isPresent() ? SURE_OF_WORDS : SURE);
  }

  private void refuse(SourceText text, String reason) {
    notes.add(new CheckNote.NotCompared(text.path(), reason));
  }

  private static String path(FileLocation at) {
    return at.getFileId().getOriginalPath();
  }

  private static Optional<Language> language(String path) {
    var extension = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return Optional.ofNullable(LANGUAGES.get(extension));
  }

  private static Map<String, Language> languages() {
    var known = LanguageRegistry.CPD;
    Map<String, Language> languages = new TreeMap<>();
    Map.of("java", "java", "js mjs cjs jsx", "ecmascript", "ts mts cts tsx", "typescript")
        .forEach(
            (extensions, id) ->
                Optional.ofNullable(known.getLanguageById(id))
                    .ifPresent(
                        it -> List.of(extensions.split(" ")).forEach(x -> languages.put(x, it))));
    for (var words :
        List.of(
            new Words("python", "#", "py"),
            new Words("ruby", "#", "rb"),
            new Words("go", "//", "go"),
            new Words("rust", "//", "rs"),
            new Words("c", "//", "c", "h", "cc", "cpp", "cxx", "hh", "hpp"),
            new Words("csharp", "//", "cs"),
            new Words("kotlin", "//", "kt", "kts"),
            new Words("swift", "//", "swift"),
            new Words("scala", "//", "scala"),
            new Words("php", "//", "php"))) {
      words.getExtensions().forEach(extension -> languages.put(extension, words));
    }
    return Map.copyOf(languages);
  }

  /** A language of which only words, strings, signs and comments are known. */
  private static final class Words extends CpdOnlyLanguageModuleBase {
    private final String comment;

    Words(String id, String comment, String extension, String... more) {
      super(LanguageMetadata.withId(id).name(id).extensions(extension, more));
      this.comment = comment;
    }

    @Override
    public CpdLexer createCpdLexer(LanguagePropertyBundle properties) {
      return new AnyCpdLexer(comment);
    }
  }
}
