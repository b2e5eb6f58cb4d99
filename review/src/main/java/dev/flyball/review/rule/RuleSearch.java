package dev.flyball.review.rule;

import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.SyntaxTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Rules that are ready to be held against files, each file for all of them at once. To compile the
 * queries of a language takes longer than to ask them of many files, so the latest are kept for
 * whoever wants the same rules again.
 */
public final class RuleSearch {
  private static final Map<Language, Compiled> LATEST = new ConcurrentHashMap<>();

  private final Map<Language, List<DefectRule>> parsed = new EnumMap<>(Language.class);
  private final Map<Language, QuerySet> queries = new ConcurrentHashMap<>();
  private final List<DefectRule> workflows;
  private final List<DefectRule> dockerfiles;

  /** The queries of some rules for one language. */
  private record Compiled(List<DefectRule> rules, QuerySet queries) {
    /** Whether they are of these very rules: two may have one id and say different things. */
    @SuppressWarnings("ReferenceEquality") // a rule is long, and is the same object if it is ours
    boolean isOf(List<DefectRule> others) {
      if (rules.size() != others.size()) {
        return false;
      }
      for (int i = 0; i < others.size(); i++) {
        if (rules.get(i) != others.get(i)) {
          return false;
        }
      }
      return true;
    }
  }

  private RuleSearch(Collection<DefectRule> rules) {
    for (var language : RuleLanguage.values()) {
      var own =
          rules.stream()
              .filter(rule -> rule.matcher() instanceof RuleMatcher.Syntax)
              .filter(rule -> rule.languages().contains(language))
              .toList();
      if (!own.isEmpty()) {
        language.grammar().ifPresent(it -> parsed.put(it, own));
      }
    }
    workflows =
        rules.stream().filter(rule -> rule.matcher() instanceof RuleMatcher.Workflow).toList();
    dockerfiles =
        rules.stream().filter(rule -> rule.matcher() instanceof RuleMatcher.Docker).toList();
  }

  /** Refuses a rule whose query does not fit a language that it is for. */
  public static void check(DefectRule rule) {
    if (rule.matcher() instanceof RuleMatcher.Syntax) {
      rule.languages()
          .forEach(each -> each.grammar().ifPresent(language -> QuerySet.check(language, rule)));
    }
  }

  public static RuleSearch of(Collection<DefectRule> rules) {
    return new RuleSearch(rules);
  }

  /**
   * The places of one file.
   *
   * @param complete whether all of it was looked at
   */
  public record Found(List<RuleHit> hits, boolean complete) {
    public Found {
      hits =
          hits.stream()
              .sorted(
                  Comparator.comparingInt(RuleHit::start)
                      .thenComparing(hit -> hit.rule().id())
                      .thenComparingInt(RuleHit::end))
              .toList();
    }
  }

  /** Whether there is a query for a language. */
  public boolean asks(Language language) {
    return parsed.containsKey(language);
  }

  /** In a parsed file, by the rules that count for it. */
  public Found in(SyntaxTree tree, Predicate<DefectRule> counts) {
    if (!asks(tree.language())) {
      return new Found(List.of(), true);
    }
    var set = queries.computeIfAbsent(tree.language(), this::compiled);
    return SyntaxTree.inTime(
        late -> {
          var found = set.in(tree, rule -> counts.test(rule) && rule.concerns(tree.text()), late);
          return new Found(List.copyOf(found.hits()), found.complete());
        });
  }

  private QuerySet compiled(Language language) {
    var rules = parsed.getOrDefault(language, List.of());
    var latest = LATEST.get(language);
    if (latest != null && latest.isOf(rules)) {
      return latest.queries();
    }
    var fresh = new Compiled(rules, QuerySet.of(language, rules));
    LATEST.put(language, fresh);
    return fresh.queries();
  }

  /** In a file that is read line by line or value by value. */
  public Found in(RuleLanguage language, String text, Predicate<DefectRule> counts) {
    var hits = new ArrayList<RuleHit>();
    Predicate<DefectRule> wanted = rule -> counts.test(rule) && rule.concerns(text);
    switch (language) {
      case DOCKERFILE -> {
        var instructions = Dockerfile.instructions(text);
        dockerfiles.stream()
            .filter(wanted)
            .forEach(rule -> hits.addAll(DockerfileSearch.in(instructions, rule)));
      }
      case WORKFLOW -> {
        var values = WorkflowFile.values(text);
        if (values.isEmpty()) {
          return new Found(List.of(), false);
        }
        workflows.stream()
            .filter(wanted)
            .forEach(rule -> hits.addAll(WorkflowSearch.in(text, values.get(), rule)));
      }
      default -> throw new IllegalArgumentException(language.key() + " files are parsed");
    }
    return new Found(hits, true);
  }
}
