package dev.flyball.simulator.setting;

import dev.flyball.simulator.limit.ModelRequest;
import dev.flyball.simulator.value.OptionText;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A mishap on purpose, and the requests that meet it.
 *
 * @param status the status of kind {@link Kind#STATUS}
 * @param after events or bytes that still get through
 */
public record Fault(
    Kind kind,
    int status,
    FaultTarget target,
    int after,
    Duration delay,
    Optional<String> retryAfter,
    Optional<Boolean> shouldRetry) {

  /** A way to go wrong. */
  public enum Kind {
    /** An answer with this status, in the provider's words. */
    STATUS(true),
    /** A 429 whose quota is the day's. */
    DAILY(true),
    /** A 429 that says the money is spent. */
    SPEND_CAP(true),
    /** A 429 that says the request can never fit. */
    TOO_LARGE(true),
    /** A 429 that says use grows too fast. */
    SLOW_DOWN(true),
    /** Accepted, and never answered. */
    HANG,
    /** The first token comes later. */
    SLOW,
    /** A stream that stops and stays open. */
    STALL,
    /** The connection is closed, in the middle. */
    CUT,
    /** A stream in which an error comes after some events. */
    ERROR_EVENT,
    /** A body that ends too early, though the connection does not. */
    TRUNCATED,
    /** JSON that is none. */
    MALFORMED,
    /** A page of HTML from something in between. */
    HTML(true),
    /** JSON that calls itself text. */
    CONTENT_TYPE,
    /** A 200 with nothing in it. */
    EMPTY,
    /** Comments and blank lines before the answer. */
    KEEP_ALIVE,
    /** A body that is compressed though nobody asked. */
    GZIP,
    /** The last event of a stream, twice. */
    DOUBLE_END,
    /** Usage that counts nothing. */
    NO_USAGE,
    /** Usage that counts everything a thousand times. */
    HUGE_USAGE,
    /** A 200 in which the model declines; of whole answers only. */
    REFUSAL,
    /** A 200 whose content a filter has taken away; of whole answers only. */
    FILTERED,
    /** Nobody is there: the connection is closed at once, and no limit has seen the request. */
    OUTAGE(true);

    /** Whether it takes the place of the answer. */
    private final boolean instead;

    Kind() {
      this(false);
    }

    Kind(boolean instead) {
      this.instead = instead;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final String GRAMMAR =
      "a fault is written KIND[:NAME=VALUE,...], as in 529:share=0.1 or cut:after=3,attempts=1";

  /** Whether nothing of the answer is produced. */
  public boolean instead() {
    return kind.instead;
  }

  /** Whether this request meets it, the {@code nth} of all. */
  public boolean strikes(ModelRequest ask, long count, long now, double chance) {
    return (ask.stream() || (kind != Kind.ERROR_EVENT && kind != Kind.DOUBLE_END))
        && !(ask.stream() && (kind == Kind.REFUSAL || kind == Kind.FILTERED))
        && target.hit(ask.call(), count, now, chance);
  }

  public String word() {
    return kind == Kind.STATUS ? Integer.toString(status) : kind.word();
  }

  /** Reads {@code 529:share=0.1,from=10s,to=20s}; the names are those of the parts. */
  public static Fault parse(String text) {
    String[] sides = text.split(":", 2);
    boolean status = sides[0].matches("[45]\\d\\d");
    Kind kind = status ? Kind.STATUS : kind(sides[0]);
    Map<String, String> parts = new HashMap<>();
    if (sides.length == 2) {
      for (String part : sides[1].split(",", -1)) {
        String[] pair = part.split("=", 2);
        OptionText.check(pair.length == 2, GRAMMAR, text);
        parts.put(pair[0].strip(), pair[1].strip());
      }
    }
    Fault fault =
        new Fault(
            kind,
            status ? Integer.parseInt(sides[0]) : 0,
            target(parts),
            (int) Math.min(1_000_000, OptionText.whole(take(parts, "after", "0"))),
            OptionText.duration(take(parts, "delay", "30s")),
            Optional.ofNullable(parts.remove("retry-after")),
            Optional.ofNullable(parts.remove("should-retry")).map(Boolean::parseBoolean));
    OptionText.check(
        parts.isEmpty(),
        "the parts of a fault are share, attempts, nth, key, model, id, from, to, after, delay,"
            + " retry-after and should-retry",
        String.join(", ", parts.keySet()));
    return fault;
  }

  private static FaultTarget target(Map<String, String> parts) {
    return new FaultTarget(
        OptionText.share(take(parts, "share", "1")),
        (int) Math.min(1_000, OptionText.whole(take(parts, "attempts", "0"))),
        OptionText.whole(take(parts, "nth", "0")),
        take(parts, "key", ""),
        take(parts, "model", ""),
        take(parts, "id", ""),
        OptionText.duration(take(parts, "from", "0")),
        Optional.ofNullable(parts.remove("to")).map(OptionText::duration));
  }

  private static String take(Map<String, String> parts, String name, String otherwise) {
    String found = parts.remove(name);
    return found == null ? otherwise : found;
  }

  private static Kind kind(String word) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind != Kind.STATUS && kind.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("a fault is " + kinds() + ", not " + word));
  }

  /** All kinds, as they are written. */
  public static String kinds() {
    return "a status (400 to 599), "
        + Arrays.stream(Kind.values())
            .filter(kind -> kind != Kind.STATUS)
            .map(Kind::word)
            .collect(Collectors.joining(", "));
  }
}
