package dev.flyball.limit.gauge;

import java.util.Arrays;

/**
 * The last few thousand calls: when each went, how large it was, how many were in flight, and
 * whether it was turned away. Enough to show a gauge that is new what it has missed. It grows as it
 * is needed, so a lane that is hardly used keeps hardly anything.
 */
public final class SentCalls {
  private static final int MOST = 4096;

  private double[] sentAt = new double[32];
  private float[] tokens = new float[32];
  private int[] inFlight = new int[32];
  private byte[] outcome = new byte[32];
  private long end;
  private double usual = 1;

  /** A call goes; returns its number, one more than the last one's. */
  public long add(double now, double ofTokens, int alreadyInFlight) {
    if (end == sentAt.length && sentAt.length < MOST) {
      int larger = 2 * sentAt.length;
      sentAt = Arrays.copyOf(sentAt, larger);
      tokens = Arrays.copyOf(tokens, larger);
      inFlight = Arrays.copyOf(inFlight, larger);
      outcome = Arrays.copyOf(outcome, larger);
    }
    int place = place(end);
    sentAt[place] = now;
    tokens[place] = (float) ofTokens;
    inFlight[place] = alreadyInFlight;
    outcome[place] = 0;
    return end++;
  }

  private int place(long call) {
    // The length is a power of two.
    return (int) call & (sentAt.length - 1);
  }

  /** The number of the oldest call that it still has. */
  long begin() {
    return Math.max(0, end - sentAt.length);
  }

  /** The number that the next call will have. */
  public long end() {
    return end;
  }

  double sentAt(long call) {
    return sentAt[place(call)];
  }

  /** How large a call was, in units of a usual one. */
  double tokens(long call) {
    return tokens[place(call)] / usual;
  }

  int inFlight(long call) {
    return inFlight[place(call)];
  }

  boolean refused(long call) {
    return outcome[place(call)] != 0;
  }

  /** Whether its refusal said something that an earlier one of the same round trip had not. */
  boolean wasNews(long call) {
    return outcome[place(call)] == 2;
  }

  void refuse(long call, boolean news) {
    if (call >= begin()) {
      outcome[place(call)] = (byte) (news ? 2 : 1);
    }
  }

  /** A call was never sent, or its end says nothing: as if it had not been. */
  public void forget(long call) {
    refuse(call, false);
  }

  /** The first calls were held up so long: they went when there was a connection. */
  void connected(double after) {
    double from = sentAt(0) + after;
    for (long call = 0; begin() == 0 && call < end && sentAt(call) < from; call++) {
      sentAt[place(call)] = from;
    }
  }

  /** From now on sizes are told in units of the mean. */
  void settleUnit() {
    double sum = 0;
    for (long i = begin(); i < end; i++) {
      sum += tokens[place(i)];
    }
    usual = sum > 0 ? sum / (end - begin()) : 1;
  }

  /** The size of a call that is not in it, in the same units. */
  double inUnits(double ofTokens) {
    return ofTokens / usual;
  }

  /** By which part of the mean sizes differ. */
  double spread() {
    double mean = 0;
    for (long i = begin(); i < end; i++) {
      mean += tokens(i) / (end - begin());
    }
    double off = 0;
    for (long i = begin(); i < end; i++) {
      off += Math.abs(tokens(i) - mean) / (end - begin());
    }
    return mean > 0 ? off / mean : 0;
  }
}
