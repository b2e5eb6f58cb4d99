package dev.flyball.review.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Holds a Dockerfile against a rule. */
final class DockerfileSearch {
  private static final int LONGEST = 10_000;
  private static final Pattern STAGE = Pattern.compile("(?i)\\sAS\\s+(\\S+)\\s*$");

  private DockerfileSearch() {}

  static List<RuleHit> in(List<Dockerfile.Instruction> all, DefectRule rule) {
    var matcher = (RuleMatcher.Docker) rule.matcher();
    var hits = new ArrayList<RuleHit>();
    int last = all.stream().mapToInt(Dockerfile.Instruction::stage).max().orElse(0);
    if (last == 0) {
      return hits;
    }
    var counted =
        all.stream()
            .filter(each -> !(matcher.lastStage() || matcher.absent()) || each.stage() == last)
            .toList();
    var stages = stages(all);
    var found =
        counted.stream()
            .filter(each -> matched(matcher.instruction(), each))
            .filter(each -> !isFromStage(each, stages))
            .toList();
    boolean elsewhere =
        matcher.when().stream().allMatch(test -> any(test, counted))
            && matcher.unless().stream().noneMatch(test -> any(test, counted));
    if (!elsewhere) {
      return hits;
    }
    if (matcher.absent()) {
      if (found.isEmpty()) {
        counted.stream().findFirst().ifPresent(from -> hits.add(hit(rule, from)));
      }
      return hits;
    }
    found.forEach(each -> hits.add(hit(rule, each)));
    return hits;
  }

  /** The names that stages are given, each with the number of the first that has it. */
  private static Map<String, Integer> stages(List<Dockerfile.Instruction> all) {
    Map<String, Integer> stages = new HashMap<>();
    for (var each : all) {
      var named = STAGE.matcher(each.arguments());
      if (each.name().equals("FROM") && named.find()) {
        stages.putIfAbsent(named.group(1).toLowerCase(Locale.ROOT), each.stage());
      }
    }
    return stages;
  }

  /** Whether it goes on from a stage above, which is no image. */
  private static boolean isFromStage(Dockerfile.Instruction at, Map<String, Integer> stages) {
    var image = at.arguments().strip().split("\\s+", 2)[0].toLowerCase(Locale.ROOT);
    return at.name().equals("FROM") && stages.getOrDefault(image, at.stage()) < at.stage();
  }

  private static RuleHit hit(DefectRule rule, Dockerfile.Instruction at) {
    return new RuleHit(rule, at.start(), Math.max(at.start(), at.end()));
  }

  private static boolean any(RuleMatcher.InstructionTest test, List<Dockerfile.Instruction> all) {
    return all.stream().anyMatch(each -> matched(test, each));
  }

  private static boolean matched(RuleMatcher.InstructionTest test, Dockerfile.Instruction each) {
    return test.name().matcher(each.name()).matches()
        && test.match().map(it -> it.matcher(cut(each.arguments())).find()).orElse(true)
        && !test.notMatch().map(it -> it.matcher(cut(each.arguments())).find()).orElse(false);
  }

  /** As much of a text as patterns are asked of. */
  private static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
  }
}
