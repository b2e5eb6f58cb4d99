package dev.flyball.limit;

import dev.flyball.call.Call;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One attempt as its lane's limits see it: before it goes, what it needs of each; from then on,
 * what each has charged it, and the marks that tell what others were charged before and after it.
 * Allowances find theirs by their place in the lane's list.
 */
public final class AttemptCharges {
  private static final long[] NONE = {};

  private Call call;

  /** Whether it draws on the retry budget. */
  boolean retry;

  /** Whether it is its call's first. */
  boolean first;

  /** How long its answer is likely to be, in tokens. */
  private long expectedOutput;

  /** How much of its answer is produced in a nanosecond, as far as is known; else 0. */
  private double speed;

  /** What it needs of each allowance, then what it was charged. */
  long[] charged = NONE;

  /** What each allowance had charged in all, up to this attempt. */
  long[] marks = NONE;

  /** How many were in flight when it went, with it. */
  int together;

  /** Its number among the calls of which limits are felt. */
  long feltNumber;

  /** The time that its scarcest allowance takes to earn it, while a ramp holds back; else 0. */
  double weight;

  private long sentAt;

  /** Whether others wait for its verdict: the breaker's probe, or one of its tests. */
  boolean awaited;

  /** Whether its response headers have been seen. */
  private boolean sighted;

  /** Those with which it went. */
  AttemptsInFlight.@Nullable Volley volley;

  @Nullable AttemptCharges earlier;
  @Nullable AttemptCharges later;

  /** An attempt at a call, which needs nothing so far. */
  public AttemptCharges(Call call) {
    this.call = call;
  }

  /**
   * Says what an attempt is that has not gone, and what it would be charged. One object may ask for
   * one call after the other, until one of them goes.
   *
   * @param asking the call
   * @param draws whether the attempt draws on the retry budget
   * @param first whether it is its call's first
   * @param output how long its answer is likely to be
   */
  public void ask(
      Call asking, boolean draws, boolean first, List<Allowance> allowances, long output) {
    call = asking;
    expectedOutput = output;
    retry = draws;
    this.first = first;
    if (charged.length != allowances.size()) {
      charged = new long[allowances.size()];
      marks = new long[allowances.size()];
    }
    for (int i = 0; i < charged.length; i++) {
      charged[i] = allowances.get(i).amount(asking, output);
    }
  }

  public Call call() {
    return call;
  }

  public long sentAt() {
    return sentAt;
  }

  /** It goes now. */
  public void sent(double ofWeight, long now) {
    weight = ofWeight;
    sentAt = now;
  }

  /** Answers are likely to be produced so fast, in tokens a nanosecond. */
  public void produces(double tokens) {
    speed = tokens;
  }

  /** How much of what it was charged for its answer is likely to be produced after a moment. */
  long toCome(int place, long at) {
    return charged[place] - Math.min(charged[place], (long) (speed * Math.max(0, at - sentAt)));
  }

  public boolean awaited() {
    return awaited;
  }

  public boolean sighted() {
    return sighted;
  }

  public void sight() {
    sighted = true;
  }

  public long charged(Allowance allowance) {
    return charged[allowance.place()];
  }

  /** How many others went so close to it that they may have arrived in any order. */
  int together() {
    return volley == null ? 0 : volley.others();
  }

  /** Takes in an allowance that became known while it was in flight. */
  void adopt(Allowance allowance, ToLongFunction<Call> amount, boolean inFlight) {
    int place = allowance.place();
    charged = Arrays.copyOf(charged, place + 1);
    marks = Arrays.copyOf(marks, place + 1);
    charged[place] = amount.applyAsLong(call);
    marks[place] = allowance.adopt(inFlight ? charged[place] : 0);
  }

  public long expectedOutput() {
    return expectedOutput;
  }

  /** What it was charged is given back: it counts neither for itself nor for those after it. */
  void unmark(int place) {
    long amount = charged[place];
    for (var after = this; after != null; after = after.later) {
      after.marks[place] -= amount;
    }
  }
}
