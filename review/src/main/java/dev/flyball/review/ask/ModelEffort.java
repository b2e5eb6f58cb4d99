package dev.flyball.review.ask;

import java.util.Locale;
import java.util.regex.Pattern;

/** The effort that a model makes before it answers, for those that think. */
public enum ModelEffort {
  LOW(8_000, 1_500),
  MEDIUM(16_000, 4_000),
  HIGH(32_000, 10_000);

  /** Models of other dialects that think before they answer, by their names. */
  private static final Pattern THINKING =
      Pattern.compile(
          "^(?:o[1-9](?:-|$)|gpt-[5-9]|gpt-oss|gemini-(?:2\\.5|[3-9])|deepseek-(?:r|reasoner)"
              + "|grok-(?:3-mini|[4-9])|qwq|magistral|minimax-m|glm-(?:4\\.[5-9]|[5-9]))"
              + "|thinking|reasoning");

  private final long most;
  private final long usual;

  ModelEffort(long most, long usual) {
    this.most = most;
    this.usual = usual;
  }

  /** Tokens that it may think. */
  public long most() {
    return most;
  }

  /** Tokens that it is expected to think. */
  public long usual() {
    return usual;
  }

  /** Whether a model thinks without being told to. */
  public static boolean isThinking(String model) {
    var name = model.substring(model.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    return THINKING.matcher(name).find();
  }

  /** Reads the value of {@code --effort}. */
  public static ModelEffort of(String word) {
    for (var each : values()) {
      if (each.toString().equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException("--effort must be low, medium or high, not '" + word + "'");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
