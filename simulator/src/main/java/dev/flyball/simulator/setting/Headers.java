package dev.flyball.simulator.setting;

import dev.flyball.simulator.value.OptionText;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The extent to which a provider tells its limits in headers, and how truly. */
public record Headers(Mode mode, Set<Bug> bugs) {
  /** The headers that are there. */
  public enum Mode {
    /** Limit, remaining and reset on every reply; the wait on a 429. */
    FULL,
    /** The limits on every reply, never a wait. */
    LIMITS,
    /** The wait on a 429, and nothing else. */
    RETRY_AFTER,
    /** Nothing. */
    NONE
  }

  /** A mistake in them. */
  public enum Bug {
    /** The level of a bucket as large as the limit, whatever the real burst is. */
    WRONG_BURST,
    /** Every second reply says nothing. */
    MISSING,
    /** What the reply before should have said. */
    STALE,
    /** Every second reply says what the one two before should have said. */
    OUT_OF_ORDER,
    /** Remaining and reset of -1. */
    NEGATIVE,
    /** Resets that are over. */
    PAST_RESET,
    /** A wait as a date. */
    HTTP_DATE,
    /** A wait of a day. */
    DAY,
    /** A wait with a fraction. */
    FRACTION,
    /** A wait of zero. */
    ZERO,
    /** Each header twice. */
    DUPLICATE,
    /** Names in Mixed-Case. */
    MIXED_CASE
  }

  public static final Headers FULL = new Headers(Mode.FULL, Set.of());

  public Headers {
    bugs = Set.copyOf(bugs);
  }

  public boolean has(Bug bug) {
    return bugs.contains(bug);
  }

  /** Reads {@code full}, {@code retry-after}, {@code full,stale,mixed-case}. */
  public static Headers parse(String text) {
    Mode mode = Mode.FULL;
    Set<Bug> bugs = EnumSet.noneOf(Bug.class);
    for (String word : text.split(",", -1)) {
      Optional<Mode> asMode = find(Mode.class, word);
      Optional<Bug> asBug = find(Bug.class, word);
      OptionText.check(
          asMode.isPresent() || asBug.isPresent(),
          "headers are one of " + words(Mode.class) + ", and bugs " + words(Bug.class),
          word);
      mode = asMode.orElse(mode);
      asBug.ifPresent(bugs::add);
    }
    return new Headers(mode, bugs);
  }

  private static String word(Enum<?> each) {
    return each.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <E extends Enum<E>> Optional<E> find(Class<E> type, String word) {
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> word(each).equals(word.strip()))
        .findFirst();
  }

  private static <E extends Enum<E>> String words(Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(Headers::word)
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return bugs.stream()
        .sorted()
        .map(bug -> "," + word(bug))
        .collect(Collectors.joining("", word(mode), ""));
  }
}
