package dev.flyball.review.patch;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The two names of a file in a patch, as bytes in characters, with the prefixes of the two sides
 * taken off.
 *
 * <p>Most prefixes are a letter ({@code a/} and {@code b/}, and of {@code diff.mnemonicPrefix}
 * {@code c/}, {@code i/}, {@code o/}, {@code w/}), the same letter for both sides is a folder, and
 * names that are equal have no prefix. A plain diff of two folders has their names.
 */
record PatchNames(String old, String now) {
  private static final Pattern TIME =
      Pattern.compile("(?<![ \\t])[ \\t]++\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d");
  private static final Pattern EPOCH = Pattern.compile("\\t(1970-01-01|1969-12-31) \\d\\d:\\d\\d");
  private static final String SIDES = "abciow12";

  /** What stands for no file. */
  static final String NOWHERE = "/dev/null";

  /** Of both sides' names as they stand in {@code ---} and {@code +++}. */
  static PatchNames ofSides(String old, String now, @Nullable PatchNames header) {
    if (old.equals(NOWHERE) || now.equals(NOWHERE)) {
      var path = header == null ? null : header.withoutSides();
      return new PatchNames(
          path == null || old.equals(NOWHERE) ? withoutSide(old) : path.old,
          path == null || now.equals(NOWHERE) ? withoutSide(now) : path.now);
    }
    if (old.equals(now)) {
      return new PatchNames(old, now);
    }
    if (hasSide(old) && hasSide(now) && old.charAt(0) != now.charAt(0)) {
      return new PatchNames(old.substring(2), now.substring(2));
    }
    var oldRest = old.substring(old.indexOf('/') + 1);
    var nowRest = now.substring(now.indexOf('/') + 1);
    if (oldRest.equals(nowRest)) {
      return new PatchNames(oldRest, nowRest);
    }
    if (header != null) {
      return new PatchNames(withoutSide(old), withoutSide(now));
    }
    // Of x.c.orig and x.c the file is the shorter one.
    var shorter = old.length() < now.length() ? old : now;
    return new PatchNames(withoutSide(shorter), withoutSide(shorter));
  }

  /**
   * Of what follows {@code diff --git}: both names, in which blanks may be, with a blank between
   * them. Only equal names can be told apart for sure, but others are told again below.
   */
  static @Nullable PatchNames ofHeader(String text) {
    if (text.startsWith("\"")) {
      int end = quoteEnd(text, 0);
      if (end < 0 || end + 1 >= text.length() || text.charAt(end) != ' ') {
        return null;
      }
      return new PatchNames(name(text.substring(0, end)), name(text.substring(end + 1)));
    }
    if (text.endsWith("\"")) {
      int quote = text.indexOf(" \"");
      return quote < 0 || quoteEnd(text, quote + 1) != text.length()
          ? null
          : new PatchNames(text.substring(0, quote), name(text.substring(quote + 1)));
    }
    int slash = text.indexOf('/');
    int nowSlash = 0;
    for (int blank = 0; blank < text.length(); blank++) {
      if (text.charAt(blank) != ' ' && text.charAt(blank) != '\t') {
        continue;
      }
      if (nowSlash >= 0 && nowSlash <= blank) {
        nowSlash = text.indexOf('/', blank + 1);
      }
      int rest = text.length() - blank - 1;
      if (rest == blank && text.regionMatches(0, text, blank + 1, rest)) {
        return new PatchNames(text.substring(0, blank), text.substring(blank + 1));
      }
      if (slash >= 0
          && slash < blank
          && nowSlash >= 0
          && blank - slash == text.length() - nowSlash
          && text.regionMatches(slash, text, nowSlash, blank - slash)) {
        return new PatchNames(text.substring(0, blank), text.substring(blank + 1));
      }
    }
    return null;
  }

  /** The old name for both. */
  PatchNames twice() {
    return new PatchNames(old, old);
  }

  /** Of a header, the name that both sides have; null if they have two. */
  @Nullable PatchNames withoutSides() {
    var names = ofSides(old, now, null);
    return names.old.equals(names.now) ? names : null;
  }

  /** What follows {@code ---} or {@code +++}, without the time behind it. */
  static String side(String text, boolean git) {
    if (text.startsWith("\"")) {
      int end = quoteEnd(text, 0);
      return end < 0 ? text : name(text.substring(0, end));
    }
    int tab = text.indexOf('\t');
    if (tab >= 0) {
      boolean never = !git && EPOCH.matcher(text).find(tab);
      return never ? NOWHERE : text.substring(0, tab);
    }
    if (!git) {
      var time = TIME.matcher(text);
      if (time.find()) {
        return text.substring(0, time.start());
      }
    }
    return text;
  }

  /** A name that may be in quotes. */
  static String name(String text) {
    return text.startsWith("\"") && quoteEnd(text, 0) == text.length() ? unquoted(text) : text;
  }

  static String decoded(String bytes) {
    return TextDecoder.of(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static boolean hasSide(String name) {
    return name.length() > 2 && name.charAt(1) == '/' && SIDES.indexOf(name.charAt(0)) >= 0;
  }

  private static String withoutSide(String name) {
    return hasSide(name) ? name.substring(2) : name;
  }

  /** Behind the quote that ends what the quote there begins; -1 if none does. */
  private static int quoteEnd(String text, int from) {
    for (int i = from + 1; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == '"') {
        return i + 1;
      }
    }
    return -1;
  }

  private static String unquoted(String text) {
    var out = new ByteArrayOutputStream(text.length());
    for (int i = 1; i < text.length() - 1; i++) {
      char sign = text.charAt(i);
      if (sign != '\\') {
        out.write(sign);
        continue;
      }
      sign = text.charAt(++i);
      int plain = "abtnvfr".indexOf(sign);
      if (plain >= 0) {
        out.write(7 + plain);
      } else if (isOctal(sign)) {
        int value = 0;
        int end = Math.min(i + 3, text.length() - 1);
        while (i < end && isOctal(text.charAt(i))) {
          value = value * 8 + text.charAt(i++) - '0';
        }
        i--;
        out.write(value);
      } else {
        out.write(sign);
      }
    }
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  private static boolean isOctal(char sign) {
    return sign >= '0' && sign <= '7';
  }
}
