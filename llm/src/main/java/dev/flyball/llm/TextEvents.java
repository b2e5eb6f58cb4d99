package dev.flyball.llm;

import java.nio.charset.StandardCharsets;

/**
 * The events of a stream that bring a piece of text and nothing else, as Anthropic and OpenAI write
 * them. What is not exactly one of these is left to whoever reads events whole.
 */
final class TextEvents {
  private static final byte[] DATA = bytes("data:");
  private static final byte[] DELTA = bytes("\"delta\":");
  private static final byte[][] TEXTS = {
    bytes("{\"content\":\""), bytes("{\"type\":\"text_delta\",\"text\":\"")
  };
  private static final byte[] CHOICE = bytes("\"choices\":[{\"index\":0,");
  private static final byte[][] TELLING = {
    bytes("\"usage\":{"), bytes("error"), bytes("\"finish_reason\":\""), bytes("\"delta\"")
  };
  private static final byte[] BLOCK = bytes("\"type\":\"content_block_delta\"");

  private TextEvents() {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** How many characters of text a line brings, or -1 if it may bring something else. */
  static int characters(byte[] line, int from, int to) {
    boolean closes = to > from && (line[to - 1] == '}' || line[to - 1] == ' ');
    if (!closes || !begins(DATA, line, from, to)) {
      return -1;
    }
    int delta = find(DELTA, line, from, to);
    if (delta < 0) {
      return -1;
    }
    int object = delta + DELTA.length;
    boolean known = find(CHOICE, line, from, delta + 1) >= 0 || find(BLOCK, line, from, delta) >= 0;
    for (var text : TEXTS) {
      if (known && begins(text, line, object, to)) {
        return text(line, from, delta, object + text.length, to);
      }
    }
    return -1;
  }

  private static int text(byte[] line, int from, int delta, int start, int to) {
    int count = 0;
    int at = start;
    while (at < to && line[at] != '"') {
      byte each = line[at];
      if (each == '\\') {
        at += at + 1 < to && line[at + 1] == 'u' ? 5 : 1;
        count++;
      } else if ((each & 0xC0) != 0x80) {
        // A letter of four bytes is two characters.
        count += (each & 0xF8) == 0xF0 ? 2 : 1;
      }
      at++;
    }
    boolean closed = at + 1 < to && line[at + 1] == '}';
    for (var telling : TELLING) {
      if (find(telling, line, from, delta) >= 0 || (closed && find(telling, line, at, to) >= 0)) {
        return -1;
      }
    }
    return closed ? count : -1;
  }

  private static boolean begins(byte[] with, byte[] line, int from, int to) {
    if (to - from < with.length) {
      return false;
    }
    for (int i = 0; i < with.length; i++) {
      if (line[from + i] != with[i]) {
        return false;
      }
    }
    return true;
  }

  private static int find(byte[] what, byte[] line, int from, int to) {
    for (int i = from; i <= to - what.length; i++) {
      if (line[i] == what[0] && begins(what, line, i, to)) {
        return i;
      }
    }
    return -1;
  }
}
