package dev.flyball.llm.reply;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Numbers as headers and messages write them: {@code 4000}, {@code 30,000}, {@code 59.7}. */
final class WireNumbers {
  private static final int LONGEST = 64;
  private static final Pattern SEPARATOR = Pattern.compile("[,;]");
  private static final Pattern THOUSANDS = Pattern.compile("\\d{1,3}+(?:,\\d{3})++(?:\\.\\d++)?+");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,15}+(?:\\.\\d++)?+");

  private WireNumbers() {}

  /**
   * The first of several values that something on the way joined with commas. {@code 30,000} is one
   * value; {@code 100,100} may be one or the same one twice, and is read as the smaller.
   */
  static String first(String value) {
    if (value.length() > LONGEST) {
      return "";
    }
    if (value.indexOf(',') < 0 && value.indexOf(';') < 0) {
      return value.strip();
    }
    String start = SEPARATOR.split(value, 2)[0].strip();
    boolean one = THOUSANDS.matcher(value).matches() && !value.equals(start + "," + start);
    return one ? value.replace(",", "") : start;
  }

  /** Zero or more; what is negative, no number or longer than any real one is none. */
  static OptionalDouble number(String value) {
    String first = first(value);
    return NUMBER.matcher(first).matches()
        ? OptionalDouble.of(Double.parseDouble(first))
        : OptionalDouble.empty();
  }

  /** A number without its fraction. */
  static OptionalLong count(String value) {
    var number = number(value);
    return number.isPresent() ? OptionalLong.of((long) number.getAsDouble()) : OptionalLong.empty();
  }
}
