package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of one lane and the juries over them: one for the limit that was met first, and a
 * second from the moment at which that one, after being right for long, is wrong three times in a
 * row. Then there is another limit, and the first jury is put back to where it was.
 */
public final class Juries {
  /** A gauge must have had this much of the say to be told to the next run. */
  private static final double TOLD = 0.02;

  private static final int RIGHT_FOR_LONG = 30;
  private static final int WRONG_IN_A_ROW = 3;
  private static final double MATTERS = 0.1;

  private final SentCalls record;
  private final Families families;
  private final CallsInFlight inFlight;
  private final Deque<CallReadings> spare = new ArrayDeque<>();
  private Jury first;
  private final Jury second;

  /** The first jury before it was wrong, as long as it may have been right. */
  private @Nullable Jury before;

  /** How many calls in a row were let in. */
  private int right;

  /** How many refusals in a row told something, with nothing let in between. */
  private int wrong;

  /** Refusals that told something, fading within seconds. */
  private double trouble;

  private double lastRefusal = Double.NEGATIVE_INFINITY;

  /** The moment up to which refusals tell nothing new: calls sent before are of one round trip. */
  private double knownUntil = Double.NEGATIVE_INFINITY;

  /** The moment at which the last window began, as far as droughts tell. */
  private double windowBegan = Double.NaN;

  private double droughtEnded = Double.NEGATIVE_INFINITY;
  private double lastRefused = Double.NEGATIVE_INFINITY;

  /**
   * Gauges that have watched everything in the record.
   *
   * @param record the calls so far, of which none but those under way was turned away
   * @param underWay the number of the first call whose fate is not known
   * @param stated what replies state, in calls a second; 0 if nothing
   * @param open takes the readings of those whose fate is not known
   */
  public Juries(
      SentCalls record, Network network, long underWay, double stated, List<CallReadings> open) {
    this.record = record;
    record.settleUnit();
    this.families = new Families(record, record.spread() > MATTERS, stated);
    this.inFlight = (CallsInFlight) families.gauges[families.inFlight];
    this.first = new Jury(families, network);
    this.second = new Jury(families, network);
    for (int i = 0; i < families.sliding; i++) {
      ((SlidingWindow) families.gauges[i]).beginAt(record.begin());
    }
    for (long call = record.begin(); call < record.end(); call++) {
      if (!record.refused(call)) {
        inFlight.set(record.inFlight(call));
        var readings = read(call, record.sentAt(call), record.tokens(call));
        if (call >= underWay) {
          open.add(readings);
        } else {
          first.letIn(readings);
          second.letIn(readings);
          spare.push(readings);
        }
      }
    }
  }

  // ---- what happens ----

  /** A call goes. */
  public CallReadings sent(double now, double tokens, int alreadyInFlight) {
    inFlight.set(alreadyInFlight);
    long number = record.add(now, tokens, alreadyInFlight);
    var call = read(number, now, record.tokens(number));
    call.doubts[0] = first.isSitting() ? first.doubt(call) : 0;
    call.doubts[1] = second.isSitting() ? second.doubt(call) : 0;
    return call;
  }

  private CallReadings read(long number, double now, double tokens) {
    var call =
        spare.isEmpty() ? new CallReadings(families.gauges.length, families.sliding) : spare.pop();
    call.begin(number, now, tokens);
    for (int i = 0; i < families.gauges.length; i++) {
      var gauge = families.gauges[i];
      double size = gauge.sizeOf(tokens);
      double shown = gauge.reading(now, size);
      call.shown[i] = (float) shown;
      if (i < families.sliding) {
        call.least[i] = (float) (shown - gauge.blur(now));
      }
      gauge.charge(now, size);
    }
    return call;
  }

  /** So many are in flight now. */
  public void inFlight(int count) {
    inFlight.set(count);
  }

  /** The readings of a call are needed no longer. */
  public void release(CallReadings call) {
    if (spare.size() < 16) {
      spare.push(call);
    }
  }

  /** A call was let in; if that ended a drought, it may tell how long windows are. */
  public void letIn(CallReadings call, boolean endsDrought) {
    right++;
    wrong = 0;
    if (endsDrought) {
      measure(call);
    }
    first.letIn(call);
    second.letIn(call);
  }

  /**
   * A call was turned away.
   *
   * @param later those that went after it and are under way
   */
  public void refused(CallReadings call, Iterable<CallReadings> later, double now) {
    boolean news = call.sentAt() > knownUntil;
    int bunch = 0;
    for (var other : later) {
      bunch += other.sentAt() - call.sentAt() <= Network.TOGETHER ? 1 : 0;
    }
    if (news) {
      before = wrong > 0 ? before : second.isSitting() || right < RIGHT_FOR_LONG ? null : copy();
      right = 0;
      trouble = trouble * Math.exp((lastRefusal - now) / 10) + 1;
    }
    double room = 0.5 * (1 + wrong) + 0.5 * Math.max(0, trouble - 2);
    blamed(call, news).refused(call, bunch, news, room);
    for (var other : later) {
      for (int i = 0; i < families.gauges.length; i++) {
        if (!families.gauges[i].countsRefused()) {
          other.lower(i, families.gauges[i].sizeOf(call.tokens()));
        }
      }
    }
    takeBack(call, now);
    record.refuse(call.number(), news);
    if (news) {
      wrong++;
      knownUntil = now;
    }
    lastRefusal = now;
    lastRefused = Math.max(lastRefused, call.sentAt());
  }

  private Jury copy() {
    return new Jury(first);
  }

  /** The jury that did not see a refusal coming and should have. */
  private Jury blamed(CallReadings call, boolean news) {
    if (second.isSitting()) {
      double difference = call.doubts[0] - call.doubts[1];
      boolean likelier =
          Math.abs(difference) > 0.05 ? difference > 0 : first.room(call) <= second.room(call);
      return likelier ? first : second;
    }
    if (news && wrong + 1 >= WRONG_IN_A_ROW && before != null) {
      first = before;
      before = null;
      return second;
    }
    return first;
  }

  /** A call was never sent, or what became of it says nothing. */
  public void forget(CallReadings call, double now) {
    takeBack(call, now);
    record.forget(call.number());
  }

  private void takeBack(CallReadings call, double now) {
    for (var gauge : families.gauges) {
      if (!gauge.countsRefused()) {
        gauge.undo(call.sentAt(), gauge.sizeOf(call.tokens()), now);
      }
    }
  }

  /** The provider said until when it stays so. */
  public void told(double until, double now) {
    first.told(until, now, 1);
    if (second.isSitting()) {
      second.told(until, now, 1);
    }
  }

  // ---- windows whose length was measured ----

  /**
   * A drought ended with this call: windows that would explain its end get a seat. They have to
   * explain all that was before as well.
   */
  private void measure(CallReadings call) {
    double end = call.sentAt() - 1e-3;
    if (Double.isNaN(windowBegan)) {
      windowBegan = record.sentAt(record.begin());
    }
    if (end - droughtEnded < 0.5) {
      return;
    }
    double least = lastRefused - windowBegan;
    double most = end - windowBegan;
    double since = end - Math.max(windowBegan, lastRefused);
    boolean usual = false;
    for (double length : Families.usualLengths(0.5 * since, 3 * most)) {
      seat(new ClockWindow(length, end % length, false), 0.3 * Families.likely(length), call);
    }
    for (double length : Families.usualLengths(least - Families.GUARD, most + 0.05)) {
      usual |= length > 0;
    }
    double share = usual ? 0.004 : 0.02;
    if (most > 0.7) {
      seatWindows(most, share, call);
      if (most - least > 0.05 * most) {
        seatWindows((most + least) / 2, share, call);
      }
    }
    double apart = end - droughtEnded;
    if (apart > 0.7 && apart < 1e6) {
      seat(new ClockWindow(apart, end % apart, false), 0.02, call);
    }
    droughtEnded = end;
    windowBegan = call.sentAt();
  }

  private void seatWindows(double length, double share, CallReadings call) {
    seat(new FixedWindow(length, 0, false), share, call);
    seat(new SlidingWindow(length, record, false), share, call);
  }

  /** Shows a gauge everything that it has missed, and counts how often it was wrong. */
  private void seat(Gauge gauge, double share, CallReadings until) {
    int place = families.seat(gauge, share);
    if (gauge instanceof SlidingWindow window) {
      window.beginAt(record.begin());
    }
    double letIn = 1;
    double refused = Double.POSITIVE_INFINITY;
    double wrong = 0;
    for (long call = record.begin(); call < record.end(); call++) {
      double sentAt = record.sentAt(call);
      double shown = gauge.reading(sentAt, 1);
      if (record.refused(call)) {
        if (shown <= letIn) {
          wrong += record.wasNews(call) ? 1 + Math.log(letIn / shown) / Math.log(2) : 0;
          letIn = Math.max(1, shown - 1);
          refused = shown;
        }
        refused = Math.min(refused, shown);
      } else {
        gauge.charge(sentAt, 1);
        if (sentAt < until.sentAt() && shown > letIn) {
          wrong += shown >= refused ? 1 : 0;
          refused = shown >= refused ? shown + 1 : refused;
          letIn = shown;
        }
      }
    }
    until.shown[place] = 1;
    if (place < families.sliding) {
      until.least[place] = 1;
    }
    first.seat(place, letIn, refused, wrong);
    second.seat(place, letIn, refused, wrong);
  }

  // ---- what they say ----

  /** How likely it is that the number in flight is the limit. */
  public double inFlightSay() {
    return first.weight(families.inFlight) / first.total();
  }

  /**
   * The earliest moment at which at most such a part of either jury says no.
   *
   * @param drought how long the silence may last, and whether it is one
   */
  public double agreed(double now, double tokens, double part, Drought drought) {
    double size = record.inUnits(tokens);
    double when = agreed(first, now, size, part, drought);
    return second.isSitting() ? Math.max(when, agreed(second, now, size, part, drought)) : when;
  }

  /**
   * The silence that calls are in, or would be in.
   *
   * @param on whether calls were turned away since the last one was let in
   * @param lastSent when the last call went
   * @param shortest no probe goes sooner after it
   * @param longest nobody waits longer after it who is not sure
   */
  public record Drought(boolean on, double lastSent, double shortest, double longest) {}

  private static double agreed(Jury jury, double now, double size, double part, Drought drought) {
    int heard = jury.ask(now, size);
    if (jury.against(heard, now) <= part) {
      return now;
    }
    double when = jury.agreed(heard, part);
    if (!drought.on() && jury.isSure(heard, when, now)) {
      return when;
    }
    if (drought.on()) {
      // Where many moments are likely, the earlier ones are tried.
      double early = jury.agreed(heard, 0.8);
      when = Math.min(when, Math.max(early, drought.lastSent() + drought.shortest()));
    }
    double cap = drought.lastSent() + drought.longest();
    if (when > cap) {
      double named = jury.lastOpening(heard, cap);
      when = named > now && named > cap - 0.5 * drought.longest() ? named : cap;
    }
    return Math.max(now, when);
  }

  // ---- between runs ----

  /** What they believe in, for the next run. Moments are as this one's clock tells them. */
  public List<LearnedLimits.Explanation> explanations() {
    var all = new ArrayList<LearnedLimits.Explanation>();
    explain(first, 0, all);
    explain(second, 1, all);
    return all;
  }

  private void explain(Jury jury, int limit, List<LearnedLimits.Explanation> all) {
    double total = jury.total();
    for (int i = 0; jury.isSitting() && i < families.gauges.length; i++) {
      double say = jury.weight(i) / total;
      if (say > TOLD) {
        var shape = families.gauges[i].shape();
        all.add(new LearnedLimits.Explanation(limit, shape, jury.line(i), say));
      }
    }
  }

  /** Believes what an earlier run believed. */
  public void recall(List<LearnedLimits.Explanation> explanations) {
    for (var each : explanations) {
      int place = families.find(each.shape(), record);
      (each.limit() == 0 ? first : second).recall(place, each.line(), each.say());
    }
    right = RIGHT_FOR_LONG;
  }
}
