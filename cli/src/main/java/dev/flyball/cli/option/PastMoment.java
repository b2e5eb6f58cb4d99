package dev.flyball.cli.option;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A moment in the past as people write it: {@code 7d}, {@code 24h} or {@code 2026-11-01}. */
public sealed interface PastMoment {
  /** So long ago. */
  record Ago(Duration time) implements PastMoment {}

  /** From the first moment of a day, of UTC. */
  record Day(LocalDate date) implements PastMoment {}

  default Instant before(Instant now) {
    return switch (this) {
      case Ago(Duration time) -> now.minus(time);
      case Day(LocalDate date) -> date.atStartOfDay(ZoneOffset.UTC).toInstant();
    };
  }

  /** Reads either. */
  final class Reader implements ITypeConverter<PastMoment> {
    @Override
    public PastMoment convert(String text) {
      try {
        return text.indexOf('-') > 0
            ? new Day(LocalDate.parse(text.strip()))
            : new Ago(new DurationFlags().convert(text));
      } catch (DateTimeParseException | TypeConversionException wrong) {
        throw new TypeConversionException(
            "write a time as 7d, 24h or 2026-11-01, not '" + text + "'");
      }
    }
  }
}
