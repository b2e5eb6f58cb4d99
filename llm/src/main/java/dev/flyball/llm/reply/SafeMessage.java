package dev.flyball.llm.reply;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A provider's message as it may be shown and kept: one short line without keys. Providers repeat
 * the key that they refuse, and what repeats a request may hold one.
 */
public final class SafeMessage {
  private static final int READ = 4_000;
  private static final int SHOWN = 300;
  private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cc}\\p{Cf}\\p{Z}]++");
  private static final Pattern LETTER = Pattern.compile("\\p{L}");
  private static final List<Pattern> SECRETS =
      List.of(
          Pattern.compile("(?i)\\b(bearer )[^\\s\"',;]{4,}+"),
          Pattern.compile("(?i)\\b(basic )[a-z0-9+/=]{16,}+"),
          Pattern.compile("(key provided: )[^\\s\"'&,;]{4,}+"),
          Pattern.compile(
              "(?i)((?:key|secret|password|authorization)[\"']?\\s?[=:]\\s?[\"']?)"
                  + "[^\\s\"'&,;]{4,}+"),
          Pattern.compile("()sk-(?:ant|proj|or|svcacct|admin)-[\\w*.-]{4,}+"),
          Pattern.compile(
              "()(?<![A-Za-z])(?:[a-z]?sk|pk|rk|xai|nvapi|sess|hf|fw|gh[a-z]|github_pat)[-_]"
                  + "[\\w*.-]{4,}+"),
          Pattern.compile("()\\b(?:AIza|AKIA|ASIA|eyJ)[\\w.-]{12,}+"),
          Pattern.compile("()(?<![\\w/.-])[A-Za-z0-9_-]{40,}+"));

  private SafeMessage() {}

  /** A message, or what stands for it if it says nothing. */
  public static String of(String raw, String otherwise) {
    var line =
        SPACE.matcher(raw.substring(0, Math.min(raw.length(), READ))).replaceAll(" ").strip();
    for (var secret : SECRETS) {
      line = secret.matcher(line).replaceAll("$1[redacted]");
    }
    if (!LETTER.matcher(line).find()) {
      return otherwise;
    }
    if (line.length() <= SHOWN) {
      return line;
    }
    int end = Character.isHighSurrogate(line.charAt(SHOWN - 2)) ? SHOWN - 2 : SHOWN - 1;
    return line.substring(0, end) + "…";
  }
}
