package dev.flyball.simulator.value;

import java.nio.charset.StandardCharsets;

/**
 * A count of tokens: bytes by a ratio for the model. A real provider counts otherwise, but no more
 * steadily, and anybody can check this one.
 */
public final class TokenCounter {
  /** What the frame of a conversation costs. */
  public static final int FRAME = 3;

  private static final String[] WORDS =
      ("lever valve steam governor spindle arm ball speed rises falls steady engine turns belt"
           + " wheel load throttle opens closes slowly until the pressure holds and nobody watches")
          .split(" ");

  private TokenCounter() {}

  /** Half bytes in a token: 3.5 bytes of Claude, 4 of others. */
  private static int halves(String model) {
    return model.startsWith("claude") ? 7 : 8;
  }

  public static long of(String text, String model) {
    long bytes = bytes(text);
    return Math.ceilDiv(bytes * 2, halves(model));
  }

  private static long bytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // A half of a surrogate pair stands for two of its four bytes.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  /** The start of a text, of at most so many tokens. */
  public static String cut(String text, long tokens, String model) {
    if (of(text, model) <= tokens) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int end = (int) Math.min(bytes.length, tokens * halves(model) / 2);
    while (end > 0 && end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  /** A text of exactly so many tokens. */
  public static String lorem(long tokens, String model, RandomDraw draw) {
    int bytes = (int) Math.min(tokens * halves(model) / 2, 8_000_000);
    StringBuilder text = new StringBuilder(bytes + 16);
    while (text.length() < bytes) {
      text.append(WORDS[(int) Math.floorMod(draw.bits(), (long) WORDS.length)]).append(' ');
    }
    text.setLength(bytes);
    return text.toString();
  }
}
