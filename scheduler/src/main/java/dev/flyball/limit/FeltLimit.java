package dev.flyball.limit;

import dev.flyball.call.LearnedLimits.Felt;
import dev.flyball.call.Reply;
import dev.flyball.limit.gauge.CallReadings;
import dev.flyball.limit.gauge.FeltMemory;
import dev.flyball.limit.gauge.Juries;
import dev.flyball.limit.gauge.Network;
import dev.flyball.limit.gauge.QuietTimes;
import dev.flyball.limit.gauge.SentCalls;
import dev.flyball.limit.gauge.UnconfirmedCalls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that nobody states, felt only where calls are turned away.
 *
 * <p>What they are, and when a call could go, is for {@link Juries} to say. This class decides how
 * they are asked.
 *
 * <p><b>Until something was turned away</b> there is nothing to ask, and no gauge: only a record of
 * the last calls, from which gauges learn what they missed. A lane that is told nothing begins with
 * four at once and goes faster with what was let in; one that is told its limits is not held here.
 *
 * <p><b>Unconfirmed calls.</b> A refusal comes back at once, an answer may take minutes. So a call
 * that is not turned away within the time that a refusal takes was let in. As long as that is not
 * known, few are risked: in the beginning and after each silence one, then three, then nine; and
 * what the juries doubt of those under way is taken from what they may doubt of the next.
 *
 * <p><b>Droughts.</b> While calls are turned away and none is let in, the explanations name
 * moments, and the juries choose those that are worth a probe. When many probes in a row were
 * turned away, each silence is longer than the one before by a third, whatever they say ({@link
 * Drought}).
 */
public final class FeltLimit implements Limit {
  private static final double MOST_DOUBT = 0.5;
  private static final double MOST_DOUBT_IF_DEAR = 0.3;
  private static final double MOST_DOUBT_OF_PROBES = 0.985;
  private static final double SHORTEST_CONFIRMATION = 0.1;
  private static final double DEAR_PENALTY = 1;
  private static final int AT_FIRST = 4;
  private static final int MOST_UNCONFIRMED = 48;

  private final long origin;
  private final Instant originOnTheWall;
  private final SentCalls record = new SentCalls();
  private final Network network = new Network();
  private @Nullable Juries juries;

  private final UnconfirmedCalls unconfirmed = new UnconfirmedCalls();

  private int inFlight;

  /** What replies state, in calls a second; 0 if nothing. */
  private double stated;

  /** Whether what is felt holds nobody, because it may have been an outage. */
  private boolean aside;

  /** Whether what is felt is an earlier run's alone. */
  private boolean remembered;

  /** How long a refusal may take: after that, a call was let in. */
  private double confirmation = SHORTEST_CONFIRMATION;

  /** How many were let in, since the beginning or the last refusal. */
  private int letIn;

  /** How many were let in since the last silence. */
  private int warm;

  private final Drought drought = new Drought();

  private final QuietTimes quiet = new QuietTimes();

  /** Whether refusals tell how long to wait: then each costs that time. */
  private boolean dear;

  /** The moment that was last named, as long as nothing happened; else {@link Long#MIN_VALUE}. */
  private long named = Long.MIN_VALUE;

  /** Of a lane that opens now. */
  public FeltLimit(long now, Instant wall) {
    origin = now;
    originOnTheWall = wall;
  }

  private double seconds(long now) {
    return (now - origin) / 1e9;
  }

  private long moment(double seconds, long now) {
    double nanos = Math.ceil(seconds * 1e9);
    return nanos > 9e18 - Math.abs(origin) ? Long.MAX_VALUE : Math.max(now, origin + (long) nanos);
  }

  /** Replies state so many calls a nanosecond. */
  public void stated(double perNano) {
    stated = perNano * 1e9;
    if (remembered && stated > 1.5 * felt().perSecond()) {
      juries = null;
      remembered = false;
      unconfirmed.dropReadings();
    }
  }

  /** Whether replies state a limit on calls. */
  public boolean isStated() {
    return stated > 0;
  }

  // ---- when a call could go ----

  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    double time = seconds(now);
    confirm(time);
    boolean nothing = juries == null || aside;
    if (nothing && stated > 0) {
      return now;
    }
    if (named > now) {
      return named;
    }
    double when = juries == null || aside ? unhurried(time) : agreed(juries, tokens(attempt), time);
    long answer = when <= time ? now : moment(when, now);
    named = answer;
    return answer;
  }

  private static double tokens(AttemptCharges attempt) {
    return (double) Math.max(1, attempt.call().estimate().most());
  }

  /** Nothing was turned away yet: the more was let in, the more are risked. */
  private double unhurried(double time) {
    if (inFlight < AT_FIRST) {
      return time;
    }
    double most = Math.max(AT_FIRST, Math.min(1 + letIn / 4, Math.max(8, letIn / 25)));
    return spread(most, time);
  }

  /** So many may be unconfirmed at one time, and go evenly. */
  private double spread(double most, double time) {
    if (unconfirmed.size() >= Math.min(most, MOST_UNCONFIRMED)) {
      return unconfirmed.first().sentAt() + confirmation;
    }
    return Math.max(time, drought.lastSent() + Math.min(confirmation, network.answer()) / most);
  }

  private double agreed(Juries all, double tokens, double time) {
    quiet.look(time);
    if (time - drought.lastSent() > 0.5 && unconfirmed.isEmpty()) {
      warm = 0;
    }
    double most = Math.min(1 + 2 * warm, 8 + warm / 8);
    double even = warm == 0 && unconfirmed.isEmpty() ? time : spread(most, time);
    if (even > time) {
      return even;
    }
    boolean punished = all.penalty(time) > DEAR_PENALTY;
    boolean bold = quiet.isBold(time) && !punished;
    double usual = dear || punished ? MOST_DOUBT_IF_DEAR : MOST_DOUBT;
    double part =
        bold ? quiet.boldness() : quiet.isProbing() && !punished ? MOST_DOUBT_OF_PROBES : usual;
    part -= unconfirmed.doubt();
    if (bold && part >= 1) {
      return time;
    }
    double first = unconfirmed.isEmpty() ? 0 : unconfirmed.first().sentAt() + confirmation;
    if (part <= 0) {
      return first;
    }
    all.inFlight(inFlight);
    double when = drought.bounded(all.agreed(time, tokens, part, drought.silence()), time);
    return when > time && !unconfirmed.isEmpty() ? Math.min(when, Math.max(first, time)) : when;
  }

  // ---- what becomes of calls ----

  @Override
  public void charge(AttemptCharges attempt, long now) {
    double time = seconds(now);
    if (record.end() == 0) {
      quiet.begin(time);
    }
    if (juries == null) {
      attempt.feltNumber = record.add(time, tokens(attempt), inFlight);
      unconfirmed.add(attempt.feltNumber, time, null);
    } else {
      var readings = juries.sent(time, tokens(attempt), inFlight);
      attempt.feltNumber = readings.number();
      unconfirmed.add(attempt.feltNumber, time, readings);
    }
    drought.sent(time);
    network.sent(time);
    inFlight++;
    named = Long.MIN_VALUE;
  }

  /** Response headers are there: the call was let in. */
  public void sighted(AttemptCharges attempt, long now) {
    answered(attempt, seconds(now));
  }

  @Override
  public void settle(AttemptCharges attempt, Reply<?> reply, long now) {
    inFlight--;
    named = Long.MIN_VALUE;
    double time = seconds(now);
    switch (reply) {
      case Reply.Answered<?> answered -> {
        double sentAt = seconds(attempt.sentAt());
        network.answered(sentAt, time - sentAt);
        answered(attempt, time);
      }
      case Reply.CutShort<?> cut -> answered(attempt, time);
      case Reply.Throttled<?> throttled -> {}
      case Reply.Overloaded<?> overloaded -> {}
      case Reply.Broken<?> broken -> forget(attempt, time);
      case Reply.Rejected<?> rejected -> forget(attempt, time);
    }
  }

  @Override
  public void giveBack(AttemptCharges attempt, long now) {
    inFlight--;
    named = Long.MIN_VALUE;
    forget(attempt, seconds(now));
  }

  private void answered(AttemptCharges attempt, double time) {
    var call = unconfirmed.find(attempt.feltNumber);
    if (call != null) {
      call.letIn();
    } else {
      unconfirmed.removeLate(attempt.feltNumber);
    }
    confirm(time);
  }

  /** A call was turned away for a limit that is known, or nobody knows what became of it. */
  public void explained(AttemptCharges attempt, long now) {
    forget(attempt, seconds(now));
  }

  private void forget(AttemptCharges attempt, double time) {
    var call = unconfirmed.remove(attempt.feltNumber);
    if (call != null) {
      named = Long.MIN_VALUE;
      var readings = call.readings();
      if (readings != null && juries != null) {
        juries.forget(readings, time);
        juries.release(readings);
      } else {
        record.forget(call.number());
      }
    }
  }

  /** What turned a call away may have been an outage: it is looked for as breakers do. */
  void unsure() {
    drought.mayBeOutage();
  }

  /**
   * What was taken for a limit may have been an outage: it is kept, but nobody goes by it until
   * something is turned away again.
   */
  void standAside() {
    aside = true;
    named = Long.MIN_VALUE;
  }

  /** The oldest calls that were answered, or could have been turned away by now, were let in. */
  private void confirm(double time) {
    while (!unconfirmed.isEmpty()) {
      var call = unconfirmed.first();
      if (!call.isLetIn() && time < call.sentAt() + confirmation - 1e-9) {
        return;
      }
      unconfirmed.confirmFirst();
      named = Long.MIN_VALUE;
      boolean endsDrought = drought.isOn();
      count(call);
      var readings = call.readings();
      if (juries != null && readings != null) {
        juries.letIn(readings, endsDrought);
        if (call.isLetIn()) {
          juries.release(readings);
        }
      }
    }
  }

  private void count(UnconfirmedCalls.Call call) {
    letIn++;
    warm++;
    quiet.letIn(call.doubt());
    drought.letIn(call.sentAt());
  }

  /**
   * A call was turned away though everything stated had room.
   *
   * @param wait how long the provider says that it stays so, in nanoseconds; 0 if it does not say
   */
  public void refused(AttemptCharges attempt, long wait, long now) {
    double time = seconds(now);
    confirm(time);
    named = Long.MIN_VALUE;
    remembered = false;
    aside = false;
    dear |= wait > 0;
    network.refused(time - seconds(attempt.sentAt()));
    confirmation = Math.clamp(1.5 * network.refusal(), SHORTEST_CONFIRMATION, 1);
    var timely = unconfirmed.remove(attempt.feltNumber);
    var call = timely == null ? unconfirmed.removeLate(attempt.feltNumber) : timely;
    if (call == null) {
      return;
    }
    var all = juries == null ? firstRefusal(call) : juries;
    juries = all;
    var later = timely == null ? List.<CallReadings>of() : unconfirmed.after(call.number());
    var readings = call.readings();
    if (readings != null) {
      boolean surprise = !quiet.isProbing() || readings.doubt() < 0.9;
      all.refused(readings, later, time);
      if (wait > 0) {
        all.told(call.sentAt() + wait / 1e9, time);
      }
      drought.refused(surprise, time);
      all.release(readings);
    }
    quiet.refused(time);
    warm = all.inFlightSay() > 0.5 ? Math.min(warm / 4, 16) : 0;
    letIn = 0;
  }

  /** Calls the juries, and shows them what they missed. */
  private Juries firstRefusal(UnconfirmedCalls.Call refused) {
    var open = new ArrayList<CallReadings>();
    long from = unconfirmed.isEmpty() ? refused.number() : unconfirmed.first().number();
    var all = new Juries(record, network, Math.min(from, refused.number()), stated, open);
    for (var readings : open) {
      boolean itself = readings.number() == refused.number();
      var call = itself ? refused : unconfirmed.find(readings.number());
      if (call != null) {
        call.readings(readings);
      } else {
        all.letIn(readings, false);
      }
    }
    return all;
  }

  // ---- between runs ----

  /** What was felt. */
  public Felt felt() {
    if (juries == null) {
      return Felt.NOTHING;
    }
    return FeltMemory.of(juries.explanations(), wall(), network.answer());
  }

  /** What the wall's clock shows when ours shows 0, in seconds. */
  private double wall() {
    return originOnTheWall.getEpochSecond() + originOnTheWall.getNano() / 1e9;
  }

  /** What an earlier run has felt is tried, and forgotten where it is wrong. */
  public void remember(Felt memory) {
    var believed = FeltMemory.believed(memory, wall());
    if (!believed.isEmpty()) {
      juries = new Juries(record, network, 0, 0, new ArrayList<>());
      juries.recall(believed);
      remembered = true;
    }
  }
}
