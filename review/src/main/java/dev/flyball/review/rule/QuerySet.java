package dev.flyball.review.rule;

import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.SyntaxTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.treesitter.TSNode;
import org.treesitter.TSQuery;
import org.treesitter.TSQueryCursor;
import org.treesitter.TSQueryException;
import org.treesitter.TSQueryMatch;
import org.treesitter.TSQueryPredicateStep;
import org.treesitter.TSQueryPredicateStepType;

/** The queries of all rules for one language as one, which goes through a tree once. */
final class QuerySet {
  private static final String FINDING = "finding";

  /** Matches that are begun and not yet decided; more of them are forgotten by the parser. */
  private static final int MOST_OPEN = 4_096;

  private static final int MOST_HITS = 2_000;

  private record Pattern(DefectRule rule, List<QueryCondition> conditions) {}

  private final TSQuery query;
  private final List<Pattern> patterns = new ArrayList<>();
  private final String[] captures;

  private QuerySet(Language language, List<DefectRule> rules) {
    var text = new StringBuilder();
    NavigableMap<Integer, DefectRule> owners = new TreeMap<>();
    for (var rule : rules) {
      owners.put(text.toString().getBytes(StandardCharsets.UTF_8).length, rule);
      text.append(ours(((RuleMatcher.Syntax) rule.matcher()).query())).append('\n');
    }
    query = compiled(language, text.toString(), rules);
    captures = new String[query.getCaptureCount()];
    for (int i = 0; i < captures.length; i++) {
      captures[i] = query.getCaptureNameForId(i);
    }
    for (int i = 0; i < query.getPatternCount(); i++) {
      var owner = owners.floorEntry(query.getStartByteForPattern(i));
      patterns.add(new Pattern(owner.getValue(), conditions(query, i)));
    }
  }

  /** Compiled; a query that is wrong is refused with the name of its rule. */
  static QuerySet of(Language language, Collection<DefectRule> rules) {
    return new QuerySet(
        language, rules.stream().sorted(Comparator.comparing(DefectRule::id)).toList());
  }

  /** Where all together are wrong, each is tried alone, so that it is said of the right one. */
  private static TSQuery compiled(Language language, String text, List<DefectRule> rules) {
    try {
      return new TSQuery(SyntaxTree.parser(language), text);
    } catch (TSQueryException broken) {
      rules.forEach(rule -> check(language, rule));
      throw broken;
    }
  }

  /** Refuses a rule whose query is wrong. */
  static void check(Language language, DefectRule rule) {
    var own = ((RuleMatcher.Syntax) rule.matcher()).query();
    try (var alone = new TSQuery(SyntaxTree.parser(language), ours(own))) {
      var known = new LinkedHashSet<String>();
      for (int id = 0; id < alone.getCaptureCount(); id++) {
        known.add(alone.getCaptureNameForId(id));
      }
      if (!known.contains(FINDING)) {
        throw new IllegalArgumentException("no capture is named @finding");
      }
      for (int i = 0; i < alone.getPatternCount(); i++) {
        for (var condition : conditions(alone, i)) {
          if (!known.contains(condition.capture()) || !known.containsAll(condition.others())) {
            throw new IllegalArgumentException("a condition is about a capture that is not there");
          }
        }
      }
    } catch (TSQueryException | IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "the query of %s does not fit %s: %s"
              .formatted(rule.id(), language.title(), wrong.getMessage()),
          wrong);
    }
  }

  /** With names of conditions that the parser's binding does not know and leaves to us. */
  private static String ours(String query) {
    var text = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < query.length(); i++) {
      char c = query.charAt(i);
      text.append(c);
      if (c == '\\' && quoted && i + 1 < query.length()) {
        text.append(query.charAt(++i));
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == '#' && !quoted) {
        text.append("our-");
      }
    }
    return text.toString();
  }

  private static List<QueryCondition> conditions(TSQuery query, int pattern) {
    var conditions = new ArrayList<QueryCondition>();
    var words = new ArrayList<QueryCondition.Word>();
    for (TSQueryPredicateStep step : query.getPredicateForPattern(pattern)) {
      if (step.getType() == TSQueryPredicateStepType.TSQueryPredicateStepTypeDone) {
        var name = words.removeFirst().text();
        conditions.add(
            QueryCondition.of(
                name.replaceFirst("^our-", "").replaceFirst("[?!]$", ""), List.copyOf(words)));
        words.clear();
      } else if (step.getType() == TSQueryPredicateStepType.TSQueryPredicateStepTypeCapture) {
        words.add(new QueryCondition.Word(query.getCaptureNameForId(step.getValueId()), true));
      } else {
        words.add(new QueryCondition.Word(query.getStringValueForId(step.getValueId()), false));
      }
    }
    conditions.sort(Comparator.comparing(QueryCondition::question));
    return conditions;
  }

  /** The outcome of a search; incomplete where it took too long. */
  record Found(Set<RuleHit> hits, boolean complete) {}

  /**
   * All places in a tree.
   *
   * @param wanted the rules that count for this file
   */
  Found in(SyntaxTree tree, Predicate<DefectRule> wanted, BooleanSupplier late) {
    var nodes = new CodeNodes(tree);
    var values = new LocalValues(nodes);
    Set<RuleHit> hits = new LinkedHashSet<>();
    Map<DefectRule, Boolean> asked = new HashMap<>();
    boolean complete = true;
    try (var cursor = new TSQueryCursor()) {
      cursor.setMatchLimit(MOST_OPEN);
      cursor.execWithOptions(query, tree.root(), state -> late.getAsBoolean());
      var match = new TSQueryMatch();
      while (complete && cursor.nextMatch(match)) {
        var pattern = patterns.get(match.getPatternIndex());
        if (asked.computeIfAbsent(pattern.rule(), wanted::test)) {
          look(match, pattern, nodes, values, hits);
        }
        complete = !late.getAsBoolean() && !nodes.spent() && hits.size() < MOST_HITS;
      }
      complete &= !late.getAsBoolean() && !cursor.didExceedMatchLimit();
    }
    return new Found(hits, complete);
  }

  private void look(
      TSQueryMatch match, Pattern pattern, CodeNodes nodes, LocalValues values, Set<RuleHit> hits) {
    Map<String, TSNode> found = new HashMap<>();
    for (var capture : match.getCaptures()) {
      found.putIfAbsent(captures[capture.getIndex()], capture.getNode());
    }
    TSNode place = found.get(FINDING);
    if (place == null) {
      return;
    }
    for (var condition : pattern.conditions()) {
      if (!condition.met(found, nodes, values)) {
        return;
      }
    }
    if (pattern.rule().where() == DefectRule.CodeRole.MAIN && nodes.inTest(place)) {
      return;
    }
    hits.add(new RuleHit(pattern.rule(), SyntaxTree.start(place), SyntaxTree.end(place)));
  }
}
