package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.symbol.Language;
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
import net.sourceforge.pmd.cpd.CPDConfiguration;
import net.sourceforge.pmd.cpd.CPDReport;
import net.sourceforge.pmd.cpd.CpdAnalysis;
import net.sourceforge.pmd.cpd.CpdLexer;
import net.sourceforge.pmd.cpd.Mark;
import net.sourceforge.pmd.cpd.Match;
import net.sourceforge.pmd.lang.LanguagePropertyBundle;
import net.sourceforge.pmd.lang.LanguageRegistry;
import net.sourceforge.pmd.lang.document.FileId;
import net.sourceforge.pmd.lang.document.FileLocation;
import net.sourceforge.pmd.lang.document.TextFile;
import net.sourceforge.pmd.lang.impl.CpdOnlyLanguageModuleBase;
import net.sourceforge.pmd.util.log.PmdReporter;

/**
 * Code that is there twice, found by CPD, language by language. Copies that overlap are one group,
 * and a group is one finding. Tests repeat themselves, so only long copies count among them.
 */
final class CopiedCode {
  private static final int LEAST_TOKENS = 400;
  private static final int LONGEST_TEXT = 1_000_000;
  private static final long MOST_CHARACTERS = 40_000_000;
  private static final int MOST_COPIES = 20;
  private static final int PLACES_NAMED = 5;
  private static final int LEAST_TOKENS_OF_TESTS = 500;
  private static final int MOST_OF_A_FILE = 3;
  private static final double SURE = 0.75;
  private static final Map<String, Compared> LANGUAGES = languages();

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

  /** The language of a file, as people write it. */
  static Optional<String> name(String path) {
    return language(path)
        .map(Compared::getName)
        .map(name -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
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
        refuse(text, "too repetitive");
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
      texts.forEach(text -> refuse(text, "the comparison failed: " + broken));
    }
  }

  private void collect(CPDReport report) {
    for (var error : report.getProcessingErrors()) {
      notes.add(
          new CheckNote.NotCompared(
              error.getFileId().getOriginalPath(),
              error.getMsg().lines().findFirst().orElse("it cannot be read")));
    }
    Map<String, Integer> ofFile = new HashMap<>();
    for (var group : groups(report.getMatches())) {
      var claim = claim(group);
      if (ofFile.merge(claim.place().file().orElse(""), 1, Integer::sum) <= MOST_OF_A_FILE) {
        claims.add(claim);
      }
    }
  }

  /**
   * Copies that belong together.
   *
   * @param longest that of which the others are parts, or which they overlap
   * @param places all of them, each once, the longest at each
   */
  private record Group(Match longest, List<FileLocation> places) {}

  private static List<Group> groups(List<Match> matches) {
    var groups = new ArrayList<Group>();
    Map<String, List<Integer>> byFile = new HashMap<>();
    var sorted =
        matches.stream()
            .filter(CopiedCode::counts)
            .sorted(
                Comparator.comparingInt(Match::getTokenCount)
                    .reversed()
                    .thenComparing(match -> path(match.getFirstMark().getLocation()))
                    .thenComparingInt(match -> match.getFirstMark().getLocation().getStartLine()))
            .toList();
    for (var match : sorted) {
      var places = StreamSupport.stream(match.spliterator(), false).map(Mark::getLocation).toList();
      int group = -1;
      for (var place : places) {
        for (int known : byFile.getOrDefault(path(place), List.of())) {
          if (groups.get(known).places().stream().anyMatch(other -> overlap(place, other))) {
            group = known;
          }
        }
      }
      if (group < 0) {
        group = groups.size();
        groups.add(new Group(match, new ArrayList<>()));
      }
      var all = groups.get(group).places();
      for (var place : places) {
        if (all.stream().noneMatch(other -> overlap(place, other))) {
          all.add(place);
          byFile.computeIfAbsent(path(place), key -> new ArrayList<>()).add(group);
        }
      }
    }
    return groups;
  }

  private static boolean overlap(FileLocation one, FileLocation other) {
    return one.getFileId().equals(other.getFileId())
        && one.getStartLine() <= other.getEndLine()
        && other.getStartLine() <= one.getEndLine();
  }

  /** Whether copies are worth a word: among tests only long ones are. */
  private static boolean counts(Match match) {
    return match.getTokenCount() >= LEAST_TOKENS_OF_TESTS
        || StreamSupport.stream(match.spliterator(), false)
                .filter(mark -> !TestsOf.isTest(path(mark.getLocation())))
                .count()
            > 1;
  }

  private static Claim claim(Group group) {
    var places =
        group.places().stream()
            .sorted(
                Comparator.comparing((FileLocation at) -> TestsOf.isTest(path(at)))
                    .thenComparing(at -> path(at))
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
        places.size() == 1
            ? "%d lines (%d tokens) repeat themselves."
                .formatted(group.longest().getLineCount(), group.longest().getTokenCount())
            : "%d lines (%d tokens) are also at %s%s."
                .formatted(
                    group.longest().getLineCount(),
                    group.longest().getTokenCount(),
                    others,
                    more > 0 ? " and " + more + " more places" : ""),
        others,
        "cpd",
        Rulebook.confidence(Rulebook.DUPLICATE_CODE, SURE));
  }

  private void refuse(SourceText text, String reason) {
    notes.add(new CheckNote.NotCompared(text.path(), reason));
  }

  private static String path(FileLocation at) {
    return at.getFileId().getOriginalPath();
  }

  private static Optional<Compared> language(String path) {
    var extension = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return Optional.ofNullable(LANGUAGES.get(extension));
  }

  private static Map<String, Compared> languages() {
    Map<String, Compared> languages = new TreeMap<>();
    for (var each :
        List.of(
            new Compared(Language.JAVA, "java", "java"),
            new Compared(Language.JAVASCRIPT, "javascript", "js", "mjs", "cjs", "jsx"),
            new Compared(Language.TSX, "typescript", "ts", "mts", "cts", "tsx"),
            new Compared(Language.PYTHON, "python", "py"),
            new Compared(Language.GO, "go", "go"),
            new Compared(Language.RUST, "rust", "rs"),
            new Compared(Language.CPP, "c", "c", "h", "cc", "cpp", "cxx", "hh", "hpp"),
            new Compared(Language.C_SHARP, "csharp", "cs"),
            new Compared(Language.KOTLIN, "kotlin", "kt", "kts"),
            new Compared(Language.PYTHON, "ruby", "rb"),
            new Compared(Language.KOTLIN, "swift", "swift"),
            new Compared(Language.KOTLIN, "scala", "scala"),
            new Compared(Language.JAVA, "php", "php"))) {
      each.getExtensions().forEach(extension -> languages.put(extension, each));
    }
    return Map.copyOf(languages);
  }

  /** A language whose texts are compared, and one whose comments and strings look like its own. */
  private static final class Compared extends CpdOnlyLanguageModuleBase {
    private final Language like;

    Compared(Language like, String id, String extension, String... more) {
      super(LanguageMetadata.withId(id).name(id).extensions(extension, more));
      this.like = like;
    }

    @Override
    public CpdLexer createCpdLexer(LanguagePropertyBundle properties) {
      return new CopyLexer(like);
    }
  }
}
