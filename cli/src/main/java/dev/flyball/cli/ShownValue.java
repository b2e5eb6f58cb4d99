package dev.flyball.cli;

import dev.flyball.cli.option.ProviderOptions;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.run.config.VariableName;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;

/** A value as it may stand on a screen: without what may be a secret in it, and inert. */
final class ShownValue {
  private static final String HIDDEN = "***";
  private static final int LONGEST = 400;
  private static final int SHORTEST_SECRET = 8;

  /** Passwords and queries of addresses, and what follows the kinds of Authorization. */
  private static final Pattern PARTS =
      Pattern.compile(
          "(?<=://)[^/\\s@]{1,400}@|(?<=[^\\s?]\\?)[^\\s'\"]{1,2000}=[^\\s'\"]{1,2000}"
              + "|(?i)(?<=\\b(?:bearer|basic) )\\S+");

  /** Keys that say what they are, and long words of mixed letters and digits. */
  private static final Pattern KEYS =
      Pattern.compile(
          "\\b(?:sk|rk|pk|gsk|xai|hf|ghp|gho|ghs|ghu|github_pat|glpat|npm|pypi|xox[a-z]|AIza|AKIA|ASIA|eyJ)"
              + "[-_A-Za-z0-9][-_A-Za-z0-9.]{6,}"
              + "|(?<![-_A-Za-z0-9+])(?=[-_A-Za-z0-9+]*[A-Z])(?=[-_A-Za-z0-9+]*[a-z])(?=[-_A-Za-z0-9+]*\\d)[-_A-Za-z0-9+]{24,}={0,2}");

  private static final Pattern TELLING =
      Pattern.compile("(?i).*(key|token|secret|password|passwd|credential|auth).*");

  private ShownValue() {}

  /** What an option is set to. */
  static String of(OptionSpec option, String text) {
    return switch (Configuration.name(option)) {
      case "header" -> header(text);
      case "history" -> history(text);
      case "key-env" ->
          Arrays.stream(text.split(",", -1))
              .map(VariableName::shown)
              .collect(Collectors.joining(","));
      default -> of(text, Map.of());
    };
  }

  private static String header(String text) {
    int sign = text.indexOf('=');
    boolean named = sign > 0 && text.startsWith(ProviderOptions.FROM_VARIABLE, sign + 1);
    return sign < 1 ? HIDDEN : inert(named ? text : text.substring(0, sign + 1) + HIDDEN);
  }

  private static String history(String text) {
    try {
      return inert(HistoryLocation.of(text).toString());
    } catch (IllegalArgumentException wrong) {
      return "?";
    }
  }

  /**
   * A message in which somebody's words are.
   *
   * @param environment whose secrets are not to be in it
   */
  static String of(String message, Map<String, String> environment) {
    var shown = message;
    for (var variable : environment.entrySet()) {
      var value = variable.getValue().strip();
      if (value.length() >= SHORTEST_SECRET && TELLING.matcher(variable.getKey()).matches()) {
        shown = shown.replace(value, HIDDEN);
      }
    }
    shown = PARTS.matcher(shown).replaceAll(HIDDEN);
    return inert(KEYS.matcher(shown).replaceAll(HIDDEN));
  }

  /** Without anything that a terminal or a log obeys, or that looks like something else. */
  static String inert(String text) {
    var shown = new StringBuilder();
    text.codePoints().limit(LONGEST).forEach(c -> append(shown, c));
    return text.codePointCount(0, text.length()) > LONGEST ? shown + "..." : shown.toString();
  }

  private static void append(StringBuilder shown, int c) {
    boolean plain = c >= ' ' && c < 127;
    if (plain || Character.isLetterOrDigit(c) && c < 0x250) {
      shown.appendCodePoint(c);
    } else {
      shown.append("\\u{%x}".formatted(c));
    }
  }
}
