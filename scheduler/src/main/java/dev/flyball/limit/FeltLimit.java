package dev.flyball.limit;

import dev.flyball.call.LearnedLimits.Felt;
import dev.flyball.call.Reply;
import dev.flyball.limit.gauge.CallReadings;
import dev.flyball.limit.gauge.FeltMemory;
import dev.flyball.limit.gauge.Juries;
import dev.flyball.limit.gauge.Network;
import dev.flyball.limit.gauge.SentCalls;
import java.time.Instant;
import java.util.ArrayDeque;
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
 * <p><b>Droughts.</b> While calls are turned away and none is let in, most explanations name a
 * moment. A probe goes when a fifth of them has opened, at the latest when the drought has grown by
 * seven tenths, and never sooner than a third of a second after the last.
 *
 * <p><b>Quiet times.</b> Ten seconds without a refusal may mean that the limit was raised. Then
 * calls go a little before the juries want, and if these are let in, more of them; if not, the next
 * quiet time is twice as long.
 */
public final class FeltLimit implements Limit {
  private static final double MOST_DOUBT = 0.5;
  private static final double MOST_DOUBT_IF_DEAR = 0.3;
  private static final double MOST_DOUBT_OF_PROBES = 0.985;
  private static final double SHORTEST_CONFIRMATION = 0.1;
  private static final double LONGEST_CONFIRMATION = 1;
  private static final double FIRST_PROBE = 0.3;
  private static final double DROUGHT_GROWS_BY = 0.7;
  private static final double LONGEST_SILENCE = 60;
  private static final double QUIET = 10;
  private static final double LONGEST_QUIET = 80;
  private static final double SILENCE = 0.5;
  private static final double TOGETHER = 0.025;
  private static final int AT_FIRST = 4;
  private static final int MANY_IN_A_ROW = 3;
  private static final int MOST_UNCONFIRMED = 64;
  private static final int MOST_LATE = 16;

  /** A call whose fate is not known. */
  private static final class Unconfirmed {
    final long number;
    final double sentAt;
    boolean letIn;
    @Nullable CallReadings readings;

    Unconfirmed(long number, double sentAt) {
      this.number = number;
      this.sentAt = sentAt;
    }
  }

  private final long origin;
  private final Instant originOnTheWall;
  private final SentCalls record = new SentCalls();
  private final Network network = new Network();
  private @Nullable Juries juries;

  /** In the order in which they went. */
  private final ArrayDeque<Unconfirmed> unconfirmed = new ArrayDeque<>();

  /** Those that were taken for let in, because no refusal had come. */
  private final ArrayDeque<Unconfirmed> late = new ArrayDeque<>();

  private int inFlight;

  /** What replies state, in calls a second; 0 if nothing. */
  private double stated;

  /** Whether what is felt is an earlier run's alone. */
  private boolean remembered;

  /** How long a refusal may take: after that, a call was let in. */
  private double confirmation = SHORTEST_CONFIRMATION;

  /** How many were let in, since the beginning or the last refusal. */
  private int letIn;

  /** How many were turned away in a row, by the moment at which that was known. */
  private int refusedInARow;

  /** How many were let in since the last silence. */
  private int warm;

  private double lastSent;
  private double lastLetIn;

  /** The moment of the last refusal that was no probe's. */
  private double surprised = Double.NEGATIVE_INFINITY;

  /** How long the last drought was; there was none yet. */
  private double lastDrought = 1e9;

  private double quietSince;
  private double quiet = QUIET;
  private boolean probing;
  private int probesLetIn;
  private int letInSinceQuiet;

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

  /** Whether calls were turned away for it, now or in an earlier run. */
  public boolean isFelt() {
    return juries != null;
  }

  /** Replies state so many calls a nanosecond. */
  public void stated(double perNano) {
    stated = perNano * 1e9;
    if (remembered && stated > 1.5 * felt().perSecond()) {
      juries = null;
      remembered = false;
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
    if (juries == null && stated > 0) {
      return now;
    }
    if (named > now) {
      return named;
    }
    double when = juries == null ? unhurried(time) : agreed(juries, tokens(attempt), time);
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
      return unconfirmed.getFirst().sentAt + confirmation;
    }
    return Math.max(time, lastSent + Math.min(confirmation, network.answer()) / most);
  }

  private double agreed(Juries all, double tokens, double time) {
    if (!probing && time - quietSince > quiet) {
      probing = true;
      probesLetIn = 0;
    }
    if (time - lastSent > SILENCE && unconfirmed.isEmpty()) {
      warm = 0;
    }
    double most = Math.min(1 + 2 * warm, 8 + warm / 8);
    double even = warm == 0 && unconfirmed.isEmpty() ? time : spread(most, time);
    if (even > time) {
      return even;
    }
    boolean bold = probing && (time - quietSince > 1.5 * quiet || probesLetIn > 0);
    double usual = dear ? MOST_DOUBT_IF_DEAR : MOST_DOUBT;
    double part = bold ? 1 + probesLetIn / 4 : probing ? MOST_DOUBT_OF_PROBES : usual;
    for (var call : unconfirmed) {
      part -= call.readings == null ? 0 : call.readings.doubt();
    }
    if (bold && part >= 1) {
      return time;
    }
    double first = unconfirmed.isEmpty() ? 0 : unconfirmed.getFirst().sentAt + confirmation;
    if (part <= 0) {
      return first;
    }
    all.inFlight(inFlight);
    boolean dry = surprised > lastLetIn;
    double grown = dry ? growth(all) * (lastSent - lastLetIn) : lastDrought;
    double longest = Math.clamp(grown, FIRST_PROBE, LONGEST_SILENCE);
    var drought = new Juries.Drought(dry, Math.max(lastSent, lastLetIn), FIRST_PROBE, longest);
    double when = Math.max(all.agreed(time, tokens, part, drought), patience(dry));
    return when > time && !unconfirmed.isEmpty() ? Math.min(when, Math.max(first, time)) : when;
  }

  /**
   * The moment before which no probe goes, whatever is said, when several in a row were turned
   * away: whoever is turned away with all gauges at rest would else ask for ever.
   */
  private double patience(boolean dry) {
    if (!dry || refusedInARow < MANY_IN_A_ROW) {
      return 0;
    }
    double grown = DROUGHT_GROWS_BY / 2 * (lastSent - lastLetIn);
    return lastSent + Math.clamp(grown, FIRST_PROBE, LONGEST_SILENCE);
  }

  /** Where an answer may end the drought, fewer probes go. */
  private static double growth(Juries all) {
    return all.inFlightSay() > 0.15 ? 1 : DROUGHT_GROWS_BY;
  }

  // ---- what becomes of calls ----

  @Override
  public void charge(AttemptCharges attempt, long now) {
    double time = seconds(now);
    if (record.end() == 0) {
      quietSince = time;
    }
    Unconfirmed call;
    if (juries == null) {
      call = new Unconfirmed(record.add(time, tokens(attempt), inFlight), time);
    } else {
      var readings = juries.sent(time, tokens(attempt), inFlight);
      call = new Unconfirmed(readings.number(), time);
      call.readings = readings;
    }
    attempt.feltNumber = call.number;
    unconfirmed.addLast(call);
    lastSent = time;
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
        network.answered(time - seconds(attempt.sentAt()));
        answered(attempt, time);
      }
      case Reply.CutShort<?> cut -> answered(attempt, time);
      // What these say about limits is found out first.
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
    var call = find(unconfirmed, attempt);
    if (call != null) {
      call.letIn = true;
    } else {
      remove(late, attempt);
    }
    confirm(time);
  }

  /** A call was turned away for a limit that is known, or nobody knows what became of it. */
  public void explained(AttemptCharges attempt, long now) {
    forget(attempt, seconds(now));
  }

  private void forget(AttemptCharges attempt, double time) {
    var call = remove(unconfirmed, attempt);
    if (call != null) {
      named = Long.MIN_VALUE;
      if (call.readings != null && juries != null) {
        juries.forget(call.readings, time);
        juries.release(call.readings);
      } else {
        record.forget(call.number);
      }
    }
  }

  private static @Nullable Unconfirmed find(ArrayDeque<Unconfirmed> calls, AttemptCharges attempt) {
    return with(calls, attempt.feltNumber);
  }

  private static @Nullable Unconfirmed with(ArrayDeque<Unconfirmed> calls, long number) {
    for (var call : calls) {
      if (call.number == number) {
        return call;
      }
    }
    return null;
  }

  private static @Nullable Unconfirmed remove(
      ArrayDeque<Unconfirmed> calls, AttemptCharges attempt) {
    var call = find(calls, attempt);
    if (call != null) {
      calls.remove(call);
    }
    return call;
  }

  /** The oldest calls that were answered, or could have been turned away by now, were let in. */
  private void confirm(double time) {
    while (!unconfirmed.isEmpty()) {
      var call = unconfirmed.getFirst();
      if (!call.letIn && time < call.sentAt + confirmation - 1e-9) {
        return;
      }
      unconfirmed.removeFirst();
      named = Long.MIN_VALUE;
      boolean endsDrought = surprised > lastLetIn;
      count(call, endsDrought);
      if (juries != null && call.readings != null) {
        juries.letIn(call.readings, endsDrought);
        if (call.letIn) {
          juries.release(call.readings);
        }
      }
      if (!call.letIn) {
        late.addLast(call);
        if (late.size() > MOST_LATE) {
          late.removeFirst();
        }
      }
    }
  }

  private void count(Unconfirmed call, boolean endsDrought) {
    letIn++;
    refusedInARow = 0;
    warm++;
    letInSinceQuiet++;
    if (probing && call.readings != null && call.readings.doubt() > 0.5) {
      probesLetIn++;
    }
    if (endsDrought) {
      lastDrought = call.sentAt - lastLetIn;
    }
    lastLetIn = Math.max(lastLetIn, call.sentAt);
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
    dear |= wait > 0;
    network.refused(time - seconds(attempt.sentAt()));
    confirmation = Math.clamp(1.5 * network.refusal(), SHORTEST_CONFIRMATION, LONGEST_CONFIRMATION);
    var call = find(unconfirmed, attempt);
    boolean timely = call != null;
    call = timely ? call : remove(late, attempt);
    if (call == null) {
      return;
    }
    var all = juries == null ? firstRefusal(call) : juries;
    var later = timely ? after(call) : List.<CallReadings>of();
    unconfirmed.remove(call);
    if (call.readings != null) {
      boolean surprise = !probing || call.readings.doubt() < 0.9;
      all.refused(call.readings, later, TOGETHER, time);
      if (wait > 0) {
        all.told(call.sentAt + wait / 1e9, time);
      }
      surprised = surprise ? time : surprised;
      refusedInARow++;
      all.release(call.readings);
    }
    if (probing) {
      boolean worthIt = probesLetIn >= 4 + 0.2 * letInSinceQuiet;
      quiet = worthIt ? QUIET : Math.min(LONGEST_QUIET, 2 * quiet);
    }
    probing = false;
    letInSinceQuiet = 0;
    warm = all.inFlightSay() > 0.5 ? Math.min(warm / 4, 16) : 0;
    letIn = 0;
    quietSince = time;
  }

  private List<CallReadings> after(Unconfirmed call) {
    var later = new ArrayList<CallReadings>();
    for (var other : unconfirmed) {
      if (other.number > call.number && other.readings != null) {
        later.add(other.readings);
      }
    }
    return later;
  }

  /** Calls the juries, and shows them what they missed. */
  private Juries firstRefusal(Unconfirmed refused) {
    var open = new ArrayList<CallReadings>();
    long from = unconfirmed.isEmpty() ? refused.number : unconfirmed.getFirst().number;
    var all = new Juries(record, network, Math.min(from, refused.number), stated, open);
    for (var readings : open) {
      var call = with(unconfirmed, readings.number());
      if (call == null && readings.number() == refused.number) {
        call = refused;
      }
      if (call != null) {
        call.readings = readings;
      } else {
        all.letIn(readings, false);
      }
    }
    juries = all;
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
      lastDrought = 1;
    }
  }
}
