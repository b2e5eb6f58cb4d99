package dev.flyball.limit;

import dev.flyball.call.Call;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A lane's attempts in flight, in the order in which they went. An attempt that has left the list
 * still knows which one followed it: its own charges can be undone in the marks of those.
 */
public final class AttemptsInFlight {
  /** Calls sent so close together may arrive in any order. */
  private static final long TOGETHER = 10_000_000;

  /** Attempts that went so close together that they may have arrived in any order. */
  static final class Volley {
    private final long since;
    private int count;

    Volley(long since) {
      this.since = since;
    }

    /** How many others. */
    int others() {
      return Math.max(0, count - 1);
    }
  }

  private @Nullable AttemptCharges first;
  private @Nullable AttemptCharges last;
  private Volley volley = new Volley(0);

  public void add(AttemptCharges attempt) {
    if (volley.count == 0 || attempt.sentAt() - volley.since > TOGETHER) {
      volley = new Volley(attempt.sentAt());
    }
    volley.count++;
    attempt.volley = volley;
    attempt.earlier = last;
    if (last == null) {
      first = attempt;
    } else {
      last.later = attempt;
    }
    last = attempt;
  }

  public void remove(AttemptCharges attempt) {
    if (attempt.earlier == null) {
      first = attempt.later;
    } else {
      attempt.earlier.later = attempt.later;
    }
    if (attempt.later == null) {
      last = attempt.earlier;
    } else {
      attempt.later.earlier = attempt.earlier;
    }
  }

  /** When the last of them was sent that went no later than a moment; never, if none did. */
  long lastSent(long until) {
    var next = last;
    while (next != null && next.sentAt() > until) {
      next = next.earlier;
    }
    return next == null ? Long.MIN_VALUE : next.sentAt();
  }

  /** What was charged to others since then, which may not have reached the provider yet. */
  public long recent(Allowance allowance, AttemptCharges seen, long since) {
    long sum = 0;
    for (var next = last; next != null && next.sentAt() > since; next = next.earlier) {
      sum += next == seen ? 0 : next.charged(allowance);
    }
    return sum;
  }

  /** How much of the output of all of them is likely to be produced after a moment. */
  long toCome(Allowance allowance, long at) {
    long sum = 0;
    for (var next = last; next != null; next = next.earlier) {
      sum += next.toCome(allowance.place(), at);
    }
    return sum;
  }

  public double sum(ToDoubleFunction<AttemptCharges> weight) {
    double sum = 0;
    for (var next = first; next != null; next = next.later) {
      sum += weight.applyAsDouble(next);
    }
    return sum;
  }

  /**
   * Takes in an allowance that became known by a reply: the attempts in flight, and the one that
   * has just come back, went before that.
   */
  public void adopt(Allowance allowance, AttemptCharges seen, ToLongFunction<Call> amount) {
    boolean over = true;
    for (var next = first; next != null; next = next.later) {
      if (over && next.sentAt() > seen.sentAt()) {
        seen.adopt(allowance, amount, false);
        over = false;
      }
      over &= next != seen;
      next.adopt(allowance, amount, true);
    }
    if (over) {
      seen.adopt(allowance, amount, false);
    }
  }
}
