package dev.flyball.review.rule;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.CheckRule;
import dev.flyball.review.finding.Severity;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads a rule out of its file, and refuses what is wrong in it with the key and the value. */
final class RuleReader {
  private static final ObjectReader YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build().reader();

  private static final Set<String> KINDS =
      Set.of("query", "workflow", "dockerfile", "pmd", "built-in");

  private final String id;

  private RuleReader(String id) {
    this.id = id;
  }

  /**
   * A rule.
   *
   * @param id the folder and the name of its file
   */
  static DefectRule read(String id, String text) {
    return new RuleReader(id).rule(text);
  }

  private DefectRule rule(String text) {
    JsonNode file;
    try {
      file = YAML.readTree(text);
    } catch (JacksonException broken) {
      throw wrong("is not YAML: " + broken.getOriginalMessage());
    }
    keys(
        file,
        "languages severity category cwe tags aliases title message why fix on where precision"
            + " if-text unless-text query workflow dockerfile pmd properties built-in matches"
            + " ignores");
    var languages = languages(file);
    return new DefectRule(
        about(file),
        languages,
        role(file),
        matcher(file),
        pattern(file, "if-text"),
        pattern(file, "unless-text"),
        examples(file.path("matches"), true),
        examples(file.path("ignores"), false));
  }

  private CheckRule about(JsonNode file) {
    return new CheckRule(
        id,
        Severity.of(string(file, "severity"))
            .orElseThrow(() -> wrong("has no severity " + string(file, "severity"))),
        category(string(file, "category")),
        string(file, "title"),
        string(file, "message"),
        string(file, "fix"),
        file.path("why").asText("").strip(),
        numbers(file.path("cwe")),
        strings(file.path("tags")),
        strings(file.path("aliases")),
        file.path("on").asBoolean(true),
        measured(file.path("precision")));
  }

  private Category category(String name) {
    var category = Category.of(name);
    if (category == Category.OTHER) {
      throw wrong("has no category " + name);
    }
    return category;
  }

  private Optional<CheckRule.Measured> measured(JsonNode precision) {
    if (precision.isMissingNode()) {
      return Optional.empty();
    }
    keys(precision, "right of date sample");
    try {
      return Optional.of(
          new CheckRule.Measured(
              number(precision, "right"),
              number(precision, "of"),
              LocalDate.parse(string(precision, "date")),
              string(precision, "sample")));
    } catch (DateTimeParseException undated) {
      throw wrong("was measured on a day like 2026-11-18, not on " + string(precision, "date"));
    }
  }

  private Set<RuleLanguage> languages(JsonNode file) {
    var names = strings(file.path("languages"));
    if (names.isEmpty() && file.has("built-in")) {
      return Set.of();
    }
    if (names.isEmpty()) {
      names = List.of(id.substring(0, Math.max(0, id.indexOf('/'))));
    }
    var found = EnumSet.noneOf(RuleLanguage.class);
    for (var name : names) {
      found.add(RuleLanguage.named(name).orElseThrow(() -> wrong("is for no language " + name)));
    }
    return found;
  }

  private DefectRule.CodeRole role(JsonNode file) {
    var name = file.path("where").asText("main");
    return switch (name) {
      case "main" -> DefectRule.CodeRole.MAIN;
      case "tests" -> DefectRule.CodeRole.TESTS;
      case "both" -> DefectRule.CodeRole.BOTH;
      default -> throw wrong("is for main, tests or both, but where was " + name);
    };
  }

  private RuleMatcher matcher(JsonNode file) {
    var kinds = new TreeSet<String>();
    file.fieldNames().forEachRemaining(kinds::add);
    kinds.retainAll(KINDS);
    if (kinds.size() != 1) {
      throw wrong("has one of query, workflow, dockerfile, pmd and built-in, but had " + kinds);
    }
    return switch (kinds.first()) {
      case "query" -> new RuleMatcher.Syntax(string(file, "query"));
      case "workflow" -> workflow(file.path("workflow"));
      case "dockerfile" -> docker(file.path("dockerfile"));
      case "built-in" -> new RuleMatcher.BuiltIn();
      default -> new RuleMatcher.Pmd(string(file, "pmd"), properties(file.path("properties")));
    };
  }

  private RuleMatcher workflow(JsonNode node) {
    keys(node, "path match not-match absent once when unless");
    return new RuleMatcher.Workflow(
        value(node),
        node.path("absent").asBoolean(false),
        node.path("once").asBoolean(false),
        list(node.path("when")).stream().map(each -> tested(each)).toList(),
        list(node.path("unless")).stream().map(each -> tested(each)).toList());
  }

  private RuleMatcher.ValueTest tested(JsonNode node) {
    keys(node, "path match not-match");
    return value(node);
  }

  private RuleMatcher.ValueTest value(JsonNode node) {
    return new RuleMatcher.ValueTest(
        string(node, "path"), pattern(node, "match"), pattern(node, "not-match"));
  }

  private RuleMatcher docker(JsonNode node) {
    keys(node, "instruction match not-match absent last-stage when unless");
    return new RuleMatcher.Docker(
        instruction(node),
        node.path("absent").asBoolean(false),
        node.path("last-stage").asBoolean(false),
        list(node.path("when")).stream().map(each -> written(each)).toList(),
        list(node.path("unless")).stream().map(each -> written(each)).toList());
  }

  private RuleMatcher.InstructionTest written(JsonNode node) {
    keys(node, "instruction match not-match");
    return instruction(node);
  }

  private RuleMatcher.InstructionTest instruction(JsonNode node) {
    return new RuleMatcher.InstructionTest(
        compiled("(?i:" + string(node, "instruction") + ")"),
        pattern(node, "match"),
        pattern(node, "not-match"));
  }

  private Map<String, String> properties(JsonNode node) {
    Map<String, String> found = new LinkedHashMap<>();
    node.properties().forEach(each -> found.put(each.getKey(), each.getValue().asText()));
    return found;
  }

  private List<DefectRule.Example> examples(JsonNode node, boolean matching) {
    var examples = new ArrayList<DefectRule.Example>();
    for (var each : list(node)) {
      if (each.isTextual()) {
        examples.add(new DefectRule.Example(each.asText(), Optional.empty(), matching ? 1 : 0));
        continue;
      }
      keys(each, matching ? "code language findings" : "code language");
      var language =
          each.has("language")
              ? Optional.of(
                  RuleLanguage.named(string(each, "language"))
                      .orElseThrow(() -> wrong("is for no language " + string(each, "language"))))
              : Optional.<RuleLanguage>empty();
      examples.add(
          new DefectRule.Example(
              string(each, "code"),
              language,
              each.has("findings") ? number(each, "findings") : matching ? 1 : 0));
    }
    return examples;
  }

  private void keys(JsonNode node, String known) {
    if (!node.isObject()) {
      throw wrong("has keys and values where there was " + cut(node));
    }
    var all = Set.of(known.split(" "));
    node.fieldNames()
        .forEachRemaining(
            key -> {
              if (!all.contains(key)) {
                throw wrong("has no key " + key + " there; there are " + new TreeSet<>(all));
              }
            });
  }

  private List<JsonNode> list(JsonNode node) {
    if (node.isMissingNode()) {
      return List.of();
    }
    if (!node.isArray()) {
      throw wrong("has a list where there was " + cut(node));
    }
    var found = new ArrayList<JsonNode>();
    node.forEach(found::add);
    return found;
  }

  private List<String> strings(JsonNode node) {
    return list(node).stream()
        .map(
            each -> {
              if (!each.isValueNode() || each.asText().isBlank()) {
                throw wrong("has a word where there was " + cut(each));
              }
              return each.asText();
            })
        .toList();
  }

  private List<Integer> numbers(JsonNode node) {
    return list(node).stream()
        .map(
            each -> {
              if (!each.isInt() || each.asInt() < 1) {
                throw wrong("has a number where there was " + cut(each));
              }
              return each.asInt();
            })
        .toList();
  }

  private int number(JsonNode node, String key) {
    if (!node.path(key).isInt() || node.path(key).asInt() < 0) {
      throw wrong("has a number at " + key + ", but there was " + cut(node.path(key)));
    }
    return node.path(key).asInt();
  }

  private String string(JsonNode node, String key) {
    var value = node.path(key);
    if (!value.isValueNode() || value.asText().isBlank()) {
      throw wrong("needs " + key + ", but there was " + cut(value));
    }
    return value.asText().strip();
  }

  private Optional<Pattern> pattern(JsonNode node, String key) {
    return node.has(key) ? Optional.of(compiled(string(node, key))) : Optional.empty();
  }

  private Pattern compiled(String regex) {
    try {
      return Pattern.compile(regex, Pattern.MULTILINE);
    } catch (PatternSyntaxException broken) {
      throw wrong("has a pattern that is none: " + broken.getDescription() + " in " + regex);
    }
  }

  private static String cut(JsonNode node) {
    var text = node.isMissingNode() ? "nothing" : node.toString();
    return text.length() > 80 ? text.substring(0, 80) : text;
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(String.format(Locale.ROOT, "the rule %s %s", id, what));
  }
}
