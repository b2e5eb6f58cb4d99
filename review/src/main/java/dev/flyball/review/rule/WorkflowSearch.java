package dev.flyball.review.rule;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Holds a workflow against a rule. */
final class WorkflowSearch {
  private static final int LONGEST = 10_000;

  private WorkflowSearch() {}

  static List<RuleHit> in(String text, List<WorkflowFile.Value> values, DefectRule rule) {
    var matcher = (RuleMatcher.Workflow) rule.matcher();
    var hits = new ArrayList<RuleHit>();
    var found =
        values.stream()
            .map(value -> matched(matcher.value(), value))
            .flatMap(Optional::stream)
            .toList();
    if (matcher.absent()) {
      if (found.isEmpty() && elsewhere(matcher, List.of(), values)) {
        hits.add(hit(rule, text, 0));
      }
      return hits;
    }
    var said = new HashSet<String>();
    for (var each : found) {
      if ((!matcher.once() || said.add(each.value().text().strip()))
          && elsewhere(matcher, each.stars(), values)) {
        hits.add(hit(rule, text, place(text, values, each)));
      }
    }
    return hits;
  }

  /** Where in the file the part of a value is that was matched, which may have many lines. */
  private static int place(String text, List<WorkflowFile.Value> values, Matched matched) {
    int start = matched.value().start();
    int next =
        values.stream()
            .mapToInt(WorkflowFile.Value::start)
            .filter(each -> each > start)
            .min()
            .orElse(text.length());
    var line = matched.part().lines().map(String::strip).filter(it -> !it.isEmpty()).findFirst();
    int at = line.map(it -> text.indexOf(it, start)).orElse(-1);
    return at < 0 || at >= next ? start : at;
  }

  private static RuleHit hit(DefectRule rule, String text, int at) {
    int start = Math.min(at, Math.max(0, text.length() - 1));
    int end = text.indexOf('\n', start);
    return new RuleHit(rule, start, Math.max(start, end < 0 ? text.length() : end));
  }

  private record Matched(WorkflowFile.Value value, List<String> stars, String part) {}

  private static boolean elsewhere(
      RuleMatcher.Workflow matcher, List<String> stars, List<WorkflowFile.Value> values) {
    return matcher.when().stream().allMatch(test -> any(test, stars, values))
        && matcher.unless().stream().noneMatch(test -> any(test, stars, values));
  }

  /** Whether there is such a value; {@code {1}} in its path is what the first star stood for. */
  private static boolean any(
      RuleMatcher.ValueTest test, List<String> stars, List<WorkflowFile.Value> values) {
    var path = test.path();
    for (int i = 0; i < stars.size(); i++) {
      path = path.replace("{" + (i + 1) + "}", stars.get(i));
    }
    var there = new RuleMatcher.ValueTest(path, test.match(), test.notMatch());
    return values.stream().anyMatch(value -> matched(there, value).isPresent());
  }

  private static Optional<Matched> matched(RuleMatcher.ValueTest test, WorkflowFile.Value value) {
    var text = cut(value.text());
    var found = test.match().map(each -> each.matcher(text)).filter(Matcher::find);
    if (test.match().isPresent() != found.isPresent()
        || test.notMatch().map(each -> each.matcher(text).find()).orElse(false)) {
      return Optional.empty();
    }
    var stars = new ArrayList<String>();
    return leads(List.of(test.path().split("\\.", -1)), 0, value.path(), 0, stars)
        ? Optional.of(new Matched(value, stars, found.map(Matcher::group).orElse("")))
        : Optional.empty();
  }

  private static boolean leads(
      List<String> pattern, int at, List<String> path, int from, List<String> stars) {
    if (at == pattern.size()) {
      return from == path.size();
    }
    var part = pattern.get(at);
    if (part.equals("**")) {
      for (int next = from; next <= path.size(); next++) {
        if (leads(pattern, at + 1, path, next, stars)) {
          return true;
        }
      }
      return false;
    }
    if (from == path.size()) {
      return false;
    }
    boolean star = part.equals("*");
    if (!star && !named(part, path.get(from))) {
      return false;
    }
    if (star) {
      stars.add(path.get(from));
    }
    boolean leads = leads(pattern, at + 1, path, from + 1, stars);
    if (star && !leads) {
      stars.removeLast();
    }
    return leads;
  }

  private static boolean named(String part, String key) {
    return part.contains("|")
        ? Pattern.compile("\\|").splitAsStream(part).anyMatch(key::equals)
        : part.equals(key);
  }

  /** As much of a text as patterns are asked of. */
  private static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
  }
}
