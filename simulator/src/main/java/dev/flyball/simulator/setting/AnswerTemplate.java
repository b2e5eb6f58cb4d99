package dev.flyball.simulator.setting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.flyball.simulator.value.JsonText;
import dev.flyball.simulator.value.OptionText;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A scripted answer with blanks that are filled in from the prompt. A string <code>
 * {{all:REGEX}}</code> becomes the list of what the expression's first group finds. A string <code>
 * {{each:REGEX=>JSON}}</code> becomes a list with the JSON for each match, where $1 to $9 stand for
 * what its groups found; a last group that lists several things with commas counts once for each.
 * In a list, the entries take the blank's place.
 */
final class AnswerTemplate {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern BLANK =
      Pattern.compile("\\{\\{(?:all:(.+)|each:(.+?)=>(.+))\\}\\}", Pattern.DOTALL);
  private static final Pattern GROUP = Pattern.compile("\\$([1-9])");

  private AnswerTemplate() {}

  static String filled(String answer, String prompt) {
    if (!answer.contains("{{all:") && !answer.contains("{{each:")) {
      return answer;
    }
    JsonNode tree = JsonText.parse(answer);
    return tree.isMissingNode() ? answer : JsonText.of(filled(tree, prompt));
  }

  private static JsonNode filled(JsonNode node, String prompt) {
    if (node instanceof ObjectNode object) {
      ObjectNode filled = JSON.objectNode();
      for (Map.Entry<String, JsonNode> each : object.properties()) {
        filled.set(each.getKey(), filled(each.getValue(), prompt));
      }
      return filled;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode filled = JSON.arrayNode();
      for (JsonNode each : array) {
        JsonNode entry = filled(each, prompt);
        if (each instanceof TextNode && entry instanceof ArrayNode many) {
          filled.addAll(many);
        } else {
          filled.add(entry);
        }
      }
      return filled;
    }
    Matcher blank = BLANK.matcher(node.isTextual() ? node.textValue() : "");
    return blank.matches() ? list(blank, prompt) : node;
  }

  private static ArrayNode list(Matcher blank, String prompt) {
    boolean all = blank.group(1) != null;
    Set<JsonNode> entries = new LinkedHashSet<>();
    try {
      Pattern.compile(all ? blank.group(1) : blank.group(2))
          .matcher(prompt)
          .results()
          .forEach(
              found -> {
                if (all) {
                  entries.add(JSON.textNode(found.group(1)));
                } else {
                  parts(found).forEach(part -> entries.add(entry(blank.group(3), found, part)));
                }
              });
    } catch (PatternSyntaxException | IndexOutOfBoundsException wrong) {
      throw new IllegalArgumentException(
          "a blank has a regular expression with a group, not " + blank.group(), wrong);
    }
    return JSON.arrayNode().addAll(entries);
  }

  private static List<String> parts(MatchResult found) {
    return List.of(found.group(found.groupCount()).split(", *"));
  }

  private static JsonNode entry(String template, MatchResult found, String last) {
    String text =
        GROUP
            .matcher(template)
            .replaceAll(
                name -> {
                  int group = Integer.parseInt(name.group(1));
                  String value = group == found.groupCount() ? last : found.group(group);
                  String quoted = JsonText.of(JSON.textNode(value));
                  return Matcher.quoteReplacement(quoted.substring(1, quoted.length() - 1));
                });
    JsonNode entry = JsonText.parse(text);
    OptionText.check(!entry.isMissingNode(), "what is behind => in a blank is JSON", template);
    return entry;
  }
}
