package dev.flyball.review.check;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** Text that is written so that a reader does not see it at once: as escapes, in Base64 or hex. */
final class Disguises {
  private static final int SHORTEST = 20;
  private static final int LONGEST = 20_000;
  private static final int LOOKED_AT = 24;

  private Disguises() {}

  /** A text with what its escapes stand for. */
  static String escapes(String text) {
    if (text.indexOf('\\') < 0 && text.indexOf('&') < 0 && text.indexOf('%') < 0) {
      return text;
    }
    var plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); ) {
      int end = escape(text, i, plain);
      if (end == i) {
        plain.append(text.charAt(i));
        end++;
      }
      i = end;
    }
    return plain.toString();
  }

  /** Writes what an escape stands for, and says where it ends; where none begins, that is here. */
  private static int escape(String text, int at, StringBuilder plain) {
    if (text.startsWith("\\u{", at) || text.startsWith("&#x", at) || text.startsWith("&#X", at)) {
      return number(text, at, at + 3, 16, text.charAt(at) == '&' ? ';' : '}', plain);
    }
    if (text.startsWith("&#", at)) {
      return number(text, at, at + 2, 10, ';', plain);
    }
    if (text.startsWith("\\u", at)) {
      return fixed(text, at, at + 2, 4, plain);
    }
    if (text.startsWith("\\x", at)) {
      return fixed(text, at, at + 2, 2, plain);
    }
    if (text.charAt(at) == '%') {
      return fixed(text, at, at + 1, 2, plain);
    }
    if (text.startsWith("&nbsp;", at)) {
      plain.append(' ');
      return at + 6;
    }
    if (text.startsWith("\\n", at) || text.startsWith("\\r", at) || text.startsWith("\\t", at)) {
      plain.append(' ');
      return at + 2;
    }
    return at;
  }

  private static int fixed(String text, int at, int from, int digits, StringBuilder plain) {
    int end = from + digits;
    return end <= text.length() && isNumber(text, from, end, 16)
        ? appended(text, from, end, 16, end, at, plain)
        : at;
  }

  private static int number(
      String text, int at, int from, int radix, char close, StringBuilder plain) {
    int end = from;
    while (end < text.length() && end < from + 7 && Character.digit(text.charAt(end), radix) >= 0) {
      end++;
    }
    boolean whole = end > from && end < text.length() && text.charAt(end) == close;
    return whole ? appended(text, from, end, radix, end + 1, at, plain) : at;
  }

  private static int appended(
      String text, int from, int end, int radix, int next, int at, StringBuilder plain) {
    int character = Integer.parseInt(text.substring(from, end), radix);
    if (!Character.isValidCodePoint(character)) {
      return at;
    }
    plain.appendCodePoint(character);
    return next;
  }

  private static boolean isNumber(String text, int from, int end, int radix) {
    for (int i = from; i < end; i++) {
      if (Character.digit(text.charAt(i), radix) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The sentences that a line has in Base64 or in hex. */
  static List<String> readable(String line) {
    if (line.length() < SHORTEST) {
      return List.of();
    }
    var found = new ArrayList<String>();
    int from = 0;
    for (int i = 0; i <= line.length(); i++) {
      if (i == line.length() || !isOfCode(line.charAt(i))) {
        if (i - from >= SHORTEST) {
          decode(line.substring(from, Math.min(i, from + LONGEST)), found);
        }
        from = i + 1;
      }
    }
    return found;
  }

  private static void decode(String code, List<String> found) {
    int even = code.length() / 2 * 2;
    if (isNumber(code, 0, Math.min(even, LOOKED_AT), 16) && isNumber(code, 0, even, 16)) {
      keep(HexFormat.of().parseHex(code.substring(0, even)), found);
      return;
    }
    var plain = code.replace('-', '+').replace('_', '/');
    int padding = plain.indexOf('=');
    plain = padding < 0 ? plain : plain.substring(0, padding);
    int whole = plain.length() % 4 == 1 ? plain.length() - 1 : plain.length();
    if (isText(bytes(plain.substring(0, Math.min(whole, LOOKED_AT))))) {
      keep(bytes(plain.substring(0, whole)), found);
    }
  }

  private static byte[] bytes(String code) {
    try {
      return Base64.getDecoder().decode(code);
    } catch (IllegalArgumentException none) {
      return new byte[0];
    }
  }

  private static void keep(byte[] bytes, List<String> found) {
    if (isText(bytes)) {
      var text = new String(bytes, StandardCharsets.UTF_8);
      if (text.indexOf(' ') > 0 && text.indexOf('\uFFFD') < 0) {
        found.add(text);
      }
    }
  }

  private static boolean isText(byte[] bytes) {
    for (byte each : bytes) {
      if ((each >= 0 && each < ' ' && each != '\n' && each != '\r' && each != '\t')
          || each == 0x7F) {
        return false;
      }
    }
    return bytes.length > 0;
  }

  private static boolean isOfCode(char it) {
    return (it >= 'a' && it <= 'z')
        || (it >= 'A' && it <= 'Z')
        || (it >= '0' && it <= '9')
        || it == '+'
        || it == '/'
        || it == '-'
        || it == '_'
        || it == '=';
  }
}
