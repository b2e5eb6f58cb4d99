package dev.flyball.review.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.check.PlantedSet.Defect;
import dev.flyball.review.check.PlantedSet.Spot;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.select.Subject;
import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.ParseQuality;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many of the planted defects the checks without a model find, and how many look-alikes they
 * take for one: with all rules, and with those that are on unless somebody says otherwise. A defect
 * that only a rule that is off knows is none that the others promise to find. {@code
 * -Dplanted=list} names those that were missed and those that were taken.
 */
@Timeout(300)
final class PlantedDefectsTest {
  /** The share of the defects that has to be found. */
  private static final double LEAST_FOUND = 0.85;

  /** The share that the rules which are on have to find, of what they promise. */
  private static final double LEAST_OF_PROMISED = 0.8;

  /** The share of the look-alikes that may be reported. */
  private static final double MOST_TAKEN = 0.02;

  /** A finding that begins before the statement and has more lines is about something else. */
  private static final int WIDEST = 20;

  /** How many defects a folder has at least. */
  private static final Map<String, Integer> FOLDERS =
      Map.ofEntries(
          Map.entry("java", 20),
          Map.entry("python", 20),
          Map.entry("javascript", 20),
          Map.entry("typescript", 20),
          Map.entry("go", 20),
          Map.entry("rust", 20),
          Map.entry("c", 20),
          Map.entry("cpp", 20),
          Map.entry("csharp", 20),
          Map.entry("kotlin", 20),
          Map.entry("workflows", 15),
          Map.entry("docker", 12));

  /** Numbers of weaknesses, however a rule keeps them. */
  private static final Pattern WEAKNESSES =
      Pattern.compile("(?i)\\bcwes?\\W{0,3}(?:Optional\\[)?(\\d+(?:, ?\\d+)*)");

  private static final RuleChoices ALL_RULES =
      RuleChoices.of(
          List.of(
              new RuleChoices.Choice(
                  "*", Optional.of(true), Optional.empty(), List.of(), List.of())));

  private final PlantedSet planted = PlantedSet.read();

  @Test
  void every_row_points_at_the_code_that_it_names() {
    assertThat(planted.spots())
        .allSatisfy(
            spot -> {
              var lines = planted.text(spot.file()).lines().toList();
              assertThat(planted.kind(spot).name()).isEqualTo(spot.kind());
              assertThat(spot.first()).isBetween(1, spot.line());
              assertThat(spot.last()).isBetween(spot.line(), lines.size());
              assertThat(lines.get(spot.line() - 1).strip()).startsWith(spot.code());
              assertThat(spot.code()).isNotBlank();
              assertThat(spot.why()).isNotBlank();
            });
    assertThat(planted.spots().map(Spot::file).collect(Collectors.toSet()))
        .isEqualTo(planted.files().keySet());
  }

  @Test
  void no_line_is_a_defect_and_none_of_one_kind() {
    assertThat(planted.spots().map(spot -> spot.file() + spot.line() + spot.kind()))
        .doesNotHaveDuplicates();
  }

  @Test
  void every_folder_has_enough_of_them_and_half_are_disguised() {
    var defects = planted.defects();
    var numbers =
        defects.stream()
            .collect(Collectors.groupingBy(each -> each.spot().language(), Collectors.counting()));
    assertThat(numbers.keySet()).isEqualTo(FOLDERS.keySet());
    assertThat(FOLDERS)
        .allSatisfy(
            (folder, least) -> assertThat(numbers.get(folder)).isGreaterThanOrEqualTo(least));
    assertThat(share(defects.stream(), each -> each.shape() == Defect.Shape.DISGUISED))
        .isGreaterThanOrEqualTo(0.5);
    assertThat(planted.lookAlikes()).hasSizeGreaterThanOrEqualTo(150);
  }

  @Test
  void every_file_is_whole_in_its_language() {
    assertThat(planted.files().entrySet())
        .filteredOn(file -> Language.of(file.getKey()).isPresent())
        .filteredOn(
            file -> Outline.of(file.getKey(), file.getValue()).reading() != ParseQuality.PARSED)
        .extracting(Map.Entry::getKey)
        .isEmpty();
  }

  @Test
  void the_weaknesses_of_a_rule_are_read_however_it_keeps_them() {
    assertThat(weaknesses("CheckRule[id=a, cwe=[89, 564]]")).containsExactlyInAnyOrder(89, 564);
    assertThat(weaknesses("CheckRule[id=a, cwes=[CWE-78, CWE-88]]"))
        .containsExactlyInAnyOrder(78, 88);
    assertThat(weaknesses("CheckRule[id=a, cwe=Optional[22], worth=0.9]")).containsExactly(22);
    assertThat(weaknesses("CheckRule[id=a, weakness=CWE-611]")).containsExactly(611);
    assertThat(weaknesses("CheckRule[id=a, cwe=[], title=1 of 2]")).isEmpty();
  }

  @Test
  void enough_of_them_are_found(@TempDir Path folder) throws Exception {
    var claims = new HashMap<String, List<Claim>>();
    for (var language : FOLDERS.keySet()) {
      for (var claim : review(folder.resolve(language), language).claims()) {
        claim
            .place()
            .file()
            .ifPresent(
                path ->
                    claims.merge(
                        language + "/" + path,
                        List.of(claim),
                        (some, more) -> Stream.of(some, more).flatMap(List::stream).toList()));
      }
    }
    var found =
        planted.defects().stream()
            .filter(defect -> any(claims, defect.spot(), this::isAbout))
            .collect(Collectors.toSet());
    claims.replaceAll((file, all) -> all.stream().filter(PlantedDefectsTest::isOn).toList());
    var usual =
        planted.defects().stream()
            .filter(defect -> any(claims, defect.spot(), this::isAbout))
            .collect(Collectors.toSet());
    var taken =
        planted.lookAlikes().stream()
            .filter(spot -> any(claims, spot, this::isTaken))
            .collect(Collectors.toSet());
    System.out.println("With all rules:");
    say("language", Spot::language, found, Set.of());
    System.out.println("With the rules that are on:");
    say("language", Spot::language, usual, taken);
    say("kind", Spot::kind, usual, taken);
    list(found, usual, taken);
    assertThat(share(planted.defects().stream(), found::contains))
        .isGreaterThanOrEqualTo(LEAST_FOUND);
    assertThat(
            share(
                planted.defects().stream()
                    .filter(defect -> usual.contains(defect) || !found.contains(defect)),
                usual::contains))
        .isGreaterThanOrEqualTo(LEAST_OF_PROMISED);
    assertThat(share(planted.lookAlikes().stream(), taken::contains))
        .isLessThanOrEqualTo(MOST_TAKEN);
  }

  /** Each folder is a project of its own, outside of ours. */
  private StaticReview review(Path root, String folder) throws Exception {
    for (var file : planted.files().keySet()) {
      if (file.startsWith(folder + "/")) {
        var copy = root.resolve(file.substring(folder.length() + 1));
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, planted.text(file));
      }
    }
    try (var subject = Subject.folder(root)) {
      return StaticReview.on(subject, ALL_RULES, 2, CheckListener.NONE);
    }
  }

  private static boolean isOn(Claim claim) {
    return Rulebook.rule(claim.rule()).on();
  }

  private interface Judgement {
    boolean holds(Claim claim, Spot spot);
  }

  private static boolean any(Map<String, List<Claim>> claims, Spot spot, Judgement judgement) {
    return claims.getOrDefault(spot.file(), List.of()).stream()
        .anyMatch(claim -> judgement.holds(claim, spot));
  }

  private boolean isAbout(Claim claim, Spot spot) {
    return fits(claim, spot)
        && switch (claim.place()) {
          case Place.Lines at ->
              at.line() <= spot.last()
                  && at.endLine() >= spot.first()
                  && (at.line() >= spot.first() || at.endLine() - at.line() < WIDEST);
          case Place.File file -> true;
          case Place.Whole whole -> false;
        };
  }

  /** Begins there, and is not about a defect beside it. */
  private boolean isTaken(Claim claim, Spot spot) {
    return fits(claim, spot)
        && claim.place() instanceof Place.Lines at
        && at.line() >= spot.first()
        && at.line() <= spot.last()
        && planted.defects().stream()
            .map(Defect::spot)
            .filter(defect -> defect.file().equals(spot.file()))
            .noneMatch(defect -> isAbout(claim, defect));
  }

  private boolean fits(Claim claim, Spot spot) {
    var kind = planted.kind(spot);
    var name = claim.rule().substring(claim.rule().lastIndexOf('/') + 1);
    var letters = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    return kind.words().stream().anyMatch(letters::contains)
        || weaknesses(Objects.toString(Rulebook.rules().get(claim.rule()))).stream()
            .anyMatch(kind.weaknesses()::contains);
  }

  private static Set<Integer> weaknesses(String rule) {
    return WEAKNESSES
        .matcher(rule)
        .results()
        .flatMap(found -> Arrays.stream(found.group(1).split(", ?")))
        .map(Integer::valueOf)
        .collect(Collectors.toSet());
  }

  private void say(String what, Function<Spot, String> group, Set<Defect> found, Set<Spot> taken) {
    System.out.printf("%-24s %14s %14s %14s %14s%n", what, "found", "plain", "disguised", "taken");
    planted.defects().stream()
        .map(defect -> group.apply(defect.spot()))
        .distinct()
        .sorted()
        .forEach(
            name ->
                System.out.println(row(name, it -> group.apply(it).equals(name), found, taken)));
    System.out.println(row("all", it -> true, found, taken));
  }

  private String row(String name, Predicate<Spot> wanted, Set<Defect> found, Set<Spot> taken) {
    var defects = planted.defects().stream().filter(each -> wanted.test(each.spot())).toList();
    var plain = defects.stream().filter(each -> each.shape() == Defect.Shape.PLAIN).toList();
    var disguised =
        defects.stream().filter(each -> each.shape() == Defect.Shape.DISGUISED).toList();
    return "%-24s %14s %14s %14s %14s"
        .formatted(
            name,
            part(defects, found),
            part(plain, found),
            part(disguised, found),
            part(planted.lookAlikes().stream().filter(wanted).toList(), taken));
  }

  private static <T> String part(List<T> all, Set<T> some) {
    return all.isEmpty()
        ? "-"
        : "%d/%d = %.2f"
            .formatted(
                all.stream().filter(some::contains).count(),
                all.size(),
                share(all.stream(), some::contains));
  }

  private static <T> double share(Stream<T> all, Predicate<T> wanted) {
    return all.mapToInt(each -> wanted.test(each) ? 1 : 0).average().orElse(0);
  }

  private void list(Set<Defect> found, Set<Defect> usual, Set<Spot> taken) {
    if (System.getProperty("planted", "").equals("list")) {
      planted.defects().stream()
          .filter(each -> !usual.contains(each))
          .forEach(each -> System.out.println((found.contains(each) ? "off " : "missed ") + each));
      planted.lookAlikes().stream()
          .filter(taken::contains)
          .forEach(each -> System.out.println("taken " + each));
    }
  }
}
