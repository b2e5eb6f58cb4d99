package dev.flyball.llm.reply;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The reader of what a reply says about limits, whichever provider wrote it: by the names of the
 * headers and the words of the body, never by who is asked. What makes no sense is as if it had not
 * been said; nothing that a server sends makes it fail.
 */
public final class SignalReader {
  private static final Pattern TOO_FAST =
      Pattern.compile(
          "acceleration limit|\\bramp(?:ing)? up\\b|(?:increas|grow)(?:ing|n|s)? too"
              + " (?:fast|quickly)",
          Pattern.CASE_INSENSITIVE);

  private SignalReader() {}

  /** What the headers say, at the moment when they arrive. */
  public static Signals read(ReplyHead head) {
    var time = new ServerTime(head);
    return signals(sightings(head, time), wait(head, time), Optional.empty(), false);
  }

  /** What the headers and the body of an error say. */
  public static Signals read(ReplyHead head, byte[] body) {
    var error = ErrorBody.of(body);
    return read(head, error, ExceededLimit.in(error));
  }

  static Signals read(ReplyHead head, ErrorBody error, Optional<ExceededLimit> exceeded) {
    var whole = withHeadersOf(error, head);
    var time = new ServerTime(head);
    var sightings = sightings(whole, time);
    exceeded.flatMap(ExceededLimit::sighting).ifPresent(seen -> correct(sightings, seen));
    return signals(
        sightings, WaitHints.read(whole, error, time), exceeded, tooFast(error, exceeded));
  }

  private static Signals signals(
      List<Sighting> sightings,
      Optional<Duration> wait,
      Optional<ExceededLimit> exceeded,
      boolean tooFast) {
    return new Signals(sightings, wait, exceeded.map(ExceededLimit::dimension), tooFast);
  }

  private static Optional<Duration> wait(ReplyHead head, ServerTime time) {
    return head.status() < 400 ? Optional.empty() : WaitHints.read(head, time);
  }

  private static List<Sighting> sightings(ReplyHead head, ServerTime time) {
    var sightings = new LinkedHashMap<Dimension, Sighting>();
    Stream.concat(
            HeaderFamilies.read(head, time).stream(), RateLimitFields.read(head, time).stream())
        .forEach(seen -> sightings.putIfAbsent(seen.dimension(), seen));
    return new ArrayList<>(sightings.values());
  }

  /**
   * A body names the period of its limit and headers often do not: where they show another limit
   * over the same period, theirs was a wrong guess.
   */
  private static void correct(List<Sighting> sightings, Sighting named) {
    boolean same =
        sightings.stream()
            .anyMatch(
                seen ->
                    seen.dimension().equals(named.dimension())
                        && seen.limit().equals(named.limit())
                        && seen.remaining().isPresent());
    if (!same) {
      sightings.removeIf(seen -> seen.dimension().equals(named.dimension()));
      sightings.add(named);
    }
  }

  /**
   * Only if it says so. A 429 with something left in every dimension may be about acceleration, but
   * a wrong or rounded limit looks the same, and then a ramp would slow the lane for a quarter of
   * an hour. "Slow down" in a sentence is said about any limit; as a code it is OpenAI's for this.
   */
  private static boolean tooFast(ErrorBody error, Optional<ExceededLimit> exceeded) {
    boolean coded =
        error.codes().stream()
            .anyMatch(
                code ->
                    code.equals("slow_down")
                        || (code.startsWith("dynamic_") && code.endsWith("_limited")));
    return coded || (exceeded.isEmpty() && TOO_FAST.matcher(error.message()).find());
  }

  private static ReplyHead withHeadersOf(ErrorBody error, ReplyHead head) {
    if (error.headers().isEmpty()) {
      return head;
    }
    var all = new HashMap<>(new ReplyHead(head.status(), error.headers(), head.at()).headers());
    all.putAll(head.headers());
    return new ReplyHead(head.status(), all, head.at());
  }
}
