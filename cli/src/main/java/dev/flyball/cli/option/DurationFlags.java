package dev.flyball.cli.option;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Times as people write them: {@code 500ms}, {@code 90s}, {@code 15m}, {@code 2h30m}, {@code
 * forever}.
 */
final class DurationFlags implements ITypeConverter<Duration> {
  static final Duration FOREVER = Duration.ofDays(36_500);

  private static final Pattern PARTS =
      Pattern.compile(
          "(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?:in)?)?(?:(\\d{1,9}(?:\\.\\d{1,9})?)s)?(?:(\\d{1,9})ms)?");

  @Override
  public Duration convert(String text) {
    if (text.equals("forever")) {
      return FOREVER;
    }
    var parts = PARTS.matcher(text.strip());
    if (text.isBlank() || !parts.matches()) {
      throw new TypeConversionException(
          "write a time as 500ms, 90s, 15m or 2h30m, not '" + text + "'");
    }
    return Duration.ofDays(whole(parts.group(1)))
        .plusHours(whole(parts.group(2)))
        .plusMinutes(whole(parts.group(3)))
        .plusMillis(
            (long) (1_000 * Double.parseDouble(parts.group(4) == null ? "0" : parts.group(4))))
        .plusMillis(whole(parts.group(5)));
  }

  private static long whole(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
