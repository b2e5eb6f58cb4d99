package dev.flyball.cli.config;

import dev.flyball.cli.option.ProviderOptions;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.run.config.VariableName;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;

/** A value as it may stand on a screen: without what may be a secret in it, and inert. */
public final class ShownValue {
  private static final String HIDDEN = "***";
  private static final int LONGEST = 4_000;
  private static final int SHORTEST_SECRET = 8;

  /** Passwords and queries of addresses, and what follows the kinds of Authorization. */
  private static final Pattern PARTS =
      Pattern.compile(
          "(?<=://)[^\\s'\"]{1,400}@|(?<=[^\\s?]\\?)[^\\s'\"]{1,2000}=[^\\s'\"]{1,2000}"
              + "|(?i)(?<=\\b(?:bearer|basic) )\\S+");

  /** Keys that say what they are, and long words of mixed letters and digits. */
  private static final Pattern KEYS =
      Pattern.compile(
          "\\b(?:sk|rk|pk|gsk|xai|hf|ghp|gho|ghs|ghu|github_pat|glpat|npm|pypi|xox[a-z]|AIza|AKIA|ASIA|eyJ)"
              + "[-_A-Za-z0-9][-_A-Za-z0-9.]{6,}"
              + "|(?<![-_A-Za-z0-9+/\\\\.])(?=[-_A-Za-z0-9+]*[A-Z])(?=[-_A-Za-z0-9+]*[a-z])(?=[-_A-Za-z0-9+]*\\d)[-_A-Za-z0-9+]{24,}={0,2}");

  private static final Pattern HEADER = Pattern.compile("[A-Za-z][A-Za-z0-9-]{0,40}");
  private static final Pattern TELLING =
      Pattern.compile("(?i)key|token|secret|password|passwd|credential|auth");

  private ShownValue() {}

  /** What an option is set to. */
  public static String of(OptionSpec option, String text) {
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
    if (sign < 1 || !HEADER.matcher(text.substring(0, sign)).matches()) {
      return HIDDEN;
    }
    var name = text.substring(0, sign + 1);
    return text.startsWith(ProviderOptions.FROM_VARIABLE, sign + 1)
        ? name
            + ProviderOptions.FROM_VARIABLE
            + VariableName.shown(text.substring(sign + 1 + ProviderOptions.FROM_VARIABLE.length()))
        : name + HIDDEN;
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
  public static String of(String message, Map<String, String> environment) {
    var shown = message;
    for (var variable : environment.entrySet()) {
      var value = variable.getValue().strip();
      if (value.length() >= SHORTEST_SECRET && TELLING.matcher(variable.getKey()).find()) {
        shown = shown.replace(value, HIDDEN);
      }
    }
    shown = shown.substring(0, Math.min(shown.length(), LONGEST));
    shown = PARTS.matcher(shown).replaceAll(HIDDEN);
    return inert(KEYS.matcher(shown).replaceAll(HIDDEN));
  }

  /** Without anything that a terminal or a log obeys. */
  static String inert(String text) {
    return escaped(text, c -> c == ' ' || Character.isLetterOrDigit(c) || isSign(c));
  }

  /** In ASCII alone, so that nothing looks like something else. */
  static String plain(String text) {
    return escaped(text, c -> c >= ' ' && c < 127);
  }

  private static boolean isSign(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static String escaped(String text, IntPredicate stays) {
    var shown = new StringBuilder();
    text.codePoints()
        .limit(LONGEST)
        .forEach(
            c -> {
              if (stays.test(c)) {
                shown.appendCodePoint(c);
              } else {
                shown.append("\\u{%x}".formatted(c));
              }
            });
    return shown.toString();
  }
}
