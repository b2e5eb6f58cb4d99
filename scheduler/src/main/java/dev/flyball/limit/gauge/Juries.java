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
 * row, and none of its gauges explains all three. Then there is another limit, and the first jury
 * is put back to where it was.
 */
public final class Juries {
  /** A gauge must have had this much of the say to be told to the next run. */
  private static final double TOLD = 0.02;

  private static final int RIGHT_FOR_LONG = 30;
  private static final int WRONG_IN_A_ROW = 3;
  private static final double ONE_MORE = 1;
  private static final double MATTERS = 0.1;

  /** Waits below this are the majority's alone. */
  private static final double SHORT = 0.25;

  private static final double LONGEST = 600;
  private static final double LONGEST_DROUGHT = 60;
  private static final double FIRST_PROBE = 0.1;

  /**
   * The price of a refusal in seconds: such a part of the time so far, and no more than such a part
   * of the wait, for what is learned is of use in the next one too.
   */
  private static final double OF_TIME = 0.04;

  private static final double OF_WAIT = 0.01;
  private static final double AT_LEAST = 0.02;

  private final SentCalls record;
  private final Families families;
  private final LateGauges late;
  private final MeasuredWindows measured;
  private final FinerBuckets finer;
  private final Openings openings;
  private final ProbePlan plan = new ProbePlan();
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
    record.connected(network.connecting());
    this.families = new Families(record, record.spread() > MATTERS, stated);
    this.late = new LateGauges(record, families);
    this.measured = new MeasuredWindows(record, late);
    this.finer = new FinerBuckets(late, families);
    this.openings = new Openings(families.count());
    var blur = new GaugeBlur(families, network);
    this.first = new Jury(families, blur);
    this.second = new Jury(families, blur);
    families.watchFrom(record.begin());
    for (long call = record.begin(); call < record.end(); call++) {
      if (!record.refused(call)) {
        families.inFlight(record.inFlight(call));
        var readings = read(call, record.sentAt(call), record.tokens(call));
        if (call >= underWay) {
          late.opened(readings);
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
    families.inFlight(alreadyInFlight);
    long number = record.add(now, tokens, alreadyInFlight);
    var call = read(number, now, record.tokens(number));
    call.doubts[0] = first.isSitting() ? first.doubt(call) : 0;
    call.doubts[1] = second.isSitting() ? second.doubt(call) : 0;
    late.opened(call);
    return call;
  }

  private CallReadings read(long number, double now, double tokens) {
    var call = spare.isEmpty() ? new CallReadings(families.count(), families.sliding) : spare.pop();
    call.begin(number, now, tokens);
    families.charge(call);
    return call;
  }

  /** So many are in flight now. */
  public void inFlight(int count) {
    families.inFlight(count);
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
    if (call.sentAt() > lastRefused + Network.TOGETHER) {
      wrong = 0;
    }
    if (endsDrought) {
      measured.droughtEnded(call, lastRefused, first, second);
    }
    late.closed(call);
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
    var blamed = blamed(call, news);
    blamed.refused(call, bunch, news, room);
    for (var other : later) {
      for (int i = 0; i < families.count(); i++) {
        if (!families.countsRefused(i)) {
          other.lower(i, families.size(i, call.tokens()));
        }
      }
    }
    families.undo(call, now);
    record.refuse(call.number(), news);
    late.closed(call);
    if (news) {
      wrong++;
      knownUntil = now;
      finer.refused(blamed, now, first, second);
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
    if (news
        && wrong + 1 >= WRONG_IN_A_ROW
        && before != null
        && first.leastWrong() - before.leastWrong() > ONE_MORE) {
      first = before;
      before = null;
      return second;
    }
    return first;
  }

  /** A call was never sent, or what became of it says nothing. */
  public void forget(CallReadings call, double now) {
    late.closed(call);
    families.undo(call, now);
    record.forget(call.number());
  }

  /** The provider said until when it stays so. */
  public void told(double until, double now) {
    first.told(until, now, 1);
    if (second.isSitting()) {
      second.told(until, now, 1);
    }
  }

  // ---- what they say ----

  /** How likely it is that the number in flight is the limit. */
  public double inFlightSay() {
    return first.say(families.inFlight);
  }

  /** For how long a call too many may shut everything, as far as that is believed, in seconds. */
  public double penalty(double now) {
    return first.penalty(now);
  }

  /**
   * The earliest moment at which at most such a part of either jury says no; in a wait that is
   * long, one that is worth a refusal.
   */
  public double agreed(double now, double tokens, double part, Silence silence) {
    double size = record.inUnits(tokens);
    double when = agreed(first, now, size, part, silence);
    return second.isSitting() ? Math.max(when, agreed(second, now, size, part, silence)) : when;
  }

  /**
   * The silence that calls are in, or would be in.
   *
   * @param drought whether calls were turned away since the last one was let in
   * @param since when the last one was let in
   * @param lastSent when the last call went
   */
  public record Silence(boolean drought, double since, double lastSent) {}

  private double agreed(Jury jury, double now, double size, double part, Silence silence) {
    jury.ask(now, size, openings);
    if (openings.after(now) <= part) {
      return now;
    }
    double when = openings.agreed(part);
    if (when - now < SHORT && !silence.drought()) {
      return when;
    }
    double longest = silence.drought() ? LONGEST_DROUGHT : LONGEST;
    double until = Math.min(when, silence.lastSent() + longest);
    double length = until - silence.since();
    double from = silence.drought() ? Math.max(now, silence.lastSent() + FIRST_PROBE) : now;
    double price = Math.min(OF_TIME * now, OF_WAIT * length) + AT_LEAST;
    double times = 1 + now / Math.max(AT_LEAST, length);
    var wait = new ProbePlan.Silence(silence.since(), from, until);
    return Math.max(now, plan.first(openings, wait, price, times));
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
    for (int i = 0; jury.isSitting() && i < families.count(); i++) {
      double say = jury.say(i);
      if (say > TOLD) {
        all.add(new LearnedLimits.Explanation(limit, families.shape(i), jury.line(i), say));
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
