package dev.flyball.review.rule;

import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.SyntaxTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.treesitter.TSNode;

/** Questions about the nodes of a tree, each answered after a bounded number of looks. */
final class CodeNodes {
  private static final int MOST_ANCESTORS = 200;
  private static final int MOST_DESCENDANTS = 4_000;
  private static final Pattern CONSTANT_NAME = Pattern.compile("[A-Z][A-Z0-9]*(_[A-Z0-9]+)*_?");
  private static final Pattern TEST_ATTRIBUTE =
      Pattern.compile("^#\\[(cfg\\((all\\()?test\\b|(\\w+::)?(test|bench)\\b)");
  private static final Set<String> FUNCTIONS =
      Set.of(
          "method_declaration",
          "constructor_declaration",
          "compact_constructor_declaration",
          "static_initializer",
          "function_definition",
          "function_declaration",
          "function_expression",
          "generator_function",
          "generator_function_declaration",
          "arrow_function",
          "method_definition",
          "func_literal",
          "function_item",
          "local_function_statement",
          "accessor_declaration",
          "operator_declaration",
          "anonymous_function",
          "secondary_constructor",
          "getter",
          "setter");

  /** What may be looked at for all conditions of a file, in nodes and characters. */
  private static final long MOST_LOOKS = 60_000_000;

  private final SyntaxTree tree;
  private final Map<Object, Boolean> answers = new HashMap<>();
  private long left = MOST_LOOKS;

  CodeNodes(SyntaxTree tree) {
    this.tree = tree;
  }

  /** Whether so much was looked at that it has to end. */
  boolean spent() {
    return left < 0;
  }

  /** The answer to a question, which is not worked out again when it is asked again. */
  boolean once(Object question, BooleanSupplier answer) {
    return answers.computeIfAbsent(question, key -> answer.getAsBoolean());
  }

  String text(TSNode node) {
    left -= SyntaxTree.end(node) - SyntaxTree.start(node) + 1;
    return tree.text().substring(SyntaxTree.start(node), SyntaxTree.end(node));
  }

  Language language() {
    return tree.language();
  }

  TSNode root() {
    return tree.root();
  }

  /** The lines that a node is on, as a whole. */
  String lines(TSNode node) {
    String text = tree.text();
    int start = text.lastIndexOf('\n', Math.max(0, SyntaxTree.start(node) - 1)) + 1;
    int end = text.indexOf('\n', SyntaxTree.end(node));
    left -= (end < 0 ? text.length() : end) - start;
    return text.substring(Math.min(start, SyntaxTree.start(node)), end < 0 ? text.length() : end);
  }

  /** Whether a node is inside one of some kinds, and inside that before one of the others. */
  static boolean inside(TSNode node, Set<String> kinds, Set<String> until) {
    TSNode at = node.getParent();
    for (int i = 0; i < MOST_ANCESTORS && !at.isNull(); i++) {
      String kind = at.getType();
      if (kinds.contains(kind)) {
        return true;
      }
      if (until.contains(kind)) {
        return false;
      }
      at = at.getParent();
    }
    return false;
  }

  /** The function around a node; empty where it is in none. */
  static Optional<TSNode> function(TSNode node) {
    TSNode at = node.getParent();
    for (int i = 0; i < MOST_ANCESTORS && !at.isNull(); i++) {
      if (FUNCTIONS.contains(at.getType())) {
        return Optional.of(at);
      }
      at = at.getParent();
    }
    return Optional.empty();
  }

  /** Whether a node is in a part of a Rust file that is only compiled for tests. */
  boolean inTest(TSNode node) {
    if (language() != Language.RUST) {
      return false;
    }
    TSNode at = node;
    for (int i = 0; i < MOST_ANCESTORS && !at.isNull(); i++) {
      TSNode before = at.getPrevNamedSibling();
      while (!before.isNull() && before.getType().equals("attribute_item")) {
        if (TEST_ATTRIBUTE.matcher(text(before)).find()) {
          return true;
        }
        before = before.getPrevNamedSibling();
      }
      at = at.getParent();
    }
    return false;
  }

  /** Whether there is such a node in a subtree, the top one included. */
  boolean contains(TSNode node, Predicate<TSNode> wanted) {
    var open = new ArrayDeque<TSNode>();
    open.push(node);
    for (int looks = 0; !open.isEmpty(); looks++) {
      if (looks > MOST_DESCENDANTS || spent()) {
        return true;
      }
      TSNode at = open.pop();
      left -= 10;
      if (wanted.test(at)) {
        return true;
      }
      for (int i = at.getNamedChildCount() - 1; i >= 0; i--) {
        open.push(at.getNamedChild(i));
      }
    }
    return false;
  }

  /** The variables in a subtree; of a very large one those that come first. */
  List<TSNode> names(TSNode node) {
    var names = new ArrayList<TSNode>();
    contains(
        node,
        each -> {
          if (each.getType().equals("identifier") && !member(each)) {
            names.add(each);
          }
          return false;
        });
    return names;
  }

  /** Whether a name is what is asked of an object, or what an argument is called. */
  private static boolean member(TSNode name) {
    TSNode parent = name.getParent();
    return switch (parent.isNull() ? "" : parent.getType()) {
      case "attribute" -> SyntaxTree.start(parent) != SyntaxTree.start(name);
      case "keyword_argument" -> SyntaxTree.start(parent) == SyntaxTree.start(name);
      default -> false;
    };
  }

  /** Whether a node mentions nothing that could be another value at another time. */
  boolean constant(TSNode node) {
    return !contains(node, this::varies);
  }

  static boolean name(TSNode node) {
    return node.getType().endsWith("identifier");
  }

  private boolean varies(TSNode node) {
    return switch (node.getType()) {
      case "this", "self", "super", "this_expression", "base_expression" -> true;
      case "type_identifier", "primitive_type", "predefined_type" -> false;
      default ->
          name(node)
              && node.getNamedChildCount() == 0
              && !CONSTANT_NAME.matcher(text(node)).matches();
    };
  }
}
