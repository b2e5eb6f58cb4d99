package dev.flyball.review.rule;

import dev.flyball.review.symbol.SyntaxTree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treesitter.TSNode;

/**
 * One condition of a query, such as {@code (#match? @name "^get")}, that a match must meet. The
 * parser's binding knows some of these for texts in UTF-8, and ours are in UTF-16, so all of them
 * are decided here.
 *
 * <p>The names that queries have for them begin with {@code not-} for the opposite. A condition on
 * a capture that a match does not have is met, so that optional captures can have conditions.
 */
final class QueryCondition {
  private static final int DEEPEST_VALUE = 4;

  /** Of more than that no pattern is asked: not all of them take time that grows no faster. */
  private static final int LONGEST = 2_000;

  private static final int LONGEST_FUNCTION = 20_000;
  private static final int LONGEST_FILE = 100_000;

  /** What is asked of a captured node. */
  enum Question {
    EQ("eq", 1),
    ANY_OF("any-of", 1),
    MATCH("match", 1),
    KIND("kind", 1),
    PARENT("parent", 1),
    INSIDE("inside", 1),
    CONTAINS("contains", 1),
    CONSTANT("constant", 0),
    LINE_MATCH("line-match", 1),
    FUNCTION_MATCH("function-match", 1),
    FILE_MATCH("file-match", 1),
    VALUE_MATCH("value-match", 1),
    VALUE_KIND("value-kind", 1),
    VALUE_CONTAINS("value-contains", 1),
    VALUE_CONSTANT("value-constant", 0),
    ORIGIN_MATCH("origin-match", 1),
    OUTSIDE("from-outside", 0);

    private final String name;
    private final int fewest;

    Question(String name, int fewest) {
      this.name = name;
      this.fewest = fewest;
    }
  }

  /** What was looked for, in which scope. */
  private record Look(QueryCondition condition, int scope, String captured) {}

  /** A word of a condition: a capture by its name, or a string. */
  record Word(String text, boolean capture) {}

  private final Question question;
  private final boolean wanted;
  private final String capture;
  private final List<Word> words;
  private final Set<String> kinds;
  private final Set<String> until;
  private final Optional<Pattern> pattern;

  private QueryCondition(
      Question question,
      boolean wanted,
      String capture,
      List<Word> words,
      Optional<Pattern> regex) {
    this.question = question;
    this.wanted = wanted;
    this.capture = capture;
    this.words = List.copyOf(words);
    this.pattern = regex;
    kinds = question == Question.INSIDE ? words(words, 0, 1) : words(words, 0, words.size());
    until = question == Question.INSIDE ? words(words, 1, words.size()) : Set.of();
  }

  private static Set<String> words(List<Word> words, int from, int to) {
    return words.subList(Math.min(from, words.size()), to).stream()
        .flatMap(word -> List.of(word.text().split(" ")).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * A condition by its name, without the question mark.
   *
   * @param words the capture that it is about, and what is said of it
   */
  static QueryCondition of(String name, List<Word> words) {
    boolean not = name.startsWith("not-");
    var plain = not ? name.substring(4) : name;
    var question =
        List.of(Question.values()).stream()
            .filter(each -> each.name.equals(plain))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("there is no condition #" + name + "?"));
    if (words.isEmpty() || !words.getFirst().capture()) {
      throw new IllegalArgumentException("#" + name + "? is about a capture, which comes first");
    }
    var rest = words.subList(1, words.size());
    if (rest.size() < question.fewest) {
      throw new IllegalArgumentException("#" + name + "? says nothing of its capture");
    }
    return new QueryCondition(question, !not, words.getFirst().text(), rest, regex(question, rest));
  }

  private static Optional<Pattern> regex(Question question, List<Word> words) {
    return switch (question) {
      case MATCH, LINE_MATCH, VALUE_MATCH, FUNCTION_MATCH, FILE_MATCH, ORIGIN_MATCH, OUTSIDE -> {
        if (words.isEmpty()) {
          yield Optional.empty();
        }
        try {
          yield Optional.of(
              Pattern.compile(words.getFirst().text().replace("{}", "\\Qx\\E"), Pattern.MULTILINE));
        } catch (PatternSyntaxException broken) {
          throw new IllegalArgumentException("a pattern is none: " + broken.getDescription());
        }
      }
      default -> Optional.empty();
    };
  }

  /** The capture that it is about. */
  String capture() {
    return capture;
  }

  /** The captures that it compares with. */
  List<String> others() {
    return words.stream().filter(Word::capture).map(Word::text).toList();
  }

  /** What is asked; those that take longer to answer come later. */
  Question question() {
    return question;
  }

  boolean met(Map<String, TSNode> captures, CodeNodes nodes, LocalValues values) {
    @Nullable TSNode node = captures.get(capture);
    return node == null
        || (!nodes.spent()
            && holds(node, captures, nodes, values) == wanted
            && !isUnseen(node, nodes));
  }

  /** Whether something must not be in a text of which only the beginning is looked at. */
  private boolean isUnseen(TSNode node, CodeNodes nodes) {
    return !wanted
        && switch (question) {
          case FUNCTION_MATCH ->
              length(CodeNodes.function(node).orElseGet(nodes::root)) > LONGEST_FUNCTION;
          case MATCH -> length(node) > LONGEST;
          default -> false;
        };
  }

  private static int length(TSNode node) {
    return SyntaxTree.end(node) - SyntaxTree.start(node);
  }

  private boolean holds(
      TSNode node, Map<String, TSNode> captures, CodeNodes nodes, LocalValues values) {
    return switch (question) {
      case EQ -> nodes.text(node).equals(text(words.getFirst(), captures, nodes));
      case ANY_OF ->
          words.stream().anyMatch(word -> nodes.text(node).equals(text(word, captures, nodes)));
      case MATCH -> found(nodes.text(node), nodes.text(node));
      case KIND -> kinds.contains(node.getType());
      case PARENT -> !node.getParent().isNull() && kinds.contains(node.getParent().getType());
      case INSIDE -> CodeNodes.inside(node, kinds, until);
      case CONTAINS -> nodes.contains(node, each -> kinds.contains(each.getType()));
      case CONSTANT -> nodes.constant(node);
      case LINE_MATCH -> found(nodes.lines(node), nodes.text(node));
      case FUNCTION_MATCH -> foundIn(CodeNodes.function(node).orElseGet(nodes::root), node, nodes);
      case FILE_MATCH -> foundIn(nodes.root(), node, nodes);
      case ORIGIN_MATCH ->
          values.origins(node).stream()
              .anyMatch(origin -> found(nodes.text(origin), nodes.text(node)));
      case OUTSIDE ->
          values.handedIn(node)
              || (pattern.isPresent()
                  && values.origins(node).stream()
                      .anyMatch(origin -> found(nodes.text(origin), nodes.text(node))));
      case VALUE_MATCH ->
          values.of(node).stream().anyMatch(value -> found(nodes.text(value), nodes.text(node)));
      case VALUE_KIND ->
          values.of(node).stream().anyMatch(value -> kinds.contains(value.getType()));
      case VALUE_CONTAINS ->
          values.of(node).stream()
              .anyMatch(value -> nodes.contains(value, each -> kinds.contains(each.getType())));
      case VALUE_CONSTANT -> constant(node, nodes, values, 0);
    };
  }

  private static boolean constant(TSNode node, CodeNodes nodes, LocalValues values, int depth) {
    if (nodes.constant(node)) {
      return true;
    }
    if (depth == DEEPEST_VALUE) {
      return false;
    }
    if (!CodeNodes.name(node)) {
      return !nodes.contains(
          node,
          each ->
              CodeNodes.name(each)
                  && each.getNamedChildCount() == 0
                  && !constant(each, nodes, values, depth + 1));
    }
    var all = values.of(node);
    return !all.isEmpty()
        && all.stream().allMatch(value -> constant(value, nodes, values, depth + 1));
  }

  private static String text(Word word, Map<String, TSNode> captures, CodeNodes nodes) {
    if (!word.capture()) {
      return word.text();
    }
    @Nullable TSNode node = captures.get(word.text());
    return node == null ? "" : nodes.text(node);
  }

  /** Whether a scope has the pattern, which is looked for once for each captured text. */
  private boolean foundIn(TSNode scope, TSNode node, CodeNodes nodes) {
    var captured = words.getFirst().text().contains("{}") ? nodes.text(node) : "";
    return nodes.once(
        new Look(this, SyntaxTree.start(scope), captured),
        () -> found(nodes.text(scope), captured));
  }

  /** Whether a text has the pattern, in which {@code {}} stands for what was captured. */
  private boolean found(String whole, String captured) {
    int longest =
        switch (question) {
          case FUNCTION_MATCH -> LONGEST_FUNCTION;
          case FILE_MATCH -> LONGEST_FILE;
          default -> LONGEST;
        };
    var text = whole.length() > longest ? whole.substring(0, longest) : whole;
    var regex = words.getFirst().text();
    return regex.contains("{}")
        ? Pattern.compile(regex.replace("{}", Pattern.quote(captured)), Pattern.MULTILINE)
            .matcher(text)
            .find()
        : pattern.orElseThrow().matcher(text).find();
  }
}
