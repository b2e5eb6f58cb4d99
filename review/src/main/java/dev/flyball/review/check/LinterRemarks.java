package dev.flyball.review.check;

import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.CheckRule;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.finding.Suppression;
import dev.flyball.review.symbol.SyntaxTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treesitter.TSNode;

/**
 * What files tell other tools not to say, in the words of their languages: {@code # noqa}, {@code
 * // eslint-disable-line}, {@code //nolint}, {@code @SuppressWarnings}, {@code #[allow]} and the
 * like. One that names rules covers those that have the name, here or in another tool; one that
 * names none covers all.
 */
final class LinterRemarks {
  private static final int LONGEST_LINE = 10_000;
  private static final int MOST_STEPS = 12;

  private static final Pattern ANY =
      Pattern.compile(
          "(?i)noqa|nosec|pylint|type:\\s*ignore|eslint-|biome-ignore|nolint|nosonar|Suppress"
              + "|#!?\\[(?:allow|expect)|pragma\\s+warning");

  private static final String NAMES = "((?:[\\w@/:.-]+(?:[ \\t]*,[ \\t]*)?)*)";

  private static final Pattern NOQA =
      Pattern.compile("(?i)#\\s*noqa(?::\\s*([A-Z0-9, ]+))?(?![\\w:])");
  private static final Pattern NOSEC = Pattern.compile("(?i)#\\s*nosec\\b[: \\t]*([B][0-9, B]+)?");
  private static final Pattern WHOLE =
      Pattern.compile("(?i)^\\s*#\\s*(?:ruff|flake8):\\s*noqa\\s*$");
  private static final Pattern PYLINT =
      Pattern.compile("#\\s*pylint:\\s*disable(-next)?\\s*=\\s*" + NAMES);
  private static final Pattern UNTYPED = Pattern.compile("#\\s*type:\\s*ignore\\b");
  private static final Pattern ESLINT =
      Pattern.compile(
          "(?://|/\\*)\\s*eslint-(disable-next-line|disable-line|disable|enable)(?![\\w-])\\s*"
              + NAMES);
  private static final Pattern BIOME = Pattern.compile("(?://|/\\*)\\s*biome-ignore\\s+([\\w/]+)");
  private static final Pattern GO = Pattern.compile("//\\s?nolint(?::([\\w,-]+))?(?![\\w:])");
  private static final Pattern CLANG =
      Pattern.compile("NOLINT(NEXTLINE|BEGIN|END)?+(?:\\(([^)]{0,200})\\))?");
  private static final Pattern PRAGMA =
      Pattern.compile("^\\s*#pragma\\s+warning\\s+(disable|restore)\\s*" + NAMES);
  private static final Pattern SONAR = Pattern.compile("\\bNOSONAR\\b");
  private static final Pattern DECLARED =
      Pattern.compile(
          "@(?:file:)?Suppress(?:Warnings|FBWarnings|Lint)?\\s*\\(([^)]*)\\)"
              + "|#!?\\[(?:allow|expect)\\s*\\(([^)]*)\\)"
              + "|\\[(?:assembly:\\s*)?SuppressMessage\\(([^)]*)\\)");
  private static final Set<String> ASIDE =
      Set.of(
          "modifiers",
          "annotation",
          "marker_annotation",
          "attribute",
          "attribute_list",
          "attribute_item",
          "inner_attribute_item",
          "single_annotation",
          "multi_annotation",
          "file_annotation");

  /**
   * A remark, and the lines that it covers.
   *
   * @param line where it stands
   * @param names as tools name rules, without signs; none means all
   * @param correctness whether it says nothing of security
   */
  record Remark(String file, int line, int from, int to, Set<String> names, boolean correctness) {
    boolean covers(CheckRule rule, int first, int last) {
      if (last < from || first > to) {
        return false;
      }
      if (names.isEmpty()) {
        return !correctness || rule.category() != Category.SECURITY;
      }
      return names.contains("all")
          || names.contains(plain(rule.id()))
          || names.contains(plain(rule.id().substring(rule.id().indexOf('/') + 1)))
          || rule.aliases().stream().anyMatch(alias -> names.contains(plain(alias)));
    }
  }

  /** Those that count, and which of them there was a use for. */
  static final class InForce {
    private final Map<String, List<Remark>> byFile;
    private final Map<Remark, String> used = new LinkedHashMap<>();

    InForce(Collection<Remark> remarks) {
      byFile = remarks.stream().collect(Collectors.groupingBy(Remark::file));
    }

    boolean covers(Claim claim) {
      if (!(claim.place() instanceof Place.Lines place)) {
        return false;
      }
      var rule = Rulebook.rule(claim.rule());
      int last = Math.min(place.endLine(), place.line() + MOST_STEPS);
      for (var remark : byFile.getOrDefault(place.path(), List.of())) {
        if (remark.covers(rule, place.line(), last)) {
          used.putIfAbsent(remark, claim.rule());
          return true;
        }
      }
      return false;
    }

    List<Suppression> used() {
      return used.entrySet().stream()
          .map(
              each ->
                  new Suppression(
                      each.getKey().file(),
                      each.getKey().line(),
                      Suppression.Kind.LINTER,
                      each.getValue(),
                      "",
                      true))
          .toList();
    }
  }

  private final SourceText text;
  private final Optional<SyntaxTree> tree;
  private final List<Remark> found = new ArrayList<>();

  private LinterRemarks(SourceText text, Optional<SyntaxTree> tree) {
    this.text = text;
    this.tree = tree;
  }

  static boolean has(SourceText text) {
    return ANY.matcher(text.content()).find();
  }

  /** In a text that has no tree: those that cover lines. */
  static List<Remark> in(SourceText text) {
    return has(text) ? new LinterRemarks(text, Optional.empty()).read() : List.of();
  }

  static List<Remark> in(SourceText text, SyntaxTree tree) {
    return has(text) ? new LinterRemarks(text, Optional.of(tree)).read() : List.of();
  }

  private List<Remark> read() {
    var open = new ArrayList<Remark>();
    for (int line = 1; line <= text.lines(); line++) {
      var content = text.line(line);
      if (content.length() <= LONGEST_LINE && ANY.matcher(content).find()) {
        hash(content, line);
        slash(content, line, open);
      }
    }
    found.addAll(open);
    tree.ifPresent(this::declared);
    return found;
  }

  private void hash(String content, int line) {
    var python = text.path().endsWith(".py") || text.path().endsWith(".pyi");
    if (!python) {
      return;
    }
    if (WHOLE.matcher(content).find()) {
      add(line, 1, text.lines(), Set.of());
      return;
    }
    one(NOQA.matcher(content), 1, line);
    one(NOSEC.matcher(content), 1, line);
    var pylint = PYLINT.matcher(content);
    if (pylint.find()) {
      boolean alone = content.stripLeading().startsWith("#");
      int to = pylint.group(1) != null ? line + 1 : alone ? text.lines() : line;
      add(line, line, to, names(pylint.group(2)));
    }
    if (UNTYPED.matcher(content).find()) {
      found.add(new Remark(text.path(), line, line, line, Set.of(), true));
    }
  }

  private void one(Matcher matcher, int group, int line) {
    if (matcher.find()) {
      add(line, line, line, names(matcher.group(group)));
    }
  }

  private void slash(String content, int line, List<Remark> open) {
    if (SONAR.matcher(content).find()) {
      add(line, line, line, Set.of());
    }
    var eslint = ESLINT.matcher(content);
    if (eslint.find()) {
      var names = names(eslint.group(2));
      switch (eslint.group(1)) {
        case "disable-line" -> add(line, line, line, names);
        case "disable-next-line" -> add(line, line + 1, line + 1, names);
        case "disable" -> open(open, line, names);
        default -> close(open, line);
      }
    }
    var biome = BIOME.matcher(content);
    if (biome.find()) {
      var rule = biome.group(1);
      add(
          line,
          line + 1,
          line + 1,
          rule.equals("lint") ? Set.of() : names(rule.substring(rule.lastIndexOf('/') + 1)));
    }
    var go = GO.matcher(content);
    if (text.path().endsWith(".go") && go.find()) {
      boolean alone = content.stripLeading().startsWith("//");
      add(line, line, alone ? endOf(line + 1) : endOf(line), names(go.group(1)));
      return;
    }
    var clang = CLANG.matcher(content);
    if (clang.find()) {
      var names = names(clang.group(2));
      switch (clang.group(1) == null ? "" : clang.group(1)) {
        case "NEXTLINE" -> add(line, line + 1, line + 1, names);
        case "BEGIN" -> open(open, line, names);
        case "END" -> close(open, line);
        default -> add(line, line, line, names);
      }
    }
    var pragma = PRAGMA.matcher(content);
    if (pragma.find()) {
      if (pragma.group(1).equals("disable")) {
        open(open, line, names(pragma.group(2)));
      } else {
        close(open, line);
      }
    }
  }

  private void open(List<Remark> open, int line, Set<String> names) {
    open.add(new Remark(text.path(), line, line, text.lines(), names, false));
  }

  private void close(List<Remark> open, int line) {
    for (var each : open) {
      add(each.line(), each.from(), line, each.names());
    }
    open.clear();
  }

  /** The last line of what begins on a line, if that is known. */
  private int endOf(int line) {
    if (tree.isEmpty() || line > text.lines() || text.line(line).isBlank()) {
      return line;
    }
    var content = text.line(line);
    int at = text.startOf(line) + content.length() - content.stripLeading().length();
    TSNode node = tree.get().root().getNamedDescendantForByteRange(2 * at, 2 * at + 2);
    for (int i = 0; i < MOST_STEPS; i++) {
      TSNode above = node.getParent();
      if (above.isNull()
          || above.getParent().isNull()
          || SyntaxTree.start(above) != SyntaxTree.start(node)) {
        break;
      }
      node = above;
    }
    return Math.max(line, text.lineAt(Math.max(0, SyntaxTree.end(node) - 1)));
  }

  /** Annotations and attributes, which cover what they are part of. */
  private void declared(SyntaxTree syntax) {
    var matcher = DECLARED.matcher(text.content());
    while (matcher.find()) {
      int line = text.lineAt(matcher.start());
      var said =
          Optional.ofNullable(matcher.group(1))
              .or(() -> Optional.ofNullable(matcher.group(2)))
              .or(() -> Optional.ofNullable(matcher.group(3)))
              .orElse("");
      var names = names(said.replaceAll("\\w+\\s*=", ""));
      if (names.isEmpty()) {
        continue;
      }
      boolean whole = matcher.group().startsWith("#!") || matcher.group().startsWith("@file:");
      TSNode node =
          syntax
              .root()
              .getNamedDescendantForByteRange(2 * matcher.start(), 2 * matcher.start() + 2);
      for (int i = 0; i < MOST_STEPS && ASIDE.contains(node.getType()); i++) {
        TSNode next =
            node.getType().equals("attribute_item") ? node.getNextNamedSibling() : node.getParent();
        if (next.isNull()) {
          break;
        }
        node = next;
      }
      int to = whole ? text.lines() : text.lineAt(Math.max(0, SyntaxTree.end(node) - 1));
      add(line, whole ? 1 : line, Math.max(line, to), names);
    }
  }

  private void add(int line, int from, int to, Set<String> names) {
    found.add(new Remark(text.path(), line, from, to, names, false));
  }

  private static Set<String> names(@Nullable String list) {
    if (list == null || list.isBlank()) {
      return Set.of();
    }
    var names = new HashSet<String>();
    for (var each : list.split("[,\\s{}\\[\\]\"]+", -1)) {
      if (!each.isBlank()) {
        names.add(plain(each));
        names.add(
            plain(each.substring(Math.max(each.lastIndexOf('.'), each.lastIndexOf('/')) + 1)));
      }
    }
    names.remove("");
    return names;
  }

  /** Without signs and capitals: tools write one name in several ways. */
  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }
}
