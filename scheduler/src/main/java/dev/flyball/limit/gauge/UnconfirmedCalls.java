package dev.flyball.limit.gauge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls whose fate is not known, in the order in which they went; and the last few that were
 * taken for let in because no refusal had come, whose refusal may still come.
 */
public final class UnconfirmedCalls {
  private static final int MOST_LATE = 16;

  /** So much is doubted of every call. */
  private static final double ALWAYS = 0.06;

  /** One of them. */
  public static final class Call {
    private final long number;
    private final double sentAt;
    private boolean letIn;
    private @Nullable CallReadings readings;

    Call(long number, double sentAt, @Nullable CallReadings readings) {
      this.number = number;
      this.sentAt = sentAt;
      this.readings = readings;
    }

    public long number() {
      return number;
    }

    public double sentAt() {
      return sentAt;
    }

    /** Whether it is known to have been let in. */
    public boolean isLetIn() {
      return letIn;
    }

    public void letIn() {
      letIn = true;
    }

    /** What the gauges showed when it went, if there were any. */
    public @Nullable CallReadings readings() {
      return readings;
    }

    public void readings(CallReadings shown) {
      readings = shown;
    }

    /** How much of the juries said no when it went. */
    public double doubt() {
      return readings == null ? 0 : readings.doubt();
    }
  }

  private final ArrayDeque<Call> open = new ArrayDeque<>();
  private final ArrayDeque<Call> late = new ArrayDeque<>();

  public void add(long number, double sentAt, @Nullable CallReadings readings) {
    open.addLast(new Call(number, sentAt, readings));
  }

  public int size() {
    return open.size();
  }

  public boolean isEmpty() {
    return open.isEmpty();
  }

  /** The one that went first; there must be one. */
  public Call first() {
    return open.getFirst();
  }

  /** The first is confirmed; if only because no refusal came, that may still come. */
  public void confirmFirst() {
    var call = open.removeFirst();
    if (!call.letIn) {
      late.addLast(call);
      if (late.size() > MOST_LATE) {
        late.removeFirst();
      }
    }
  }

  /**
   * What the juries doubted of all of them together. A few always doubt, and the same ones of each
   * call: that says nothing about the next.
   */
  public double doubt() {
    double sum = 0;
    for (var call : open) {
      sum += Math.max(0, call.doubt() - ALWAYS);
    }
    return sum;
  }

  /** The gauges that were read are no more. */
  public void dropReadings() {
    open.forEach(call -> call.readings = null);
    late.clear();
  }

  public @Nullable Call find(long number) {
    return find(open, number);
  }

  private static @Nullable Call find(ArrayDeque<Call> calls, long number) {
    for (var call : calls) {
      if (call.number == number) {
        return call;
      }
    }
    return null;
  }

  public @Nullable Call remove(long number) {
    return remove(open, number);
  }

  /** One that was taken for let in. */
  public @Nullable Call removeLate(long number) {
    return remove(late, number);
  }

  private static @Nullable Call remove(ArrayDeque<Call> calls, long number) {
    var call = find(calls, number);
    if (call != null) {
      calls.remove(call);
    }
    return call;
  }

  /** The readings of those that went after a call. */
  public List<CallReadings> after(long number) {
    var later = new ArrayList<CallReadings>();
    for (var other : open) {
      if (other.number > number && other.readings != null) {
        later.add(other.readings);
      }
    }
    return later;
  }
}
