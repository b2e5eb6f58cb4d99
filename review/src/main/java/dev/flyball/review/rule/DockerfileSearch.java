package dev.flyball.review.rule;

import java.util.ArrayList;
import java.util.List;

/** Holds a Dockerfile against a rule. */
final class DockerfileSearch {
  private static final int LONGEST = 10_000;

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
    var found = counted.stream().filter(each -> matched(matcher.instruction(), each)).toList();
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
