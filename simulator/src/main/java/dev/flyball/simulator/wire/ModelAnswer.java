package dev.flyball.simulator.wire;

import dev.flyball.simulator.value.TokenCounter;
import java.util.ArrayList;
import java.util.List;

/**
 * A model's answer to one prompt.
 *
 * @param stopped whether it had more to say than it was allowed to
 * @param tool the tool that the text is the input of; empty if it is said to the user
 */
public record ModelAnswer(String text, long tokens, boolean stopped, String tool) {
  private static final int PIECES = 32;

  public static final ModelAnswer NOTHING = new ModelAnswer("", 0, false, "");

  public static ModelAnswer of(String whole, long longest, String model, String tool) {
    // A model says at least one token, even if there is nothing to see in it.
    long tokens = Math.max(1, TokenCounter.of(whole, model));
    return tokens <= longest
        ? new ModelAnswer(whole, tokens, false, tool)
        : new ModelAnswer(TokenCounter.cut(whole, longest, model), longest, true, tool);
  }

  /** A part of the text, and how many tokens are there when it is. */
  record Piece(String text, long tokens) {}

  List<Piece> pieces() {
    int count = (int) Math.min(tokens, PIECES);
    List<Piece> pieces = new ArrayList<>(count);
    int start = 0;
    for (int i = 1; i <= count; i++) {
      int end = (int) ((long) text.length() * i / count);
      if (end < text.length() && end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
        end++;
      }
      pieces.add(new Piece(text.substring(start, end), tokens * i / count));
      start = end;
    }
    return pieces;
  }
}
