package dev.flyball.llm.reply;

import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  private static final Set<Integer> REFUSALS = Set.of(403, 429, 503);

  private SignalReader() {}

  /** What the headers say, at the moment when they arrive. */
  public static Signals read(ReplyHead head) {
    var time = new ServerTime(head);
    var wait = head.status() < 400 ? Optional.<Duration>empty() : WaitHints.read(head, time);
    return signals(levels(stated(head, time)), wait, Optional.empty(), false);
  }

  /** What the headers and the body of an error say. */
  public static Signals read(ReplyHead head, byte[] body) {
    var error = ErrorBody.of(body);
    return read(head, error, ExceededLimit.in(error));
  }

  static Signals read(ReplyHead head, ErrorBody error, Optional<ExceededLimit> exceeded) {
    var whole = withHeadersOf(error, head);
    var time = new ServerTime(head);
    var stated = stated(whole, time);
    var sightings = levels(stated);
    exceeded.flatMap(ExceededLimit::sighting).ifPresent(seen -> correct(sightings, seen));
    var wait = WaitHints.read(whole, error, time).or(() -> resetAlone(head.status(), stated));
    return signals(sightings, wait, exceeded, tooFast(error, exceeded));
  }

  private static Signals signals(
      List<Sighting> sightings,
      Optional<Duration> wait,
      Optional<ExceededLimit> exceeded,
      boolean tooFast) {
    return new Signals(sightings, wait, exceeded.map(ExceededLimit::dimension), tooFast);
  }

  /** What is stated of each dimension; that may be a reset alone. */
  private static Collection<Sighting> stated(ReplyHead head, ServerTime time) {
    var stated = new ArrayList<Sighting>();
    Stream.concat(
            HeaderFamilies.read(head, time).stream(), RateLimitFields.read(head, time).stream())
        .forEach(seen -> add(stated, seen));
    return stated;
  }

  /**
   * Of two that limit the same, say a provider and a gateway before it, the one that allows less
   * counts. Where one has the lower limit and the other has less left, both count, as long as they
   * can be told apart in the next reply.
   */
  private static void add(List<Sighting> stated, Sighting seen) {
    for (int i = 0; i < stated.size(); i++) {
      var other = stated.get(i);
      boolean same = other.dimension().equals(seen.dimension());
      if (same && (other.header().equals(seen.header()) || !crossed(other, seen))) {
        stated.set(i, tighter(other, seen));
        return;
      }
    }
    stated.add(seen);
  }

  private static boolean crossed(Sighting one, Sighting other) {
    return one.limit().isPresent()
        && one.remaining().isPresent()
        && other.limit().isPresent()
        && other.remaining().isPresent()
        && Long.compare(one.limit().getAsLong(), other.limit().getAsLong())
                * Long.compare(one.remaining().getAsLong(), other.remaining().getAsLong())
            < 0;
  }

  /** If it is one limit told twice, one of them may have left out the reset. */
  private static Sighting tighter(Sighting one, Sighting other) {
    long most = one.limit().orElse(Long.MAX_VALUE);
    int order = Long.compare(most, other.limit().orElse(Long.MAX_VALUE));
    if (order == 0) {
      long left = one.remaining().orElse(Long.MAX_VALUE);
      order = Long.compare(left, other.remaining().orElse(Long.MAX_VALUE));
    }
    var tight = order <= 0 ? one : other;
    var loose = order <= 0 ? other : one;
    boolean same = loose.limit().isEmpty() || loose.limit().equals(tight.limit());
    return same && tight.reset().isEmpty() && loose.reset().isPresent()
        ? tight.resetIn(loose.reset().get())
        : tight;
  }

  private static List<Sighting> levels(Collection<Sighting> stated) {
    var levels = new ArrayList<>(stated);
    levels.removeIf(seen -> seen.limit().isEmpty() && seen.remaining().isEmpty());
    return levels;
  }

  /**
   * The last resort of a refusal that says in no other way how long to wait. Where a level comes
   * with the reset, the level tells more.
   */
  private static Optional<Duration> resetAlone(int status, Collection<Sighting> stated) {
    return stated.stream()
        .filter(seen -> REFUSALS.contains(status) && seen.remaining().isEmpty())
        .flatMap(seen -> seen.reset().stream())
        .filter(Duration::isPositive)
        .min(Comparator.naturalOrder());
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
