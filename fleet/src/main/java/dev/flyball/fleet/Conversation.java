package dev.flyball.fleet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * One end of a conversation over a way on which messages may be lost, doubled or late: what is said
 * is heard once and in order. Not thread-safe.
 *
 * @param <S> what is said
 * @param <H> what is heard
 */
final class Conversation<S, H> {
  private final long patience;
  private final Deque<S> unheard = new ArrayDeque<>();

  /** The number of the first of these. */
  private long first = 1;

  /** How many of these were never sent. */
  private int unsent;

  /** Since when the other one has heard nothing more of what was sent. */
  private long waitsSince;

  private long heard;
  private long toldHeard;

  /**
   * One in which nothing was said.
   *
   * @param patience after how long without an answer all that was not heard is said again
   */
  Conversation(long patience) {
    this.patience = patience;
  }

  void say(S message) {
    unheard.add(message);
    unsent++;
  }

  /** Whether something is to be sent now: news, or what was not heard for too long. */
  boolean wants(long now) {
    return unsent > 0 || waitsTooLong(now);
  }

  private boolean waitsTooLong(long now) {
    return unheard.size() > unsent && now - waitsSince > patience;
  }

  /** Whether the other one does not know yet how much was heard. */
  boolean owes() {
    return toldHeard != heard;
  }

  /**
   * What is sent at one time.
   *
   * @param sequence the number of the first item
   * @param heard how much of the other side's was heard
   */
  record Part<S>(long sequence, long heard, List<S> items) {}

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
    return new Part<>(first + skipped, heard, sent);
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
    for (int i = 0; i < part.items().size(); i++) {
      if (part.sequence() + i == heard + 1) {
        heard++;
        listener.accept(part.items().get(i));
      }
    }
    if (!part.items().isEmpty()) {
      // What was heard already may be said again because that is not known.
      toldHeard = -1;
    }
  }
}
