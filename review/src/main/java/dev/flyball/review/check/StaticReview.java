package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.finding.Suppression;
import dev.flyball.review.patch.Hunk;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.rule.RuleLanguage;
import dev.flyball.review.select.SkipReason;
import dev.flyball.review.select.Subject;
import dev.flyball.review.select.TreeEntry;
import dev.flyball.review.source.SourceUnavailable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of a review that needs no model: what the checks say of a subject. Of a change only what
 * touches a line that it added is said; the rest was there before.
 *
 * @param claims what is left after suppressions
 * @param before of a change, what is left but was there before; where several claims are alike, it
 *     keeps their numbers what they were
 * @param suppressions of a change those that it adds, else all
 * @param notes what was not checked as it should have been
 * @param coverage which files the checks could look at; those that no check knows are named
 * @param texts what was looked at, by path
 */
public record StaticReview(
    List<Claim> claims,
    List<Claim> before,
    List<Suppression> suppressions,
    List<CheckNote> notes,
    ReviewCoverage coverage,
    Map<String, SourceText> texts) {
  private static final int LAST_WORDS = 300;
  private static final int MEAN_LINE = 200;
  private static final Pattern SCRIPT = Pattern.compile("\\.[cm]?js$|\\.d\\.[cm]?ts$");
  private static final Pattern SOURCE_MAP =
      Pattern.compile("(?m)^//[#@] ?sourceMappingURL=\\S{1,200}\\s{0,9}\\z");

  private static final Pattern TRANSLATION =
      Pattern.compile("\\uFEFF?\\s{0,99}<(\\?xml|!DOCTYPE TS|TS\\b)");

  private static final String UNKNOWN = "in languages without static checks";
  private static final String OTHERS = "other files";
  private static final String UNREAD = "its content is not known here";

  public StaticReview {
    claims = List.copyOf(claims);
    before = List.copyOf(before);
    suppressions = List.copyOf(suppressions);
    notes = List.copyOf(notes);
    texts = Map.copyOf(texts);
  }

  /** Looks at a subject by all rules that are usually on, on at most so many threads. */
  public static StaticReview on(Subject subject, int threads, CheckListener progress)
      throws SourceUnavailable {
    return on(subject, RuleChoices.NONE, threads, progress);
  }

  /** Looks at a subject by the rules that somebody has chosen. */
  public static StaticReview on(
      Subject subject, RuleChoices choices, int threads, CheckListener progress)
      throws SourceUnavailable {
    var checks = StaticChecks.on(threads).by(choices);
    Map<String, SourceText> texts = new TreeMap<>();
    Map<String, BitSet> added = new HashMap<>();
    var skipped = new ArrayList<ReviewCoverage.Skipped>();
    for (TreeEntry.Skipped file : subject.skipped()) {
      skipped.add(new ReviewCoverage.Skipped(file.path(), file.why().text()));
    }
    int files = skipped.size() + subject.items().size();
    int gone = 0;
    var looked = new TreeSet<String>();
    var copiesOnly = new TreeSet<String>();
    var unknown = new TreeSet<String>();
    for (var item : subject.items()) {
      item.change().ifPresent(change -> added.put(item.path(), added(change.hunks())));
      if (item.gone()) {
        gone++;
        continue;
      }
      var text = subject.text(item.path()).map(content -> SourceText.of(item.path(), content));
      if (!subject.isChange() && text.filter(StaticReview::isCompiled).isPresent()) {
        skipped.add(new ReviewCoverage.Skipped(item.path(), SkipReason.GENERATED.text()));
        continue;
      }
      if (text.filter(StaticReview::isTranslation).isPresent()) {
        skipped.add(new ReviewCoverage.Skipped(item.path(), UNKNOWN));
        continue;
      }
      text.ifPresent(found -> texts.put(item.path(), found));
      if (text.isEmpty()) {
        skipped.add(new ReviewCoverage.Skipped(item.path(), UNREAD));
      } else if (checks.knowsDefects(item.path())) {
        looked.add(item.path());
      } else if (checks.knows(item.path())) {
        copiesOnly.add(item.path());
      } else {
        skipped.add(new ReviewCoverage.Skipped(item.path(), UNKNOWN));
        unknown.add(item.path());
      }
    }
    var checked =
        checks.run(texts.values(), !subject.isChange(), subject.isWhole(), added, progress);
    for (var note : checked.notes()) {
      if (note instanceof CheckNote.Unparsed(var file, var reason)) {
        skipped.add(new ReviewCoverage.Skipped(file, "cannot be read: " + reason));
        if (looked.remove(file)) {
          unknown.add(file);
        }
      }
    }
    var said =
        Stream.of(checked.claims(), SpokenNames.in(subject), secrets(subject, added))
            .flatMap(List::stream)
            .flatMap(claim -> checks.chosen(claim).stream())
            .collect(
                Collectors.partitioningBy(
                    each -> !subject.isChange() || touches(each.place(), added)));
    var claims = new ArrayList<>(said.getOrDefault(true, List.of()));
    TreeChanges.in(subject).stream()
        .flatMap(claim -> checks.chosen(claim).stream())
        .forEach(claims::add);
    return new StaticReview(
        claims,
        said.getOrDefault(false, List.of()),
        checked.suppressions().stream()
            .filter(
                each ->
                    !subject.isChange()
                        || added.getOrDefault(each.file(), new BitSet()).get(each.line()))
            .toList(),
        checked.notes(),
        new ReviewCoverage(
            files,
            looked.size() + gone,
            skipped,
            List.of(),
            List.copyOf(copiesOnly),
            depths(looked, copiesOnly, unknown)),
        texts);
  }

  /**
   * Whether a compiler has written a script: it says at its end where it is from, or its lines are
   * longer than anybody writes.
   */
  private static boolean isCompiled(SourceText text) {
    return SCRIPT.matcher(text.path()).find()
        && (text.content().length() / Math.max(1, text.lines()) > MEAN_LINE
            || SOURCE_MAP
                .matcher(
                    text.content().substring(Math.max(0, text.content().length() - LAST_WORDS)))
                .find());
  }

  /** Whether it is a file of translations of Qt, which are called as scripts in TypeScript are. */
  private static boolean isTranslation(SourceText text) {
    return text.path().endsWith(".ts")
        && text.lines() > 0
        && TRANSLATION.matcher(text.content()).lookingAt();
  }

  private static List<ReviewCoverage.LanguageDepth> depths(
      Set<String> looked, Set<String> copies, Set<String> unknown) {
    Map<String, int[]> counts = new TreeMap<>();
    var all = List.of(looked, copies, unknown);
    for (int depth = 0; depth < all.size(); depth++) {
      for (var path : all.get(depth)) {
        counts.computeIfAbsent(language(path), key -> new int[3])[depth]++;
      }
    }
    return counts.entrySet().stream()
        .map(
            each ->
                new ReviewCoverage.LanguageDepth(
                    each.getKey(), each.getValue()[0], each.getValue()[1], each.getValue()[2]))
        .sorted(
            Comparator.comparingInt(
                    (ReviewCoverage.LanguageDepth each) ->
                        each.defects() + each.copies() + each.unchecked())
                .reversed()
                .thenComparing(ReviewCoverage.LanguageDepth::language))
        .toList();
  }

  private static String language(String path) {
    return RuleLanguage.of(path)
        .map(RuleLanguage::title)
        .or(() -> CopiedCode.name(path))
        .orElse(OTHERS);
  }

  /** The claims with their ids, for a review that asks no model. */
  public List<Finding> findings() {
    var all = new ArrayList<>(claims);
    all.addAll(before);
    return Finding.identify(all, this::text).subList(0, claims.size());
  }

  /** The text that a place is in. */
  public Optional<SourceText> text(Place.Lines place) {
    return Optional.ofNullable(texts.get(place.path()));
  }

  /** What is written into files that nobody is shown. */
  private static List<Claim> secrets(Subject subject, Map<String, BitSet> added)
      throws SourceUnavailable {
    var texts = new ArrayList<SourceText>();
    for (var item : subject.secretive()) {
      item.change().ifPresent(change -> added.put(item.path(), added(change.hunks())));
      subject
          .text(item.path())
          .ifPresent(content -> texts.add(SourceText.of(item.path(), content)));
    }
    return WrittenSecrets.in(texts, !subject.isChange());
  }

  private static BitSet added(List<Hunk> hunks) {
    var lines = new BitSet();
    for (var hunk : hunks) {
      for (var line : hunk.lines()) {
        if (line.kind() == HunkLine.Kind.ADDED) {
          lines.set(line.newNumber());
        }
      }
    }
    return lines;
  }

  private static boolean touches(Place place, Map<String, BitSet> added) {
    if (!(place instanceof Place.Lines lines)) {
      return true;
    }
    int first = added.getOrDefault(lines.path(), new BitSet()).nextSetBit(lines.line());
    return first >= 0 && first <= lines.endLine();
  }
}
