package dev.flyball.review.report;

import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Findings that say the same of several places. Few of a kind are each a group of their own.
 *
 * @param example the one that is told in full
 * @param others of these only the places are named
 */
record FindingGroup(Finding example, List<Finding> others) {
  /** Up to so many are told one by one. */
  private static final int FEW = 3;

  private record Kind(Severity severity, String rule, String title) {}

  FindingGroup {
    others = List.copyOf(others);
  }

  /** In the order of the first of each. */
  static List<FindingGroup> of(List<Finding> findings) {
    Map<Kind, List<Finding>> kinds = new LinkedHashMap<>();
    for (var each : findings) {
      kinds
          .computeIfAbsent(
              new Kind(each.severity(), each.rule(), each.claim().title()),
              kind -> new ArrayList<>())
          .add(each);
    }
    var groups = new ArrayList<FindingGroup>();
    for (var alike : kinds.values()) {
      if (alike.size() <= FEW) {
        alike.forEach(each -> groups.add(new FindingGroup(each, List.of())));
      } else {
        groups.add(new FindingGroup(alike.getFirst(), alike.subList(1, alike.size())));
      }
    }
    return groups;
  }

  int size() {
    return 1 + others.size();
  }

  /** Where the others are: names and lines by folder. */
  Map<String, List<String>> folders() {
    Map<String, List<String>> folders = new TreeMap<>();
    for (var each : others) {
      var path = each.place().file().orElse("");
      int slash = path.lastIndexOf('/');
      folders
          .computeIfAbsent(
              slash < 0 ? "./" : path.substring(0, slash + 1), key -> new ArrayList<>())
          .add(path.substring(slash + 1) + line(each.place()));
    }
    return folders;
  }

  private static String line(Place place) {
    return place instanceof Place.Lines lines
        ? ":" + lines.line() + (lines.side() == DiffSide.LEFT ? " (before the change)" : "")
        : "";
  }

  /** How many there are of which rule, the most first, in lines. */
  static List<String> table(List<Finding> findings, int most) {
    Map<String, Integer> rules = new TreeMap<>();
    findings.forEach(each -> rules.merge(SafeText.line(each.rule()), 1, Integer::sum));
    int width = rules.keySet().stream().mapToInt(String::length).max().orElse(0);
    var lines = new ArrayList<String>();
    rules.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(most)
        .forEach(
            rule ->
                lines.add(
                    rule.getKey()
                        + " ".repeat(width + 2 - rule.getKey().length())
                        + rule.getValue()));
    if (rules.size() > most) {
      lines.add("and %d more rules".formatted(rules.size() - most));
    }
    return lines;
  }
}
