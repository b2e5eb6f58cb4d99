package dev.flyball.review.relation;

import dev.flyball.review.symbol.Outline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * An order of files by what they have to do with each other: the one that declares a name stands by
 * those that mention it, a test by what it tests, and what has nothing to do with anything by its
 * neighbours. It depends on the names in the files and not on their sizes.
 */
public final class FileClusters {
  private static final double KIN = 1.0;
  private static final int MOST_USERS = 20;
  private static final int SHORTEST = 4;

  private record Tie(String one, String other, double strength) {}

  private FileClusters() {}

  /**
   * A key for each file: in their order related files are together, and the more of its beginning
   * two keys share, counted by slashes, the closer the files are.
   *
   * @param outlines of all files, as far as they are known
   */
  public static Map<String, String> keys(List<String> paths, Map<String, Outline> outlines) {
    Map<String, String> keys = new HashMap<>();
    Map<String, List<String>> group = new HashMap<>();
    for (var path : paths) {
      keys.put(path, "");
      group.put(path, List.of(path));
    }
    for (var tie : ties(paths, outlines)) {
      var one = group.getOrDefault(tie.one(), List.of());
      var other = group.getOrDefault(tie.other(), List.of());
      if (!one.getFirst().equals(other.getFirst())) {
        boolean ordered = one.getFirst().compareTo(other.getFirst()) < 0;
        var first = ordered ? one : other;
        var second = ordered ? other : one;
        first.forEach(path -> keys.merge(path, "a/", (key, branch) -> branch + key));
        second.forEach(path -> keys.merge(path, "b/", (key, branch) -> branch + key));
        var both = new ArrayList<>(first);
        both.addAll(second);
        both.forEach(path -> group.put(path, both));
      }
    }
    Map<String, String> all = new TreeMap<>();
    for (var path : paths) {
      var first = group.getOrDefault(path, List.of(path)).getFirst();
      all.put(path, first + "/" + keys.getOrDefault(path, "") + path);
    }
    return all;
  }

  private static List<Tie> ties(List<String> paths, Map<String, Outline> outlines) {
    Map<String, Map<String, Double>> strengths = new TreeMap<>();
    Map<String, List<String>> declared = new TreeMap<>();
    for (var path : paths) {
      var outline = outlines.get(path);
      if (outline != null) {
        outline.symbols().stream()
            .filter(symbol -> symbol.kind().runs() || symbol.kind().holds())
            .filter(symbol -> symbol.name().length() >= SHORTEST)
            .forEach(
                symbol ->
                    declared.computeIfAbsent(symbol.name(), it -> new ArrayList<>()).add(path));
      }
    }
    declared.forEach((name, owners) -> follow(name, owners, paths, outlines, strengths));
    tie(paths, TestsOf::kinship, KIN, strengths);
    var ties = new ArrayList<Tie>();
    strengths.forEach(
        (one, others) ->
            others.forEach((other, strength) -> ties.add(new Tie(one, other, strength))));
    ties.sort(
        Comparator.comparingDouble(Tie::strength)
            .reversed()
            .thenComparing(Tie::one)
            .thenComparing(Tie::other));
    return ties;
  }

  private static void follow(
      String name,
      List<String> owners,
      List<String> paths,
      Map<String, Outline> outlines,
      Map<String, Map<String, Double>> strengths) {
    if (owners.size() > 2) {
      return;
    }
    var users =
        paths.stream()
            .filter(
                path -> {
                  var outline = outlines.get(path);
                  return outline != null && Collections.binarySearch(outline.names(), name) >= 0;
                })
            .toList();
    if (users.size() > MOST_USERS) {
      return;
    }
    for (var owner : owners) {
      for (var user : users) {
        add(owner, user, 1.0 / users.size(), strengths);
      }
    }
  }

  private static void tie(
      List<String> paths,
      Function<String, String> key,
      double strength,
      Map<String, Map<String, Double>> strengths) {
    Map<String, String> last = new HashMap<>();
    for (var path : paths.stream().sorted().toList()) {
      var before = last.put(key.apply(path), path);
      if (before != null) {
        add(before, path, strength, strengths);
      }
    }
  }

  private static void add(
      String one, String other, double strength, Map<String, Map<String, Double>> strengths) {
    if (!one.equals(other)) {
      boolean ordered = one.compareTo(other) < 0;
      strengths
          .computeIfAbsent(ordered ? one : other, it -> new TreeMap<>())
          .merge(ordered ? other : one, strength, Double::sum);
    }
  }
}
