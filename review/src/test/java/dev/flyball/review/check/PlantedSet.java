package dev.flyball.review.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The planted defects and their look-alikes, as {@code planted.tsv} and {@code look-alikes.tsv}
 * list them.
 *
 * @param kinds by name
 * @param files by path from the folder of the set, with all that is in them
 */
record PlantedSet(
    Map<String, Kind> kinds,
    Map<String, String> files,
    List<Defect> defects,
    List<Spot> lookAlikes) {
  private static final String DEFECTS = "planted.tsv";
  private static final String LOOK_ALIKES = "look-alikes.tsv";

  /**
   * A sort of defect.
   *
   * @param weaknesses CWE numbers of rules that are about it
   * @param words parts of the ids of rules that are about it
   */
  record Kind(String name, Set<Integer> weaknesses, Set<String> words) {}

  /**
   * A statement of a file, and the kind of defect that it is or looks like.
   *
   * @param line the one that matters most, from {@code first} to {@code last}
   * @param code the line's beginning
   */
  record Spot(String file, int line, int first, int last, String kind, String code, String why) {
    String language() {
      return file.substring(0, file.indexOf('/'));
    }
  }

  /** A planted defect, in a shape that a first query would find or in one that it would miss. */
  record Defect(Spot spot, Shape shape) {
    enum Shape {
      PLAIN,
      DISGUISED
    }
  }

  static PlantedSet read() {
    try {
      var found = PlantedSet.class.getResource("planted");
      var folder = Path.of(Objects.requireNonNull(found, "planted").toURI());
      var manifest = Files.readAllLines(folder.resolve(DEFECTS));
      return new PlantedSet(
          rows(manifest, line -> line.startsWith("#kind\t"))
              .map(row -> new Kind(row[1], numbers(row[2]), Set.of(row[3].split(" "))))
              .collect(Collectors.toMap(Kind::name, Function.identity())),
          texts(folder),
          rows(manifest, line -> !line.startsWith("#"))
              .map(row -> new Defect(spot(row, row[5], row[6]), shape(row[4])))
              .toList(),
          rows(Files.readAllLines(folder.resolve(LOOK_ALIKES)), line -> !line.startsWith("#"))
              .map(row -> spot(row, row[4], row[5]))
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All rows of both lists. */
  Stream<Spot> spots() {
    return Stream.concat(defects.stream().map(Defect::spot), lookAlikes.stream());
  }

  Kind kind(Spot spot) {
    return Objects.requireNonNull(kinds.get(spot.kind()), spot::toString);
  }

  String text(String file) {
    return Objects.requireNonNull(files.get(file), file);
  }

  private static Stream<String[]> rows(List<String> lines, Predicate<String> wanted) {
    return lines.stream().filter(wanted).map(line -> line.split("\t", -1));
  }

  private static Spot spot(String[] row, String code, String why) {
    var ends = row[2].split("-", -1);
    return new Spot(
        row[0],
        Integer.parseInt(row[1]),
        Integer.parseInt(ends[0]),
        Integer.parseInt(ends[ends.length - 1]),
        row[3],
        code,
        why);
  }

  private static Defect.Shape shape(String word) {
    return switch (word) {
      case "plain" -> Defect.Shape.PLAIN;
      case "disguised" -> Defect.Shape.DISGUISED;
      default -> throw new IllegalArgumentException("plain or disguised, but was " + word);
    };
  }

  private static Set<Integer> numbers(String words) {
    return Arrays.stream(words.split(" ")).map(Integer::valueOf).collect(Collectors.toSet());
  }

  private static Map<String, String> texts(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> folder.relativize(file).getNameCount() > 1)
          .collect(
              Collectors.toMap(
                  file -> folder.relativize(file).toString().replace('\\', '/'),
                  PlantedSet::content));
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
