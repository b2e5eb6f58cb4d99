package dev.flyball.fleet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One end of a conversation over a way on which messages may be lost, doubled or late: what is said
 * is heard once and in order. Whoever sees by a number that something was lost says so, and it is
 * said again at once; what was lost last is said again after a while. Not thread-safe.
 *
 * @param <S> what is said
 * @param <H> what is heard
 */
final class Conversation<S, H> {
  private static final int MOST_EARLY = 10_000;

  /** What was asked for again meanwhile may be under way. */
  private static final long AGAIN_AT_MOST_EVERY = 100_000_000L;

  private long patience;
  private final Deque<S> unheard = new ArrayDeque<>();

  /** The number of the first of these. */
  private long first = 1;

  /** How many of these were never sent. */
  private int unsent;

  /** Since when the other one has heard nothing more of what was sent. */
  private long waitsSince;

  private long saidAgainAt = Long.MIN_VALUE;

  private long heard;
  private long toldHeard;

  /** The last number that is known to have been said. */
  private long last;

  /** What came before its turn. */
  private final NavigableMap<Long, H> early = new TreeMap<>();

  /**
   * One in which nothing was said.
   *
   * @param patience after how long without an answer all that was not heard is said again
   */
  Conversation(long patience) {
    this.patience = patience;
  }

  void patience(long nanos) {
    patience = nanos;
  }

  void say(S message) {
    unheard.add(message);
    unsent++;
  }

  /** Whether something is to be sent now: news, or what was not heard for too long. */
  boolean wants(long now) {
    return unsent > 0 || waitsTooLong(now);
  }

  /** Whether it is to be said again that the other one may not have heard. */
  boolean waitsTooLong(long now) {
    return unheard.size() > unsent && now - waitsSince > patience;
  }

  /** Whether the other one does not know yet how much was heard. */
  boolean owes() {
    return toldHeard != heard;
  }

  /** Whether something that the other one is known to have said was not heard. */
  boolean misses() {
    return heard < last;
  }

  /** Whether the other one has not said yet that it has heard all that was sent. */
  boolean waits() {
    return unheard.size() > unsent;
  }

  /**
   * What is sent at one time.
   *
   * @param sequence the number of the first item, or that of the next one if there is none
   * @param heard how much of the other side's was heard
   * @param misses whether more than that is known to have been said
   */
  record Part<S>(long sequence, long heard, boolean misses, List<S> items) {}

  /** What is to be sent now. */
  Part<S> part(long now) {
    boolean again = waitsTooLong(now);
    var items = new ArrayList<>(unheard);
    int skipped = again ? 0 : unheard.size() - unsent;
    var sent = List.copyOf(items.subList(skipped, items.size()));
    if (again || unheard.size() == unsent) {
      waitsSince = now;
    }
    unsent = 0;
    toldHeard = heard;
    return new Part<>(first + skipped, heard, misses(), sent);
  }

  /** Something was received; what is new of it is passed on. */
  void receive(Part<H> part, long now, Consumer<H> listener) {
    if (first <= part.heard()) {
      waitsSince = now;
    }
    while (first <= part.heard() && !unheard.isEmpty()) {
      unheard.removeFirst();
      first++;
      unsent = Math.min(unsent, unheard.size());
    }
    if (part.misses()
        && (saidAgainAt == Long.MIN_VALUE || now - saidAgainAt > AGAIN_AT_MOST_EVERY)) {
      saidAgainAt = now;
      unsent = unheard.size();
    }
    last = Math.max(last, part.sequence() + part.items().size() - 1);
    for (int i = 0; i < part.items().size(); i++) {
      long number = part.sequence() + i;
      if (number > heard && early.size() < MOST_EARLY) {
        early.put(number, part.items().get(i));
      }
    }
    while (!early.isEmpty() && early.firstKey() == heard + 1) {
      heard++;
      listener.accept(early.pollFirstEntry().getValue());
    }
    if (!part.items().isEmpty()) {
      // What was heard already may be said again because that is not known.
      toldHeard = -1;
    }
  }
}
