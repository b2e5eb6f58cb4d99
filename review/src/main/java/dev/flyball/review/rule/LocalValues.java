package dev.flyball.review.rule;

import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.SyntaxTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.treesitter.TSNode;
import org.treesitter.TSQuery;
import org.treesitter.TSQueryCursor;
import org.treesitter.TSQueryMatch;

/**
 * The values that names are given in one file. A name is looked up in the function around it, then
 * in the one around that, and at last in the whole file; a parameter has no value that is known
 * here, and what another function keeps to itself is not looked at. All assignments count, in
 * whatever order they are made: this is no flow analysis, and does not claim to know which of them
 * was the last.
 */
final class LocalValues {
  private static final int MOST_ASSIGNMENTS = 5_000;
  private static final int DEEPEST_ORIGIN = 4;
  private static final int MOST_ORIGINS = 100;

  /** Names for an object itself, and for the settings of whoever runs a program. */
  private static final Pattern OWN =
      Pattern.compile(
          "(?i)self|cls|this|args|opts?|options?|argv|conf|config|cfg|settings?|env|environ|context");

  private static final Map<Language, TSQuery> QUERIES = new ConcurrentHashMap<>();

  private final CodeNodes nodes;
  private final Map<String, List<TSNode>> known = new HashMap<>();
  private @Nullable Map<String, List<Assigned>> assigned;

  /** A value with where it is, which takes a call into native code to find out. */
  private record Assigned(TSNode value, int start, int end) {}

  LocalValues(CodeNodes nodes) {
    this.nodes = nodes;
  }

  /** What a node is, or, if it is a name, what it was assigned; empty if that is not known. */
  List<TSNode> of(TSNode node) {
    if (!CodeNodes.name(node) || node.getNamedChildCount() > 0) {
      return List.of(node);
    }
    var name = nodes.text(node);
    var all = assigned().getOrDefault(name, List.of());
    if (all.isEmpty()) {
      return List.of();
    }
    Optional<TSNode> scope = CodeNodes.function(node);
    var key = name + " " + scope.map(SyntaxTree::start).orElse(-1);
    var seen = known.get(key);
    if (seen == null) {
      seen = of(name, all, scope).stream().map(Assigned::value).toList();
      known.put(key, seen);
    }
    return seen;
  }

  private List<Assigned> of(String name, List<Assigned> all, Optional<TSNode> innermost) {
    var word = word(name);
    Optional<TSNode> scope = innermost;
    while (scope.isPresent()) {
      int start = SyntaxTree.start(scope.get());
      int end = SyntaxTree.end(scope.get());
      var inside =
          all.stream().filter(value -> value.start() >= start && value.end() <= end).toList();
      if (!inside.isEmpty()) {
        return inside;
      }
      if (word.matcher(header(scope.get())).find()) {
        return List.of();
      }
      scope = CodeNodes.function(scope.get());
    }
    return all.stream().filter(value -> CodeNodes.function(value.value()).isEmpty()).toList();
  }

  /** A node, what the names in it were assigned, what the names in that were, and so on. */
  List<TSNode> origins(TSNode node) {
    var found = new ArrayList<TSNode>();
    var seen = new HashSet<Integer>();
    var next = List.of(node);
    for (int depth = 0; depth <= DEEPEST_ORIGIN && !next.isEmpty(); depth++) {
      found.addAll(next);
      next =
          next.stream()
              .flatMap(each -> nodes.names(each).stream())
              .flatMap(name -> of(name).stream())
              .filter(value -> seen.add(SyntaxTree.start(value)))
              .limit(MOST_ORIGINS)
              .toList();
    }
    return found;
  }

  /**
   * Whether a parameter of a function around it is in a node or in its origins: somebody else says
   * what it is, as of a name at the top of a file that it gives no value. What a program keeps for
   * itself, and the settings of whoever runs it, are no such.
   */
  boolean handedIn(TSNode node) {
    return isUnknown(node)
        || origins(node).stream()
            .flatMap(each -> nodes.names(each).stream())
            .anyMatch(name -> !OWN.matcher(nodes.text(name)).matches() && isParameter(name));
  }

  /** Whether it is a name outside of all functions which the file gives no value. */
  private boolean isUnknown(TSNode node) {
    return CodeNodes.name(node)
        && node.getNamedChildCount() == 0
        && CodeNodes.function(node).isEmpty()
        && of(node).isEmpty();
  }

  private boolean isParameter(TSNode name) {
    var word = word(nodes.text(name));
    for (var at = CodeNodes.function(name); at.isPresent(); at = CodeNodes.function(at.get())) {
      if (word.matcher(header(at.get())).find()) {
        return true;
      }
    }
    return false;
  }

  private static Pattern word(String name) {
    return Pattern.compile("(?<![\\w$])" + Pattern.quote(name) + "(?![\\w$])");
  }

  /** A function without its body. */
  private String header(TSNode function) {
    var body = function.getChildByFieldName("body");
    var text = nodes.text(function);
    return body.isNull()
        ? text.substring(0, Math.max(0, text.indexOf('{')))
        : text.substring(0, SyntaxTree.start(body) - SyntaxTree.start(function));
  }

  private Map<String, List<Assigned>> assigned() {
    if (assigned == null) {
      assigned = read();
    }
    return assigned;
  }

  private Map<String, List<Assigned>> read() {
    var query = QUERIES.computeIfAbsent(nodes.language(), LocalValues::query);
    Map<String, List<Assigned>> found = new HashMap<>();
    try (var cursor = new TSQueryCursor()) {
      cursor.exec(query, nodes.root());
      var match = new TSQueryMatch();
      for (int i = 0; i < MOST_ASSIGNMENTS && cursor.nextMatch(match); i++) {
        TSNode name = null;
        TSNode value = null;
        for (var capture : match.getCaptures()) {
          if (query.getCaptureNameForId(capture.getIndex()).equals("name")) {
            name = capture.getNode();
          } else {
            value = capture.getNode();
          }
        }
        if (name != null && value != null) {
          found
              .computeIfAbsent(nodes.text(name), key -> new ArrayList<>())
              .add(new Assigned(value, SyntaxTree.start(value), SyntaxTree.end(value)));
        }
      }
    }
    return found;
  }

  static TSQuery query(Language language) {
    var name = "values/" + language.name().toLowerCase(Locale.ROOT) + ".scm";
    try (var in = LocalValues.class.getResourceAsStream(name)) {
      return new TSQuery(
          SyntaxTree.parser(language),
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
